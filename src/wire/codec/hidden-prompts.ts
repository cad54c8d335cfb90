import type { HiddenPrompt } from "../../signal/hidden-prompt.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";

/** The capability of a client that can ask its owner for what a program hides. */
export const hiddenPromptCapability = "hidden-prompt";

/** The message that shows a hidden prompt to a client, or says that it is over. */
export function hiddenPromptMessage(
  { id, session, turn, program, says }: HiddenPrompt,
  over: boolean,
): JsonObject {
  const payload = { action: "hidden-prompt", id, program, text: says };
  const meta = { "session-id": session, "turn-id": turn };
  return { type: "status", meta, payload: over ? { ...payload, over } : payload };
}

/** The hidden prompt that a message shows, or says to be over; null for every other message. */
export function hiddenPromptOf({
  type,
  meta,
  payload,
}: JsonObject): (HiddenPrompt & { readonly over: boolean }) | null {
  if (type !== "status" || !isJsonObject(meta) || !isJsonObject(payload)) return null;
  if (payload["action"] !== "hidden-prompt") return null;
  const [id, program, says] = [payload["id"], payload["program"], payload["text"]].map((part) =>
    typeof part === "string" ? part : "",
  );
  const [session, turn] = [meta["session-id"], meta["turn-id"]].map((part) =>
    typeof part === "string" ? part : "",
  );
  return {
    id: id ?? "",
    session: session ?? "",
    turn: turn ?? "",
    program: program ?? "",
    says: says ?? "",
    over: payload["over"] === true,
  };
}

/** The request that answers a hidden prompt by a line, or refuses by null. */
export function answerRequest(prompt: string, line: string | null): JsonObject {
  return { action: "answer-hidden", prompt, ...(line === null ? {} : { answer: line }) };
}
