import type { ThinkResult } from "../reason/think.ts";
import type { PassepartoutError } from "../signal/failure.ts";
import type { Signal } from "../signal/signal.ts";
import type { Turn } from "../signal/turn.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { RecoveryChoice } from "./recovery-handlers.ts";
import type { JudgeTelling } from "./step-ports.ts";

/** What ending a turn that got no answer needs. */
export type ThinkFailureParts = EndTurnParts & {
  readonly judgeTelling: JudgeTelling;
  /** What the recovery handlers choose; null where none has anything to offer. */
  readonly recover: (error: PassepartoutError, signal: Signal) => RecoveryChoice | null;
};

const askForMore =
  "May I spend more today? /budget more DOLLARS allows it; then say it again. AT_BUDGET_CAP=reflex answers without a model instead.";

/** Ends a turn that got no answer, as a recovery handler chooses; without a choice the failure is the result. */
export async function endWithFailure(
  parts: ThinkFailureParts,
  turn: Turn,
  { code, error }: Extract<ThinkResult, { readonly kind: "failure" }>,
): Promise<Turn> {
  const text = code === "over-budget" ? `${error.message}. ${askForMore}` : error.message;
  const recovery = parts.recover(error, turn.signal);
  if (recovery === null) {
    return finishTurn(parts, turn, { state: code === "blocked" ? "blocked" : "failed", code, text });
  }
  switch (recovery.choice) {
    case "use-fallback": {
      const verdict = await parts.judgeTelling(turn, recovery.text, turn.signal.label);
      if (verdict.decision === "pass") {
        return finishTurn(parts, turn, { state: "answered", code: "fallback", text: recovery.text });
      }
      return finishTurn(parts, turn, { state: "failed", code, text });
    }
    case "skip-signal":
      return finishTurn(parts, turn, { state: "stopped", code: "skipped", text: `Skipped: ${text}` });
    case "abort-pipeline":
      return finishTurn(parts, turn, { state: "stopped", code: "aborted", text: `Ended: ${text}` });
  }
}
