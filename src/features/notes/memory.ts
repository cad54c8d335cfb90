import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { createSnapshot, openStateReader } from "../../program/read-state.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { warnOfLostNotes } from "../../program/warn-of-folders.ts";
import { withAgent } from "../../program/with-agent.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatTime, type LocalNow } from "../../text/format-time.ts";
import { memorySpec } from "./command-specs.ts";
import { type FileHistoryEntry, fileHistory } from "./file-history.ts";
import {
  type MemoryRequest,
  runMemoryRebuild,
  runMemorySearch,
  runMemoryShow,
  runMemoryVerify,
} from "./memory-notes.ts";
import { runMemoryWhy } from "./memory-why.ts";
import { runForget } from "./run-forget.ts";

/** Shows, searches and verifies memory; takes a snapshot or goes back to one; rebuilds the notes index; forgets. */
export async function memoryCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, memorySpec);
  const rest = words.join(" ");
  const start: StartContext = { environment: io.environment, cwd: io.cwd, version: io.version };
  const print = (value: object, text: string): void =>
    io.out(values.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  const request: MemoryRequest = { io, start, rest, print };
  if (verb === "snapshot" || verb === "rollback" || verb === "forget")
    await warnOfLostNotes(makeStartContext(io));
  switch (verb) {
    case "snapshot":
      return takeSnapshot(request);
    case "rollback":
      if (!/^\d+$/.test(rest)) {
        throw usageError("rollback needs the number of a snapshot; memory history lists them.", memorySpec);
      }
      return rollback(io, { id: rest, json: values.json });
    case "forget":
      return runForget(request, values);
    case "why":
      return runMemoryWhy(request);
    case "history":
      return printHistory(request);
    case "show":
      return runMemoryShow(request);
    case "search":
      return runMemorySearch(request);
    case "verify":
      return runMemoryVerify(request);
    case "rebuild":
      return runMemoryRebuild(request);
  }
}

async function takeSnapshot({ start, rest, print }: MemoryRequest): Promise<number> {
  const snapshot = await createSnapshot(start, rest || "by hand");
  print(snapshot, `Snapshot ${snapshot.id}. To go back to it: passepartout memory rollback ${snapshot.id}`);
  return exitCodes.done;
}

async function rollback(
  io: Io,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<number> {
  return withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const reply = await agent.runCommand({ kind: "rollback", id }, session);
    const text = reply.kind === "turn" ? "" : reply.text;
    io.out(json ? `${JSON.stringify({ snapshot: Number(id), text })}\n` : `${text}\n`);
    return reply.kind === "said" && reply.code === "rolled-back" ? exitCodes.done : exitCodes.failed;
  });
}

/** Lists the snapshots, or the changes of one object or file. */
async function printHistory({ io, start, rest: id, print }: MemoryRequest): Promise<number> {
  await using reader = await openStateReader(start);
  const { objects } = reader.state;
  if (id === "") {
    for (const snapshot of await objects.snapshots()) {
      const at = formatTime(snapshot.at, localNow());
      print(snapshot, `${snapshot.id}  ${at}  after change ${snapshot.sequence}  ${snapshot.note}`);
    }
    return exitCodes.done;
  }
  const changes = [...(await objects.history("own", id)), ...(await objects.history("files", id))];
  for (const change of changes) {
    const at = formatTime(change.at, localNow());
    print(change, `${change.sequence}  ${at}  ${change.before ?? "(new)"} -> ${change.after ?? "(removed)"}`);
  }
  const ofFile = changes.length > 0 ? [] : await fileHistory(start, reader.state, id);
  for (const entry of ofFile) print(entry, formatEntry(entry));
  if (changes.length + ofFile.length === 0) {
    io.err(`There are no changes of '${id}'. Find IDs with: passepartout memory search WORDS\n`);
  }
  return changes.length + ofFile.length > 0 ? exitCodes.done : exitCodes.failed;
}

function localNow(): LocalNow {
  return { now: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
}

function formatEntry({ number, change, undone, session, turn }: FileHistoryEntry): string {
  const time = turn === null ? "" : `  ${formatTime(turn.at, localNow())}`;
  const said = turn === null ? "by an undo" : `"${beginOf(turn.words, 80).replaceAll(/\s+/g, " ")}"`;
  const since = undone ? ", undone since" : "";
  return escapeInvisible(`${number}${time}  ${change}${since}  (session ${session}, ${said})`);
}
