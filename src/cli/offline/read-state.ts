import { connectToDaemon } from "../../daemon/remote/remote-agent.ts";
import { openStateForWriting } from "../../daemon/serve.ts";
import { checkHealth, type HealthReport } from "../../health/check-health.ts";
import { openState } from "../../memory/state/open-state.ts";
import type { Snapshot } from "../../memory/state/snapshots.ts";
import type { State } from "../../memory/state/state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { type ReplayReport, replayJournal } from "./replay-journal.ts";

export { openTemporarySessionMemory } from "../../memory/state/session-memory.ts";
export { type ContextExplanation, explainContext } from "./explain-context.ts";
export { openNotesReader } from "./open-notes-reader.ts";

/** The state of this user, for looking only. */
export type StateReader = AsyncDisposable & {
  readonly state: State;
  readonly replay: () => Promise<ReplayReport>;
};

/** Opens the state without its lock, beside whoever has it. */
export async function openStateReader(start: StartContext): Promise<StateReader> {
  const policy = loadPolicy(start.environment);
  const folder = policy.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: policy.gatesHash, access: "read" });
  return {
    state,
    replay: () => replayJournal(state.journal, policy.judge, policy.gatesHash),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Takes a snapshot of memory and gives it: by the daemon where one runs, else on the state itself. */
export async function createSnapshot(start: StartContext, note: string): Promise<Snapshot> {
  const policy = loadPolicy(start.environment);
  await using daemon = await connectToDaemon(start, policy, "cli");
  if (daemon === null) {
    await using writing = await openStateForWriting(policy);
    return writing.objects.snapshot(note);
  }
  const id = await daemon.takeSnapshot(note);
  await using reading = await openStateReader(start);
  const taken = (await reading.state.objects.snapshots()).find((snapshot) => String(snapshot.id) === id);
  if (taken === undefined) throw new Error(`The daemon took snapshot ${id}, which is not in the state.`);
  return taken;
}

/** Checks what the agent stands on; never throws: a check that fails itself is unhealthy. */
export async function diagnose(start: StartContext): Promise<HealthReport> {
  return checkHealth(start);
}
