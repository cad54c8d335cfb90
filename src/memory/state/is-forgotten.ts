import { isJsonObject } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";

/** The text that replaces a forgotten text. */
export const forgottenMark = "[forgotten]";

/** Whether the text of a message is gone for good. */
export function isForgotten(message: Message): boolean {
  if (message.role !== "result") return message.text === forgottenMark;
  const { outcome } = message.result;
  if (outcome.status === "error") return outcome.message === "not kept: forgotten";
  return isJsonObject(outcome.content) && outcome.content["not-kept"] === "forgotten";
}
