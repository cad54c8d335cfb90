import { basename } from "node:path";
import { isJsonObject } from "../signal/json.ts";
import type { Turn } from "../signal/turn.ts";

/** Whether a turn is about an edit that waited for an editor. */
export function isDeferredEditTurn(turn: Turn): boolean {
  return deferredEditId(turn) !== "";
}

/** The waiting edit that a turn is about; empty where it is about none. */
export function deferredEditId({ signal }: Turn): string {
  const { edit } = signal.payload;
  return signal.sensor === "file-changed" && typeof edit === "string" ? edit : "";
}

/** Sentences on the edits of a turn that wait, for the end of its answer; none where the answer names them. */
export function deferralNotices(turn: Turn, answer: string): readonly string[] {
  const names = turn.messages.flatMap((message) => {
    if (message.role !== "result" || message.result.outcome.status !== "success") return [];
    const { content } = message.result.outcome;
    if (!isJsonObject(content) || content["waiting"] !== true) return [];
    return typeof content["path"] === "string" ? [basename(content["path"])] : [];
  });
  return [...new Set(names)].map(deferralNotice).filter((sentence) => !answer.includes(sentence));
}

/** Says that an edit waits, and until when. */
export function deferralNotice(name: string): string {
  return `The edit waits until Emacs lets go of ${name}; then it is looked at again and made.`;
}
