import type { StartContext } from "../../settings/start-context.ts";
import { createSnapshot, openStateReader } from "../offline/read-state.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import {
  type MemoryRequest,
  runMemoryRebuild,
  runMemorySearch,
  runMemoryShow,
  runMemoryVerify,
} from "./memory-notes.ts";
import { parseOptions } from "./options.ts";
import { withAgent } from "./with-agent.ts";

const usage = `passepartout memory snapshot [NOTE] | history [ID] | rollback SNAPSHOT | show [ID] | search QUERY | verify | rebuild | forget ID   [--json]
  snapshot [NOTE]    takes a snapshot of memory and files, to go back to
  history [ID]       lists the snapshots, or the changes of an object or a file
  rollback SNAPSHOT  takes memory and files back to a snapshot; this can itself be undone
  show [ID]          prints a note, a memory or a message; without ID, a summary
  search QUERY       searches the notes and all that was said, by words, and by meaning if EMBEDDING_PROVIDER is set
  verify             checks the database, and the notes index against the files
  rebuild            rebuilds the notes index from the files
  forget ID          deletes for good what was kept of a note, a memory or a turn; your own file stays
  --json             prints JSON
Exit codes: 0 done, 1 nothing found, or damaged, or it could not be done, 2 wrong usage.`;

const verbs = ["snapshot", "history", "rollback", "show", "search", "verify", "rebuild", "forget"];

/** Shows, searches and verifies memory; takes a snapshot or goes back to one; rebuilds the notes index; forgets. */
export async function memoryCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [verb = "", ...words] = positionals;
  const rest = words.join(" ");
  const start: StartContext = { environment: io.environment, cwd: io.cwd, version: io.version };
  const print = (value: object, text: string): void =>
    io.out(values.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  const request: MemoryRequest = { io, start, rest, usage, print };
  switch (verb) {
    case "snapshot":
      return takeSnapshot(request);
    case "rollback":
      if (!/^\d+$/.test(rest)) {
        throw usageError("rollback needs the number of a snapshot; memory history lists them.", usage);
      }
      return rollback(io, { id: rest, json: values.json });
    case "forget":
      if (rest === "") throw usageError("forget needs the ID of a note, a memory or a turn.", usage);
      return forget(io, { id: rest, json: values.json });
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
    default:
      throw usageError(`memory needs one of ${verbs.join(", ")}.`, usage);
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

async function forget(
  io: Io,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<number> {
  return withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const reply = await agent.runCommand({ kind: "forget", id }, session);
    const text = reply.kind === "turn" ? "" : reply.text;
    io.out(json ? `${JSON.stringify({ id, text })}\n` : `${text}\n`);
    return reply.kind === "said" && reply.code === "forgotten" ? exitCodes.done : exitCodes.failed;
  });
}

/** Lists the snapshots, or the changes of one object or file. */
async function printHistory({ io, start, rest: id, print }: MemoryRequest): Promise<number> {
  await using reader = await openStateReader(start);
  const { objects } = reader.state;
  if (id === "") {
    for (const snapshot of await objects.snapshots()) {
      const at = new Date(snapshot.at).toISOString();
      print(snapshot, `${snapshot.id}  ${at}  after change ${snapshot.sequence}  ${snapshot.note}`);
    }
    return exitCodes.done;
  }
  const changes = [...(await objects.history("own", id)), ...(await objects.history("files", id))];
  for (const change of changes) {
    const at = new Date(change.at).toISOString();
    print(change, `${change.sequence}  ${at}  ${change.before ?? "(new)"} -> ${change.after ?? "(removed)"}`);
  }
  if (changes.length === 0) {
    io.err(`There are no changes of '${id}'. Find IDs with: passepartout memory search WORDS\n`);
  }
  return changes.length > 0 ? exitCodes.done : exitCodes.failed;
}
