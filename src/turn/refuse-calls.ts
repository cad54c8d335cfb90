import type { Outcome, ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { isDeferredEditTurn } from "./deferred-edit-turn.ts";
import { finishTurn, refuseProposal } from "./end-turn.ts";
import { type JudgedCall, toolNameOf } from "./judge-call.ts";
import { type ProposeDeferredEditParts, proposeDeferredEdit } from "./propose-deferred-edit.ts";
import { labelOfAgent, resultMessage } from "./record-result.ts";

/** Refuses an answer: no call of it runs, each gets a result that says so, and all count as one refusal. */
export async function refuseCalls(
  parts: ProposeDeferredEditParts,
  turn: Turn,
  judged: readonly JudgedCall[],
): Promise<Turn> {
  const reasons = judged.flatMap((one) =>
    one.verdict !== null && one.verdict.decision !== "pass"
      ? [`${toolNameOf(one)}: ${one.verdict.reason}`]
      : [],
  );
  const reason = reasons.join(" ");
  const results = turn.pending.map((call) => {
    const own = judged.find((one) => one.call.id === call.id);
    const refused = own?.verdict !== undefined && own.verdict !== null && own.verdict.decision !== "pass";
    const outcome: Outcome = refused
      ? { status: "error", code: "blocked", message: `Not allowed: ${own.verdict?.reason ?? ""}` }
      : {
          status: "error",
          code: "not-run",
          message: `Not run, because another call of the same answer was refused: ${reason}`,
        };
    const result: ToolResult = {
      id: parts.newId(),
      tool: own === undefined ? call.action.target : toolNameOf(own),
      outcome,
      label: labelOfAgent(turn),
    };
    return resultMessage(turn, call, result);
  });
  const messages = [...turn.messages, ...results];
  if (isDeferredEditTurn(turn)) return proposeDeferredEdit(parts, { ...turn, messages });
  if (cannotCorrect(turn))
    return finishTurn(parts, turn, { state: "blocked", code: "blocked", text: reason, messages });
  return refuseProposal(parts, turn, { code: "blocked", reason, messages });
}

/** The reflex engine would propose the same again, so its first refusal is the result. */
function cannotCorrect(turn: Turn): boolean {
  const asked = turn.messages.findLast((message) => message.role === "assistant");
  return asked?.role === "assistant" && asked.provider === "reflex";
}
