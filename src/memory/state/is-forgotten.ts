import type { Message } from "../../signal/message.ts";
import { isJsonObject } from "../../text/json.ts";

/** The text that replaces a forgotten text. */
export const forgottenMark = "[forgotten]";

/** What stands in the place of the forgotten reason of a failure. */
export const forgottenReason = "The reason was forgotten.";
/** The same, also as earlier versions wrote it. */
const reasonsForgotten: ReadonlySet<string> = new Set([forgottenReason, "not kept: forgotten"]);

/** Whether the text of a message is gone for good. */
export function isForgotten(message: Message): boolean {
  if (message.role !== "result") return message.text === forgottenMark;
  const { outcome } = message.result;
  if (outcome.status === "error") return reasonsForgotten.has(outcome.message);
  return isJsonObject(outcome.content) && outcome.content["not-kept"] === "forgotten";
}
