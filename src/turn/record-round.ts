import type { CallRound } from "../signal/call-round.ts";
import { requiresForcedIntent } from "../signal/effect.ts";
import { bottomLabel, joinLabels } from "../signal/label.ts";
import { maskValue } from "../signal/mask-values.ts";
import type { Outcome } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { isJsonArray } from "../text/json.ts";
import type { CallWithVerdict } from "./judge-call.ts";
import type { RecordResultParts } from "./record-result.ts";
import { roundsOf } from "./rounds-of.ts";

/** Keeps what a round of a call gave. The call stays pending: it is prepared and judged again, with that. */
export async function recordRound(
  parts: RecordResultParts,
  turn: Turn,
  { call, prepared }: CallWithVerdict,
  outcome: Outcome & { readonly status: "success" },
): Promise<Turn> {
  const fromHost = prepared.effects.some(({ kind }) => kind === "reach-host");
  const tagged = await parts.labelOfOutcome(outcome, fromHost);
  const results = maskValue(outcome.content, parts.maskKeys);
  const round: CallRound = {
    tools: (prepared.facts.action.skill?.calls ?? []).map(({ tool }) => tool),
    results: isJsonArray(results) ? results : [results],
    label: joinLabels(prepared.resultLabel, tagged, outcome.label ?? bottomLabel),
  };
  const answer = turn.messages.findLastIndex(({ role }) => role === "assistant");
  const next: Turn = {
    ...turn,
    state: "judging",
    rounds: { answer, call: call.id, done: [...roundsOf(turn, call), round] },
    running: null,
    approved: null,
    updatedAt: parts.clock(),
  };
  const durability = prepared.effects.some(requiresForcedIntent) ? "unforced" : "deferred";
  await parts.state.commit({ turn: next, durability });
  return next;
}
