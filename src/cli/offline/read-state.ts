import { reachDaemon } from "../../daemon/remote/remote-agent.ts";
import { openForWriting } from "../../daemon/serve.ts";
import { checkHealth, type HealthReport } from "../../health/check-health.ts";
import { openState } from "../../memory/state/open-state.ts";
import type { Snapshot } from "../../memory/state/snapshots.ts";
import type { State } from "../../memory/state/state.ts";
import { layGround } from "../../settings/policy.ts";
import type { Start } from "../../settings/start.ts";
import { type Replay, replayJournal } from "./replay-journal.ts";

export { openTemporarySessionMemory } from "../../memory/state/session-memory.ts";
export { askContext, type ContextAnswer } from "./explain-context.ts";
export { openNotesReading } from "./open-notes-offline.ts";

/** The state of this user, for looking only. */
export type Reading = AsyncDisposable & { readonly state: State; readonly replay: () => Promise<Replay> };

/** Opens the state without its lock, beside whoever has it. */
export async function openReading(start: Start): Promise<Reading> {
  const ground = layGround(start.environment);
  const folder = ground.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: ground.gates, access: "read" });
  return {
    state,
    replay: () => replayJournal(state.journal, ground.judge, ground.gates),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Takes a snapshot of memory and gives it: by the daemon where one runs, else on the state itself. */
export async function takeSnapshot(start: Start, note: string): Promise<Snapshot> {
  const ground = layGround(start.environment);
  await using daemon = await reachDaemon(start, ground, "cli");
  if (daemon === null) {
    await using writing = await openForWriting(ground);
    return writing.objects.snapshot(note);
  }
  const id = await daemon.snapshot(note);
  await using reading = await openReading(start);
  const taken = (await reading.state.objects.snapshots()).find((snapshot) => String(snapshot.id) === id);
  if (taken === undefined) throw new Error(`The daemon took snapshot ${id}, which is not in the state.`);
  return taken;
}

/** Checks what the agent stands on; never throws: a check that fails itself is unhealthy. */
export async function diagnose(start: Start): Promise<HealthReport> {
  return checkHealth(start);
}
