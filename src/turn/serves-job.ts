import type { State } from "../memory/state/state.ts";
import { isJobSignal } from "../signal/signal.ts";
import { subTaskOf } from "../signal/sub-task.ts";
import type { Turn } from "../signal/turn.ts";

/** What finding out whether a turn serves a job needs. */
export type ServesJobParts = { readonly state: { readonly turns: Pick<State["turns"], "get"> } };

/** Whether a turn is a run of a job, or a sub-task of one. */
export async function servesJob(
  { state }: ServesJobParts,
  { signal }: Pick<Turn, "signal">,
): Promise<boolean> {
  if (isJobSignal(signal)) return true;
  const subTask = subTaskOf(signal);
  const root = subTask === null ? null : await state.turns.get(subTask.root);
  return root !== null && isJobSignal(root.signal);
}
