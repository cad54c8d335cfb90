import type { CallCap } from "../../memory/state/counted-calls.ts";
import type { State } from "../../memory/state/state.ts";
import { describeUsedUp } from "../../signal/call-caps.ts";
import { isJobSignal } from "../../signal/signal.ts";
import { subTaskOf } from "../../signal/sub-task.ts";
import type { Turn } from "../../signal/turn.ts";
import type { TakeCalls } from "../../turn/take-calls.ts";
import { capOfJob } from "./cap-of-job.ts";

type Cap = CallCap & { readonly reason: string };

/** Counts the calls of tools where something limits them. A sub-task draws from what the turn has that began it. */
export function makeTakeCalls(state: Pick<State, "countedCalls" | "jobs" | "turns">): TakeCalls {
  return async (turn, { facts }) => {
    const subTask = subTaskOf(turn.signal);
    const begun = {
      session: subTask?.rootSession ?? turn.session,
      turn: subTask?.root ?? turn.id,
    };
    const caps = subTask !== null || isJobSignal(turn.signal) ? await capsOfJob(state, begun) : [];
    if (caps.length === 0) return null;
    const full = await state.countedCalls.take(caps, {
      root: begun.turn,
      call: placeOf(turn),
      weight: Math.max(1, facts.action.skill?.calls.length ?? 0),
    });
    return full?.reason ?? null;
  };
}

/** A model may use an id again, so a call is known by its place in the turn, which is the same after a crash. */
function placeOf({ id, messages }: Turn): string {
  return `${id}/${messages.length}`;
}

async function capsOfJob(
  state: Pick<State, "jobs" | "turns">,
  begun: { readonly session: string; readonly turn: string },
): Promise<readonly Cap[]> {
  const { run = null, calls } = (await capOfJob(state, begun)) ?? {};
  const most = calls?.tools ?? null;
  if (run === null || most === null) return [];
  return [{ holder: "job", most, reason: describeUsedUp(run, "tools", most) }];
}
