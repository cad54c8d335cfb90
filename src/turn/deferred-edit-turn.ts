import { basename } from "node:path";
import type { Turn } from "../signal/turn.ts";
import { isJsonObject } from "../text/json.ts";

/** Whether a turn makes a deferred edit. */
export function isDeferredEditTurn(turn: Turn): boolean {
  return deferredEditId(turn) !== "";
}

/** The id of the deferred edit that a turn makes; empty for any other turn. */
export function deferredEditId({ signal }: Turn): string {
  const { edit } = signal.payload;
  return signal.sensor === "file-changed" && typeof edit === "string" ? edit : "";
}

/** Sentences on the deferred edits of a turn, for the end of its answer. An edit that the answer names already has none. */
export function deferralNotices(turn: Turn, answer: string): readonly string[] {
  const names = turn.messages.flatMap((message) => {
    if (message.role !== "result" || message.result.outcome.status !== "success") return [];
    const { content } = message.result.outcome;
    if (!isJsonObject(content) || content["waiting"] !== true) return [];
    return typeof content["path"] === "string" ? [basename(content["path"])] : [];
  });
  return [...new Set(names)].map(deferralNotice).filter((sentence) => !answer.includes(sentence));
}

/** The sentence that says until when an edit waits. */
export function deferralNotice(name: string): string {
  return `The edit waits until Emacs lets go of ${name}; then it is checked again and made.`;
}
