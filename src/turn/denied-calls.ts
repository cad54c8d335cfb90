import type { State } from "../memory/state/state.ts";
import { commandOf } from "../shown/action-text.ts";
import type { Action } from "../signal/action.ts";
import type { Effect } from "../signal/effect.ts";
import type { Turn } from "../signal/turn.ts";
import { canonicalJson, isJsonObject } from "../text/json.ts";
import { type CallWithVerdict, toolNameOf } from "./judge-call.ts";
import type { RefusedCall } from "./refuse-calls.ts";

/** What looking for denied actions needs. */
export type DeniedCallParts = { readonly state: Pick<State, "approvals"> };

const deniedBefore =
  "The owner said no to this in this turn, so it was not asked again. Answer without it, or do something else.";

/** The refusal of a call that the owner denied in this turn: the same bytes, or the same words for them. Null for any other call. */
export async function repeatsDenied(
  { state }: DeniedCallParts,
  turn: Turn,
  judged: CallWithVerdict,
): Promise<RefusedCall | null> {
  const { call, prepared } = judged;
  const asked = await state.approvals.byTurn(turn.id, turn.session);
  const isDenied = asked.some(
    (question) =>
      question.state === "denied" &&
      (question.digest === prepared.digest ||
        isSameAction(question, { action: call.action, effects: prepared.effects })),
  );
  if (!isDenied) return null;
  return { call, tool: toolNameOf(judged), reason: deniedBefore, code: "denied-by-owner" };
}

type Asked = { readonly action: Action; readonly effects: readonly Effect[] };

/** Explanations do not count, nor blanks between the words of a command, nor how a path is written. */
function isSameAction(one: Asked, other: Asked): boolean {
  const [command, again] = [commandOf(one.action), commandOf(other.action)];
  return command !== null && again !== null
    ? sameBlanks(command) === sameBlanks(again)
    : signatureOf(one) === signatureOf(other);
}

/** The arguments of an action, with the real paths and other targets of its effects in the place of its path. */
function signatureOf({ action: { target, payload }, effects }: Asked): string {
  const { tool = target, args = payload } = payload;
  const { path: _, ...rest } = isJsonObject(args) ? args : payload;
  return canonicalJson([tool, rest, effects.map(({ kind, target }) => [kind, target])]);
}

function sameBlanks(command: string): string {
  return command.trim().replaceAll(/\s+/g, " ");
}
