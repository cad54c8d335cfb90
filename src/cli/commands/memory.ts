import type { StartContext } from "../../settings/start-context.ts";
import { createSnapshot, openStateReader } from "../offline/read-state.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import {
  type MemoryRequest,
  runMemoryRebuild,
  runMemorySearch,
  runMemoryShow,
  runMemoryVerify,
} from "./memory-notes.ts";
import { parseOptions } from "./options.ts";
import { withAgent } from "./with-agent.ts";

const usage =
  "passepartout memory snapshot [NOTE] | history [ID] | rollback SNAPSHOT | show [ID] | search QUERY | verify | rebuild | forget ID   [--json]   (search goes by words alone; /search in a conversation also by meaning, where EMBEDDING_PROVIDER is set)";

/** Looks into memory: its snapshots and history, its nodes and roots; takes a snapshot, goes back to one, or makes the index of the notes anew. */
export async function memoryCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [verb = "", ...words] = positionals;
  const rest = words.join(" ");
  const start: StartContext = { environment: io.environment, cwd: io.cwd, version: io.version };
  const print = (value: object, text: string): void =>
    io.out(values.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  const asked: MemoryRequest = { io, start, rest, usage, print };
  switch (verb) {
    case "snapshot": {
      const snapshot = await createSnapshot(start, rest || "by hand");
      print(
        snapshot,
        `Snapshot ${snapshot.id}. passepartout memory rollback ${snapshot.id} goes back to it.`,
      );
      return exitCodes.done;
    }
    case "rollback": {
      if (!/^\d+$/.test(rest))
        throw new UsageError(`rollback needs the number of a snapshot.\nUsage: ${usage}`);
      return rollback(io, { id: rest, json: values.json });
    }
    case "forget": {
      if (rest === "")
        throw new UsageError(`forget needs the id of a note, a memory or a turn.\nUsage: ${usage}`);
      return forget(io, { id: rest, json: values.json });
    }
    case "history":
      return history(start, rest, print);
    case "show":
      return runMemoryShow(asked);
    case "search":
      return runMemorySearch(asked);
    case "verify":
      return runMemoryVerify(asked);
    case "rebuild":
      return runMemoryRebuild(asked);
    default:
      throw new UsageError(
        `memory needs one of snapshot, history, rollback, show, search, verify, rebuild, forget.\nUsage: ${usage}`,
      );
  }
}

async function rollback(
  io: Io,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<number> {
  return withAgent(io, "cli", async (daemon) => {
    const session = await daemon.openSession({ name: null, latest: true, source: "cli", own: true });
    const said = await daemon.runCommand({ kind: "rollback", id }, session);
    const text = said.kind === "turn" ? "" : said.text;
    io.out(json ? `${JSON.stringify({ snapshot: Number(id), text })}\n` : `${text}\n`);
    return said.kind === "said" && said.code === "rolled-back" ? exitCodes.done : exitCodes.failed;
  });
}

async function forget(
  io: Io,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<number> {
  return withAgent(io, "cli", async (daemon) => {
    const session = await daemon.openSession({ name: null, latest: true, source: "cli", own: true });
    const said = await daemon.runCommand({ kind: "forget", id }, session);
    const text = said.kind === "turn" ? "" : said.text;
    io.out(json ? `${JSON.stringify({ id, text })}\n` : `${text}\n`);
    return said.kind === "said" && said.code === "forgotten" ? exitCodes.done : exitCodes.failed;
  });
}

type Print = (value: object, text: string) => void;

async function history(start: StartContext, id: string, print: Print): Promise<number> {
  await using reading = await openStateReader(start);
  const { objects } = reading.state;
  if (id === "") {
    for (const snapshot of await objects.snapshots()) {
      print(
        snapshot,
        `${snapshot.id}  ${new Date(snapshot.at).toISOString()}  after change ${snapshot.sequence}  ${snapshot.note}`,
      );
    }
    return exitCodes.done;
  }
  const changes = [...(await objects.history("own", id)), ...(await objects.history("files", id))];
  for (const change of changes) {
    print(
      change,
      `${change.sequence}  ${new Date(change.at).toISOString()}  ${change.before ?? "(new)"} -> ${change.after ?? "(removed)"}`,
    );
  }
  return changes.length > 0 ? exitCodes.done : exitCodes.failed;
}
