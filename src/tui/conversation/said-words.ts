import type { LoopEvent } from "../../signal/loop-event.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../text/json.ts";
import { type ListedCommand, listedCommands } from "./command-list.ts";

/** Says why a question went away that was not answered here. */
export const answeredElsewhere = "This question was answered in another window.";
export const notGivenBack =
  "These words do not come back to the prompt here: they were said in another window or by a job, or this window has only a part of what was typed and attached.";

const work: ReadonlySet<LoopEvent["type"]> = new Set([
  "thinking",
  "thought",
  "text",
  "proposed",
  "verdict",
  "output",
]);

/** Whether an event comes of a turn that works: after a question it says that the answer was heard. */
export function isAtWork({ type }: LoopEvent): boolean {
  return work.has(type);
}

/** How a turn ended, other than by an answer. */
export function endWords({
  type,
  reason,
}: Extract<LoopEvent, { type: "blocked" | "failed" | "stopped" }>): string {
  const words = { blocked: "Blocked", failed: "Failed", stopped: "Stopped" } as const;
  return reason.startsWith(words[type]) ? reason : `${words[type]}: ${reason}`;
}

/** The commands that `/help` lists; null for any other message. */
export function commandsOf({ type, payload }: JsonObject): readonly ListedCommand[] | null {
  if (type !== "response" || !isJsonObject(payload) || payload["code"] !== "help") return null;
  return isJsonArray(payload["data"]) ? listedCommands(payload["data"]) : null;
}

/** Whether words, or a request, were not taken. */
export function isRefusal({ type, payload }: JsonObject): boolean {
  return type === "response" && isJsonObject(payload) && payload["outcome"] === "refused";
}

/** Words that were said to a session in another window; null for any other message. */
export function saidElsewhere({
  meta,
  payload,
}: JsonObject): { readonly session: string; readonly turn: string; readonly text: string } | null {
  if (!isJsonObject(meta) || !isJsonObject(payload)) return null;
  const { action, words } = payload;
  if (action !== "accepted" || typeof words !== "string") return null;
  return { session: String(meta["session-id"]), turn: String(meta["turn-id"]), text: words };
}

/** What a command gave, in words; null for a message that says nothing to a person. */
export function saidOf(
  message: JsonObject,
): { readonly text: string; readonly tone: "plain" | "error" } | null {
  const { type, payload } = message;
  if (type !== "response" || !isJsonObject(payload)) return null;
  const { text } = payload;
  if (typeof text !== "string" || text === "") return null;
  return { text, tone: isRefusal(message) ? "error" : "plain" };
}
