import type { LoopEvent } from "../../signal/loop-event.ts";
import { joinedCode } from "../../signal/turn.ts";

/** What a chat is told of a turn. */
export type ChatAnswer = { readonly text: string; readonly format: "markdown" | "plain" };

/**
 * What a chat is told of the end of a turn; null where another turn answers it. A turn that is not kept any
 * more ended long ago.
 */
export function answerOf(status: LoopEvent | null): ChatAnswer | null | "goes-on" {
  if (status === null)
    return { text: "What became of your words is not kept any more. Say it again.", format: "plain" };
  switch (status.type) {
    case "answered": {
      if (status.code === joinedCode) return null;
      return { text: status.text, format: status.plain === true ? "plain" : "markdown" };
    }
    case "blocked":
    case "failed":
    case "stopped":
      return { text: status.reason, format: "plain" };
    case "accepted":
    case "approval-required":
    case "outcome":
    case "output":
    case "proposed":
    case "text":
    case "thinking":
    case "thought":
    case "verdict":
      return "goes-on";
  }
}
