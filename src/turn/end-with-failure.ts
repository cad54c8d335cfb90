import type { ThinkResult } from "../reason/think.ts";
import { BudgetError } from "../signal/failure.ts";
import { callsUsedUp } from "../signal/jobs/call-caps.ts";
import type { Message } from "../signal/message.ts";
import type { Turn } from "../signal/turn.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { ChoosingSkill, Recover } from "./recovery-handlers.ts";
import type { JudgeTelling } from "./step-ports.ts";

/** What ending a turn that got no answer needs. */
export type ThinkFailureParts = EndTurnParts & {
  readonly judgeTelling: JudgeTelling;
  /** What the recovery handlers choose; null where none has anything to offer. */
  readonly recover: Recover;
};

const askForMore =
  "May I spend more today? /budget more DOLLARS allows it; then say it again. AT_BUDGET_CAP=reflex answers without a model instead.";

/** Ends a turn that got no answer, as a recovery handler chooses; without a choice the failure is the result. */
export async function endWithFailure(
  parts: ThinkFailureParts,
  thinking: Turn,
  { code, error, heldFor }: Extract<ThinkResult, { readonly kind: "failure" }>,
): Promise<Turn> {
  const turn: Turn = heldFor === undefined ? thinking : { ...thinking, heldFor };
  const text =
    error instanceof BudgetError ? `${error.message}. ${error.advice ?? askForMore}` : error.message;
  // What a job may do is its owner's to say, so no handler hides that it did all of it.
  const recovery = code === callsUsedUp ? null : await parts.recover(error, turn.signal);
  if (recovery === null) {
    return finishTurn(parts, turn, { state: code === "blocked" ? "blocked" : "failed", code, text });
  }
  const { by } = recovery;
  const mayTell = async (words: string): Promise<boolean> =>
    (await parts.judgeTelling(turn, words, by?.label ?? turn.signal.label)).decision === "pass";
  const bySkill = by === undefined ? "" : ` by the skill ${by.skill}`;
  switch (recovery.choice) {
    case "use-fallback": {
      const told = by === undefined ? recovery.text : `The skill ${by.skill} answers: ${recovery.text}`;
      if (!(await mayTell(told))) return finishTurn(parts, turn, { state: "failed", code, text });
      const messages = by === undefined ? [] : [answerOfSkill(by, told)];
      const end = { state: "answered", code: "fallback", text: told } as const;
      return finishTurn(parts, turn, { ...end, messages: [...turn.messages, ...messages] });
    }
    case "skip-signal":
      return finishTurn(parts, turn, {
        state: "stopped",
        code: "skipped",
        text: `Skipped${bySkill}: ${text}`,
      });
    case "abort-pipeline": {
      const { reason = "" } = recovery;
      const why = reason !== "" && (await mayTell(reason)) ? `${reason}\n` : "";
      const told = `Ended${bySkill}: ${why}${text}`;
      return finishTurn(parts, turn, { state: "stopped", code: "aborted", text: told });
    }
  }
}

/** The words of a skill as the conversation keeps them: with their label, so that what follows from them is no more trusted than they are. */
function answerOfSkill({ skill, label }: ChoosingSkill, text: string): Message {
  const provider = `skill ${skill}`;
  return { role: "assistant", text, calls: [], native: false, provider, raw: null, label };
}
