import { openReading, type Start, takeSnapshot } from "../daemon.ts";
import { exits, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { withDaemon } from "./with-daemon.ts";

const usage =
  "passepartout memory snapshot [NOTE] | history [ID] | rollback SNAPSHOT | show [ID] | search QUERY | verify   [--json]";

/** Looks into memory: its snapshots and history, its nodes and roots; takes a snapshot, or goes back to one. */
export async function memory(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [verb = "", ...words] = positionals;
  const rest = words.join(" ");
  const start: Start = { environment: io.environment, cwd: io.cwd, version: io.version };
  const print = (value: object, text: string): void =>
    io.out(values.json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  switch (verb) {
    case "snapshot": {
      const snapshot = await takeSnapshot(start, rest || "by hand");
      print(
        snapshot,
        `Snapshot ${snapshot.id}. passepartout memory rollback ${snapshot.id} goes back to it.`,
      );
      return exits.done;
    }
    case "rollback": {
      if (!/^\d+$/.test(rest))
        throw new UsageError(`rollback needs the number of a snapshot.\nUsage: ${usage}`);
      return rollback(io, { id: rest, json: values.json });
    }
    case "history":
      return history(start, rest, print);
    case "show":
      return show(io, start, rest, print);
    case "search": {
      if (rest === "") throw new UsageError(`search needs words.\nUsage: ${usage}`);
      await using reading = await openReading(start);
      const found = await reading.state.objects.search(rest, 20);
      for (const object of found) print(object, `${object.id}  ${object.content.split("\n")[0] ?? ""}`);
      if (found.length === 0) io.err(`Nothing in memory has '${rest}'.\n`);
      return found.length > 0 ? exits.done : exits.failed;
    }
    case "verify": {
      await using reading = await openReading(start);
      const problems = await reading.state.verify();
      print(
        { ok: problems.length === 0, problems },
        problems.length === 0 ? "Memory is whole." : problems.join("\n"),
      );
      return problems.length === 0 ? exits.done : exits.failed;
    }
    default:
      throw new UsageError(
        `memory needs one of snapshot, history, rollback, show, search, verify.\nUsage: ${usage}`,
      );
  }
}

async function rollback(
  io: Io,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<number> {
  return withDaemon(io, "cli", async (daemon) => {
    const session = await daemon.openSession({ name: null, latest: true, source: "cli" });
    const said = await daemon.obey({ kind: "rollback", id }, session);
    const text = said.kind === "turn" ? "" : said.text;
    io.out(json ? `${JSON.stringify({ snapshot: Number(id), text })}\n` : `${text}\n`);
    return said.kind === "said" && said.code === "rolled-back" ? exits.done : exits.failed;
  });
}

type Print = (value: object, text: string) => void;

async function history(start: Start, id: string, print: Print): Promise<number> {
  await using reading = await openReading(start);
  const { objects } = reading.state;
  if (id === "") {
    for (const snapshot of await objects.snapshots()) {
      print(
        snapshot,
        `${snapshot.id}  ${new Date(snapshot.at).toISOString()}  after change ${snapshot.sequence}  ${snapshot.note}`,
      );
    }
    return exits.done;
  }
  const changes = [...(await objects.history("own", id)), ...(await objects.history("files", id))];
  for (const change of changes) {
    print(
      change,
      `${change.sequence}  ${new Date(change.at).toISOString()}  ${change.before ?? "(new)"} -> ${change.after ?? "(removed)"}`,
    );
  }
  return changes.length > 0 ? exits.done : exits.failed;
}

async function show(io: Io, start: Start, id: string, print: Print): Promise<number> {
  await using reading = await openReading(start);
  const { objects } = reading.state;
  if (id === "") {
    const roots = { own: await objects.root("own"), files: await objects.root("files") };
    const counts = { own: await objects.count("own"), files: await objects.count("files") };
    print(
      { roots, counts },
      `own state: ${counts.own} objects, root ${roots.own}\nfiles: ${counts.files} objects, root ${roots.files}`,
    );
    return exits.done;
  }
  const object =
    (await objects.get("own", id)) ?? (await objects.get("files", id)) ?? (await objects.version(id));
  if (object === null) {
    io.err(`There is no object ${id}. passepartout memory search finds ids.\n`);
    return exits.failed;
  }
  print(
    object,
    `${object.id} (${object.type}, ${object.label.integrity}, ${object.label.secrecy}) ${object.hash}\n${object.content}`,
  );
  return exits.done;
}
