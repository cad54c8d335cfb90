import { resolve } from "node:path";
import { connectToDaemon } from "../daemon/remote/connect-to-daemon.ts";
import { openStateForWriting } from "../daemon/serve.ts";
import { journalFile } from "../memory/journal/journal.ts";
import { describeDamage } from "../memory/journal/journal-files.ts";
import { type JournalCheck, readJournal } from "../memory/journal/journal-reading.ts";
import type { JournalRepair } from "../memory/journal/repair-journal.ts";
import { openState } from "../memory/state/open-state.ts";
import { repairState } from "../memory/state/repair-state.ts";
import type { Snapshot } from "../memory/state/snapshots.ts";
import type { State } from "../memory/state/state.ts";
import { loadPolicy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { type ReplayReport, replayJournal } from "./replay-journal.ts";

/** The state of this user, read-only. */
export type StateReader = AsyncDisposable & {
  readonly state: State;
  readonly replay: () => Promise<ReplayReport>;
};

/** Opens the state without its lock, beside the process that writes it. */
export async function openStateReader(start: StartContext): Promise<StateReader> {
  const policy = loadPolicy(start.environment);
  const folder = policy.config.places.state;
  const state = await openState({ folder, clock: Date.now, gates: policy.gatesHash, access: "read" });
  return {
    state,
    replay: () => replayJournal(state.journal.entries(), policy.judge, policy.gatesHash),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Judges a journal again that lies anywhere: its last file, or the folder that holds it. Judges nothing where there is none; throws where it is damaged. */
export async function replayJournalAt(
  { environment, cwd }: StartContext,
  given: string,
): Promise<ReplayReport> {
  const policy = loadPolicy(environment);
  const path = resolve(cwd, given);
  const file = path.endsWith(".jsonl") ? path : journalFile(path);
  try {
    return await replayJournal(readJournal(file), policy.judge, policy.gatesHash);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing) return { judged: 0, same: 0, newer: 0, faults: [] };
    throw error;
  }
}

/** Where the journal is damaged, in words; null where it is intact. */
export function damageOf(check: JournalCheck): string | null {
  return check.ok ? null : describeDamage(check.problem);
}

/** Repairs the journal of this user's state. Throws where a daemon holds the state. */
export async function repairOwnState(start: StartContext): Promise<JournalRepair> {
  const { config, gatesHash } = loadPolicy(start.environment);
  return repairState({ folder: config.places.state, clock: Date.now, gates: gatesHash });
}

/** Takes a snapshot of memory and returns it: through the daemon where one runs, else in the state itself. */
export async function createSnapshot(start: StartContext, note: string): Promise<Snapshot> {
  const policy = loadPolicy(start.environment);
  await using daemon = await connectToDaemon(start, policy, "cli");
  if (daemon === null) {
    await using state = await openStateForWriting(policy);
    return state.objects.snapshot(note);
  }
  const id = await daemon.takeSnapshot(note);
  await using reader = await openStateReader(start);
  const taken = (await reader.state.objects.snapshots()).find((snapshot) => String(snapshot.id) === id);
  if (taken === undefined) throw new Error(`The daemon took snapshot ${id}, but it is not in the state.`);
  return taken;
}
