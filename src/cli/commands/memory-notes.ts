import type { StartContext } from "../../settings/start-context.ts";
import { openNotesReader } from "../offline/read-state.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";

/** What a verb of `memory` is given: its words, and how it prints. */
export type MemoryRequest = {
  readonly io: Io;
  readonly start: StartContext;
  readonly rest: string;
  readonly usage: string;
  readonly print: (value: object, text: string) => void;
};

/** How many are found. */
const mostFound = 20;

/** Searches the notes and the agent's own memory. */
export async function runMemorySearch(verb: MemoryRequest): Promise<number> {
  if (verb.rest === "") throw new UsageError(`search needs words.\nUsage: ${verb.usage}`);
  await using reading = await open(verb);
  const found = await reading.search(verb.rest, mostFound);
  for (const one of found) {
    const [begins = ""] = one.text.split("\n");
    const title = one.from === "session" ? `${one.title}: ${begins.slice(0, 100)}` : one.title;
    verb.print(one, one.file === null ? `${one.id}  ${title}` : `${one.id}  ${title}  (${one.file})`);
  }
  if (found.length === 0) verb.io.err(`Nothing in memory has '${verb.rest}'.\n`);
  return found.length > 0 ? exitCodes.done : exitCodes.failed;
}

/** Shows a node of the notes with its text, an object of the agent's own memory, or what was said; without an id, roots and counts. */
export async function runMemoryShow(verb: MemoryRequest): Promise<number> {
  await using reading = await open(verb);
  const { notes, state } = reading;
  const objects = state?.objects ?? null;
  if (verb.rest === "") {
    const roots = { own: (await objects?.root("own")) ?? null, files: await notes.index.root() };
    const counts = { own: (await objects?.count("own")) ?? 0, files: await notes.index.count() };
    const files = await notes.index.files();
    const problems = [
      ...notes.status().problems,
      ...files.flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }])),
    ];
    const lines = [
      `own state: ${counts.own} objects, root ${roots.own ?? "none"}`,
      `files: ${counts.files} nodes of ${files.length} files in ${notes.status().folder}, root ${roots.files}`,
      ...problems.map(({ path, problem }) => `${path}: ${problem}`),
    ];
    verb.print({ roots, counts, problems }, lines.join("\n"));
    return exitCodes.done;
  }
  const node = await notes.index.resolveId(verb.rest);
  if (node !== null) {
    const text = (await notes.texts([node])).get(node.id) ?? "(encrypted, or gone: its text is not shown)";
    const { integrity, secrecy } = node.label;
    verb.print(
      { ...node, text },
      `${node.id} (${node.file}, ${integrity}, ${secrecy}) ${node.hash}\n${text}`,
    );
    return exitCodes.done;
  }
  const object = (await objects?.get("own", verb.rest)) ?? (await objects?.version(verb.rest)) ?? null;
  const said = object === null ? ((await state?.sessionMemory.get(verb.rest)) ?? null) : null;
  if (said !== null) {
    const { integrity, secrecy } = said.label;
    verb.print(
      said,
      `${said.id} (${said.speaker}, session ${said.session}, ${integrity}, ${secrecy})\n${said.text}`,
    );
    return exitCodes.done;
  }
  if (object === null) {
    verb.io.err(`There is no object ${verb.rest}. passepartout memory search finds ids.\n`);
    return exitCodes.failed;
  }
  const { integrity, secrecy } = object.label;
  verb.print(
    object,
    `${object.id} (${object.type}, ${integrity}, ${secrecy}) ${object.hash}\n${object.content}`,
  );
  return exitCodes.done;
}

/** Makes the index over the notes anew from the files, and prints its root before and after. */
export async function runMemoryRebuild(verb: MemoryRequest): Promise<number> {
  await using reading = await open(verb);
  const { notes } = reading;
  const before = await notes.index.root();
  await notes.rebuild();
  const after = await notes.index.root();
  const counts = { files: (await notes.index.files()).length, nodes: await notes.index.count() };
  const { present, folder } = notes.status();
  if (!present) {
    verb.io.err(`The notes folder ${folder} is not there. Make it, or name another in MEMEX_DIR.\n`);
    return exitCodes.failed;
  }
  const same =
    before === after ? "the same root" : "another root: the index had been otherwise than the files";
  verb.print(
    { before, after, ...counts },
    `before ${before}\nafter  ${after}\n${counts.nodes} nodes of ${counts.files} files in ${folder}, ${same}.`,
  );
  return before === after ? exitCodes.done : exitCodes.failed;
}

/** Checks the state, and the index against the files; IDs that are there twice are told, and are no failure. */
export async function runMemoryVerify(verb: MemoryRequest): Promise<number> {
  await using reading = await open(verb);
  const problems = await reading.verify();
  const duplicates = await reading.duplicates();
  verb.print(
    { ok: problems.length === 0, problems, duplicates },
    [...(problems.length === 0 ? ["Memory is whole."] : problems), ...duplicates].join("\n"),
  );
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Milliseconds after which somebody who waits is told how far it has come, and again. */
const patience = 1000;

function open({ io, start }: MemoryRequest) {
  const told = { at: performance.now() };
  return openNotesReader(
    { ...start, warn: (message) => io.err(`${message}\n`) },
    {
      progress({ done, of }) {
        if (performance.now() - told.at < patience) return;
        told.at = performance.now();
        io.err(`Indexing the notes: ${done} of ${of} files.\n`);
      },
    },
  );
}
