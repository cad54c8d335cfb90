import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { pushAll } from "../../../signal/lists.ts";
import { readWholeFile } from "../../files/contents.ts";
import { type FilePorts, isClosedPath } from "../../files/file-ports.ts";
import { newNames, type Trace, traceOf } from "../../files/private-names.ts";
import { entryIfThere } from "../../files/status-if-there.ts";
import { beyondLimit, type TreeEntry, walkTree } from "../../files/walk.ts";
import type { CommandWrites } from "../../shell/shell-ports.ts";

const mostEntries = 250_000;
/** The clock of a file system may be behind, in milliseconds. */
const clockSlack = 20;
/** How many traces are kept at once. */
const tracesAtOnce = 500;

/**
 * Looks at what a command line will write, and gives what to call once it ran: then the files that its output
 * went to have the label of the output. Where private text flowed into it, every other file of the workspace
 * that it changed is private, too, and so is what a listing, or git, tells of all that it made or changed:
 * whatever the command did to the words, they can be read back from there.
 */
export async function labelWritten(writes: CommandWrites, ports: FilePorts): Promise<() => Promise<void>> {
  const { paths, workspace, label, inputs, since = Date.now() } = writes;
  const begun = since - clockSlack;
  const before = new Map<string, Uint8Array | null>();
  const named: string[] = [];
  for (const path of paths) {
    before.set(path, await bytesOf(path));
    if (label.secrecy !== "public") pushAll(named, await newNames(path));
  }
  const there = inputs.secrecy === "public" || workspace === null ? null : await pathsBelow(workspace, ports);
  return async () => {
    if (named.length > 0) await ports.origins.names?.keep(named, label);
    for (const [path, bytes] of before) {
      const after = await readWholeFile(path);
      if (!after.ok || after.value === null) continue;
      const written = { path, before: bytes, after: after.value.bytes, label };
      await ports.origins.keep(after.value.digest, label, written);
    }
    if (there === null || workspace === null) return;
    const secrecy: Label = { ...bottomLabel, secrecy: inputs.secrecy };
    const traces = await tracesSince(begun, { workspace, there }, ports);
    for (let at = 0; at < traces.length; at += tracesAtOnce)
      await ports.origins.names?.keep(traces.slice(at, at + tracesAtOnce), secrecy);
    for await (const { path } of changedSince(begun, workspace, ports)) {
      const after = before.has(path) ? null : await readWholeFile(path);
      if (after?.ok !== true || after.value === null) continue;
      const { bytes, digest } = after.value;
      // Nothing is remembered of its words: most of them may be older.
      await ports.origins.keep(digest, secrecy, { path, before: bytes, after: bytes, label: bottomLabel });
    }
  };
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  const read = await readWholeFile(path);
  return read.ok ? (read.value?.bytes ?? null) : null;
}

async function* changedSince(begun: number, root: string, ports: FilePorts): AsyncGenerator<TreeEntry> {
  for await (const entry of entriesBelow(root, ports))
    if (entry.kind === "file" && (await changedAt(entry.via)) >= begun) yield entry;
}

function entriesBelow(
  root: string,
  ports: FilePorts,
  more: { readonly omissions?: Map<string, number>; readonly entersAll?: boolean } = {},
): AsyncGenerator<TreeEntry> {
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  return walkTree({ root, isClosed, maxEntries: mostEntries, omissions: new Map(), ...more });
}

async function pathsBelow(root: string, ports: FilePorts): Promise<ReadonlySet<string>> {
  const paths = new Set([root]);
  for await (const { path } of entriesBelow(root, ports, { entersAll: true })) paths.add(path);
  return paths;
}

type Before = { readonly workspace: string; readonly there: ReadonlySet<string> };

/**
 * The traces of what was made or changed. What is in a folder that was made is told by that; where not all
 * could be looked at, the whole workspace counts as made.
 */
async function tracesSince(
  begun: number,
  { workspace, there }: Before,
  ports: FilePorts,
): Promise<readonly string[]> {
  const traces: string[] = [];
  const omissions = new Map<string, number>();
  const folders = new Set<string>();
  const add = async (trace: Trace, path: string): Promise<void> => {
    const status = await entryIfThere(path);
    if (status !== null) traces.push(traceOf(trace, status));
  };
  for await (const { path, via, kind } of entriesBelow(workspace, ports, { omissions, entersAll: true })) {
    if (kind === "folder" && path.endsWith("/.git")) folders.add(path);
    if (path.endsWith("/HEAD")) folders.add(dirname(path));
    if (there.has(path)) {
      if ((await changedAt(via)) >= begun) await add("changed", via);
    } else if (there.has(dirname(path))) await add("made", via);
  }
  for (const folder of folders) if (await isRepositoryChanged(folder, begun)) await add("repository", folder);
  if (omissions.has(beyondLimit(mostEntries))) await add("made", workspace);
  return traces;
}

/** Whether anything of a repository changed; of its objects, each folder tells that. */
async function isRepositoryChanged(folder: string, begun: number): Promise<boolean> {
  const below = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  // What cannot be listed may have changed.
  if (below === null) return true;
  const isObject = (entry: (typeof below)[number]): boolean =>
    !entry.isDirectory() && join(entry.parentPath, "/").startsWith(join(folder, "objects", "/"));
  for (const entry of below)
    if (!isObject(entry) && (await changedAt(join(entry.parentPath, entry.name))) >= begun) return true;
  return (await changedAt(folder)) >= begun;
}

async function changedAt(path: string): Promise<number> {
  return (await entryIfThere(path))?.ctimeMs ?? 0;
}
