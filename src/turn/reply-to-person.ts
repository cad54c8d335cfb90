import type { Action } from "../signal/action.ts";
import type { Message } from "../signal/message.ts";
import type { Turn } from "../signal/turn.ts";
import { type UntestedParts, untestedNotice } from "./code-standards.ts";
import { deferralNotices } from "./deferred-edit-turn.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { JudgeTelling } from "./step-ports.ts";

/** What giving the person the model's reply needs. */
export type ReplyParts = EndTurnParts & UntestedParts & { readonly judgeTelling: JudgeTelling };

/** A reply with the message that the transcript keeps of it. */
export type Reply = {
  readonly text: string;
  readonly message: Extract<Message, { readonly role: "assistant" }>;
};

/** Judges a reply and ends the turn with it, or with why it was withheld. A reply that needs an approval becomes a call. */
export async function replyToPerson(parts: ReplyParts, turn: Turn, reply: Reply): Promise<Turn> {
  const messages = [...turn.messages, reply.message];
  const untested = await untestedNotice(parts, turn);
  const notices = [...deferralNotices(turn, reply.text), ...(untested === null ? [] : [untested])];
  const text = [reply.text, ...notices].join("\n\n");
  const verdict = await parts.judgeTelling(turn, reply.text, reply.message.label);
  switch (verdict.decision) {
    case "pass": {
      const code = reply.message.provider === "reflex" ? lastFailure(turn) : null;
      if (code !== null) return finishTurn(parts, turn, { state: "failed", code, text, messages });
      return finishTurn(parts, turn, { state: "answered", code: "", text, messages, trace: verdict.trace });
    }
    case "block":
      parts.emit({ type: "text", session: turn.session, turn: turn.id, text: verdict.reason, reset: true });
      return finishTurn(parts, turn, {
        state: "blocked",
        code: "reply-blocked",
        text: `The answer was withheld: ${verdict.reason}`,
        messages,
      });
    case "trial":
    case "ask": {
      const action: Action = {
        target: turn.signal.source,
        payload: { action: "message", text: reply.text },
        explanation: "An answer to a person who is not the owner",
      };
      const next: Turn = {
        ...turn,
        state: "judging",
        messages,
        pending: [{ id: parts.newId(), action }],
        updatedAt: parts.clock(),
      };
      await parts.state.commit({ turn: next, durability: "deferred" });
      return next;
    }
  }
}

/** The code of the turn's last result where it failed: without a model, nobody makes anything else of it. */
function lastFailure(turn: Turn): string | null {
  const last = turn.messages.at(-1);
  return last?.role === "result" && last.result.outcome.status === "error" ? last.result.outcome.code : null;
}
