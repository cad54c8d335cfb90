import type { State } from "../../../memory/state/state.ts";
import type { EventFact } from "../../../signal/jobs/job-event.ts";
import { isJobSignal, isSubTaskSignal, type Signal } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import { isFinal, type Turn } from "../../../signal/turn.ts";
import { isJsonArray } from "../../../text/json.ts";
import { pushAll } from "../../../text/lists.ts";
import { reviewTaskOf } from "../review/review-ports.ts";

/** Sessions that are looked through after a start, and turns of each. */
const mostSessions = 1000;
const mostTurns = 100;

/** What is on the disk of turns that ended and sessions that began from a time on. */
export async function factsSince(
  { turns, sessions }: Pick<State, "turns" | "sessions">,
  time: number,
): Promise<readonly EventFact[]> {
  const ended = await turns.endedSince(time);
  const facts = ended.flatMap(turnEnded);
  for (const { id, usedAt } of await sessions.list(mostSessions)) {
    const [first] = usedAt < time ? [] : await turns.ofSession(id, { limit: mostTurns });
    if (first !== undefined && first.startedAt >= time) pushAll(facts, sessionBegan(first));
  }
  return facts;
}

/** The end of a turn; nothing of a sub-task, whose end is not that of what was said, nor of filing the review inbox. */
export function turnEnded({ id, state, signal, updatedAt }: Turn): readonly EventFact[] {
  if (!isFinal(state) || isSubTaskSignal(signal) || reviewTaskOf(signal)?.verb === "file") return [];
  return [
    { name: "turn-ended", subject: id, key: `turn ${id}`, at: updatedAt, chain: chainOfSignal(signal) },
  ];
}

/** The beginning of a conversation, which is its first turn; nothing of a session that a job or a sub-task has for itself. */
export function sessionBegan({
  session: id,
  signal,
  startedAt: at,
}: Pick<Turn, "session" | "signal" | "startedAt">): readonly EventFact[] {
  if (isJobSignal(signal) || isSubTaskSignal(signal)) return [];
  return [{ name: "session-began", subject: id, key: `session ${id}`, at, chain: [] }];
}

/** The jobs whose runs led to a turn, the first one first; those of a sub-task are those of the turn at its beginning. */
export async function chainOfTurn(
  turns: Pick<State["turns"], "get">,
  { signal }: Pick<Turn, "signal">,
): Promise<readonly string[]> {
  const subTask = subTaskOf(signal);
  const begun = subTask === null ? null : await turns.get(subTask.root);
  return chainOfSignal(begun?.signal ?? signal);
}

function chainOfSignal({ payload, ...signal }: Signal): readonly string[] {
  if (!isJobSignal(signal)) return [];
  const { chain, job } = payload;
  const before = isJsonArray(chain) ? chain.map(String) : [];
  return typeof job === "string" ? [...before, job] : before;
}
