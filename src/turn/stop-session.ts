import type { State } from "../memory/state/state.ts";
import { isFinal, stoppedCode, type Turn, takenBackCode } from "../signal/turn.ts";
import { beginOf } from "../text/cut-text.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import { type EndedPlanParts, journalEndedPlans } from "./journal-ended-plans.ts";
import type { RunningTurns } from "./running-turns.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** What stopping a session needs. */
export type StopSessionParts = EndTurnParts &
  EndedPlanParts & {
    readonly state: Pick<State, "turns" | "flightPlans" | "subTasks">;
    readonly running: RunningTurns;
    readonly queue: Pick<TurnQueue, "withdraw">;
    /** Ends what runs on in a session beside its turns. False where nothing did. */
    readonly endPrograms: (session: string) => Promise<boolean>;
  };

/** Cancels one turn, or ends it where it waits, with the sub-tasks that it began; nothing else of its session ends. False where it was over. */
export async function stopTurn(parts: StopSessionParts, id: string): Promise<boolean> {
  const turn = await parts.state.turns.get(id);
  if (turn === null || isFinal(turn.state)) return false;
  const current = parts.running.inSession(turn.session);
  if (current?.turn.id === id) current.cancel.abort(new Error("stopped by the owner"));
  else await endWaiting(parts, turn);
  for (const subTask of await parts.state.subTasks.turnsUnder(id)) await stopTurn(parts, subTask);
  return true;
}

/** Cancels the turn that runs in a session, with the sub-tasks that it began, ends those that wait behind it, and ends its flight plan. False where there was none. */
export async function stopSession(
  parts: StopSessionParts,
  session: string,
  options: { readonly questionsToo: boolean },
): Promise<boolean> {
  // What is said while this goes on is behind it.
  const unfinished = (await parts.state.turns.unfinished()).filter((turn) => turn.session === session);
  const told = Promise.withResolvers<void>();
  for (const { id, state } of unfinished) if (state === "queued") parts.queue.withdraw(id, told.promise);
  const any = await endUnfinished(parts, session, unfinished, options).finally(told.resolve);
  for (const subTask of await parts.state.subTasks.openSessionsUnder(session))
    await stopSession(parts, subTask, options);
  return any;
}

async function endUnfinished(
  parts: StopSessionParts,
  session: string,
  unfinished: readonly Turn[],
  { questionsToo }: { readonly questionsToo: boolean },
): Promise<boolean> {
  const running = parts.running.inSession(session);
  const current = unfinished.some(({ id }) => id === running?.turn.id) ? running : undefined;
  current?.cancel.abort(new Error("stopped by the owner"));
  const ended = await parts.endPrograms(session);
  let any = (await parts.state.flightPlans.drop(session)) || current !== undefined || ended;
  await journalEndedPlans(parts);
  for (const { id } of unfinished) {
    const turn = await parts.state.turns.get(id);
    if (turn === null || isFinal(turn.state) || id === current?.turn.id) continue;
    if (turn.state === "suspended" && !questionsToo) continue;
    any = true;
    await endWaiting(parts, turn);
  }
  return any;
}

async function endWaiting(parts: StopSessionParts, turn: Turn): Promise<void> {
  const [code, what] =
    turn.state === "queued"
      ? [takenBackCode, "Taken back before it began"]
      : [stoppedCode, "Stopped before it went on"];
  const text = `${what}: ${beginOf(parts.filter(turn.signal.text), 80)}`;
  await finishTurn(parts, turn, { state: "stopped", code, text });
}
