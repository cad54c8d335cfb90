import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { type FilesDone, type NotesReader, openNotesReader } from "../../program/open-notes-reader.ts";
import { showProgress } from "../../program/show-progress.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Label } from "../../signal/label.ts";
import { countOf } from "../../text/count-of.ts";
import { formatFound } from "../../text/format-found.ts";

/** What a verb of `memory` works with: its words, and how it prints. */
export type MemoryRequest = {
  readonly io: Io;
  readonly start: StartContext;
  /** The words after the verb. */
  readonly rest: string;
  readonly print: (value: object, text: string) => void;
};

/** Number of results that a search prints at most. */
const mostResults = 20;

/** Searches the notes and the agent's own memory. */
export async function runMemorySearch(request: MemoryRequest): Promise<number> {
  await using reader = await openReader(request);
  const results = await reader.search(request.rest, mostResults);
  for (const result of results) {
    request.print(result, formatFound(result));
  }
  if (results.length === 0) request.io.err(`Nothing in memory matches '${request.rest}'.\n`);
  return results.length > 0 ? exitCodes.done : exitCodes.failed;
}

/** Shows a note with its text, an object of the agent's own memory, or a message; without an ID, the roots and counts. */
export async function runMemoryShow(request: MemoryRequest): Promise<number> {
  await using reader = await openReader(request);
  if (request.rest === "") return showSummary(request, reader);
  if ((await showNote(request, reader)) || (await showObject(request, reader))) return exitCodes.done;
  if (await showMessage(request, reader)) return exitCodes.done;
  request.io.err(
    `There is nothing in memory with the ID ${request.rest}. Find IDs with: passepartout memory search WORDS\n`,
  );
  return exitCodes.failed;
}

async function showSummary({ print }: MemoryRequest, { notes, state }: NotesReader): Promise<number> {
  const objects = state?.objects ?? null;
  const roots = { own: (await objects?.root("own")) ?? null, files: await notes.index.root() };
  const counts = { own: (await objects?.count("own")) ?? 0, files: await notes.index.count() };
  const files = await notes.index.files();
  const { lost, problems: skipped } = notes.status();
  const problems = [
    ...skipped.filter((one) => !lost.includes(one)),
    ...files.flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }])),
  ];
  const lines = [
    `own memory: ${counts.own} objects, root ${roots.own ?? "none"}`,
    `notes: ${countOf(counts.files, "node")} in ${countOf(files.length, "file")} of ${notes.status().folders.join(", ")}, root ${roots.files}`,
    ...problems.map(({ path, problem }) => `${path}: ${problem}`),
  ];
  print({ roots, counts, problems }, lines.join("\n"));
  return exitCodes.done;
}

/** Prints the note with this ID; false if there is none. */
async function showNote({ rest: id, print }: MemoryRequest, { notes }: NotesReader): Promise<boolean> {
  const node = await notes.index.resolveId(id);
  if (node === null) return false;
  const text = (await notes.shownTexts([node])).get(node.id) ?? "(The text is encrypted, or gone.)";
  print({ ...node, text }, `${node.id} (${node.file}, ${formatLabel(node.label)}) ${node.hash}\n${text}`);
  return true;
}

/** Prints the object of the agent's own memory with this ID or hash; false if there is none. */
async function showObject({ rest: id, print }: MemoryRequest, { state }: NotesReader): Promise<boolean> {
  const objects = state?.objects;
  const object = (await objects?.get("own", id)) ?? (await objects?.version(id)) ?? null;
  if (object === null) return false;
  print(
    object,
    `${object.id} (${object.type}, ${formatLabel(object.label)}) ${object.hash}\n${object.content}`,
  );
  return true;
}

/** Prints the message of a session with this ID; false if there is none. */
async function showMessage({ rest, print }: MemoryRequest, { state }: NotesReader): Promise<boolean> {
  const id = rest.replace(/^said:/, "");
  const message = (await state?.sessionMemory.get(id)) ?? null;
  if (message === null) return false;
  print(
    message,
    `${message.id} (${message.speaker}, session ${message.session}, ${formatLabel(message.label)})\n${message.text}`,
  );
  return true;
}

function formatLabel({ integrity, secrecy, sources }: Label): string {
  const from = sources.map(({ id, path }) => `${id}${path}`).join(" ");
  return `${integrity}, ${secrecy}${from === "" ? "" : `, from ${from}`}`;
}

/** Rebuilds the notes index from the files, and prints its root before and after. */
export async function runMemoryRebuild(request: MemoryRequest): Promise<number> {
  const progress = showProgress(request.io);
  await using reader = await openReader(request, progress);
  const { notes } = reader;
  if (await notes.isAnyGone()) {
    request.io.err("The index stays as it is.\n");
    return exitCodes.failed;
  }
  const before = await notes.index.root();
  await notes.rebuild().finally(progress.end);
  const after = await notes.index.root();
  const counts = { files: (await notes.index.files()).length, nodes: await notes.index.count() };
  if (!notes.status().present) return exitCodes.failed;
  const comparison =
    before === after ? "the same root" : "another root: the index did not match the files, and does now";
  request.print(
    { before, after, ...counts },
    `before ${before}\nafter  ${after}\n${countOf(counts.nodes, "node")} in ${countOf(counts.files, "file")} of ${notes.status().folders.join(", ")}, ${comparison}.`,
  );
  return before === after ? exitCodes.done : exitCodes.failed;
}

/** Checks the state, and the notes index against the files. IDs that exist twice are reported, but are not a failure. */
export async function runMemoryVerify(request: MemoryRequest): Promise<number> {
  const progress = showProgress(request.io);
  await using reader = await openReader(request, progress);
  const checked = ({ done, of }: FilesDone): void => progress.update("Checking the notes", done, of);
  const problems = await reader.verify(checked).finally(progress.end);
  const duplicates = await reader.duplicates();
  const lines = problems.length === 0 ? ["Memory is intact."] : problems;
  request.print({ ok: problems.length === 0, problems, duplicates }, lines.concat(duplicates).join("\n"));
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Opens the notes, and shows the progress of indexing if that takes long. */
function openReader({ io, start }: MemoryRequest, progress = showProgress(io)): Promise<NotesReader> {
  const warn = (message: string): void => io.err(`passepartout: ${message}\n`);
  const update = ({ done, of }: FilesDone): void => progress.update("Indexing the notes", done, of);
  return openNotesReader({ ...start, warn }, { progress: update }).finally(progress.end);
}
