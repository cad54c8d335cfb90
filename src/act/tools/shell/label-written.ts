import type { Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, joinLabels, type Label, secrecyOf } from "../../../signal/label.ts";
import type { KeptWrites, UnlabelledWrites } from "../../../signal/unlabelled-writes.ts";
import { pushAll } from "../../../text/lists.ts";
import { readWholeFile } from "../../files/contents.ts";
import { type FilePorts, isClosedPath } from "../../files/file-ports.ts";
import { newNames, type Trace, traceOf } from "../../files/private-names.ts";
import { entryIfThere, isFolderThere } from "../../files/status-if-there.ts";
import { beyondLimit, type TreeEntry, walkTree } from "../../files/walk.ts";
import type { CommandWrites } from "../../shell/shell-ports.ts";

const mostEntries = 250_000;
/** The clock of a file system may be behind, in milliseconds. */
const clockSlack = 20;
/** How many traces are kept at once. */
const tracesAtOnce = 500;
/** Milliseconds within which all that a line changed is in its place once it has ended. */
const placing = 3_600_000;
/** More folders are not kept for the case of a kill. */
const mostFolders = 20_000;

type LabelPorts = Pick<FilePorts, "folders" | "isSecretPath" | "origins">;

/**
 * Looks at what a command line will write, and gives what to call once it ran: then the files that its output
 * went to have the label of the output. Where private text flowed into it, every other file of the workspace
 * that it changed is private, too, and so is what a listing, or git, tells of all that it made or changed:
 * whatever the command did to the words, they can be read back from there. Until then the line is kept on the
 * disk, so that all this is done after a kill.
 */
export async function labelWritten(writes: CommandWrites, ports: LabelPorts): Promise<() => Promise<void>> {
  const { paths, workspace, label, inputs, since = Date.now(), milliseconds } = writes;
  const begun = since - clockSlack;
  const outputs = new Map<string, Uint8Array | null>();
  const named: string[] = [];
  for (const path of paths) {
    outputs.set(path, await bytesOf(path));
    if (label.secrecy !== "public") pushAll(named, await newNames(path));
  }
  if (named.length > 0) await ports.origins.names?.keep(named, label);
  const isTold = inputs.secrecy !== "public" && workspace !== null;
  const there = isTold ? await treeBelow(workspace, ports) : null;
  const wasThere = (path: string): boolean => there?.paths.has(path) === true;
  const until = milliseconds === undefined ? null : Date.now() + milliseconds + placing;
  const labelNotes = workspace === null ? null : await ports.origins.watchNotes?.([workspace]);
  const kept = await keepWrites({ ...writes, begun, until, outputs, folders: there?.folders ?? [] }, ports);
  return async () => {
    await labelOutputs({ outputs, label, begun }, ports);
    if (isTold) await labelMade({ workspace, inputs, begun, until: null, wasThere, outputs }, ports);
    await labelNotes?.({ ...joinLabels(label, inputs), secrecy: inputs.secrecy });
    if (kept !== null) await ports.origins.unlabelled?.drop(kept);
  };
}

type Keeping = Pick<CommandWrites, "workspace" | "label" | "inputs"> &
  Pick<UnlabelledWrites, "begun" | "until" | "folders"> & {
    readonly outputs: ReadonlyMap<string, Uint8Array | null>;
  };

/** Keeps a line that may make something which is not public; null for any other. */
async function keepWrites(
  { workspace, label, inputs, begun, until, outputs, folders }: Keeping,
  { origins }: LabelPorts,
): Promise<string | null> {
  const isPublic = inputs.secrecy === "public" && (label.secrecy === "public" || outputs.size === 0);
  if (isPublic || origins.unlabelled === undefined) return null;
  return origins.unlabelled.keep({
    workspace,
    outputs: [...outputs].map(([path, bytes]) => ({ path, wasThere: bytes !== null })),
    label,
    inputs,
    begun,
    until,
    folders: folders.length > mostFolders ? [] : folders,
  });
}

/**
 * Labels what the lines made in whose midst the agent was killed. Which files were there before is not known,
 * so the name of each that changed counts as theirs. What changed later than they can have run is the
 * owner's.
 */
export async function labelLeft(kept: KeptWrites, ports: LabelPorts): Promise<void> {
  for (const { id, item } of await kept.all()) {
    const { workspace, label, inputs } = item;
    const folders = new Set(item.folders);
    const outputs = new Map(item.outputs.map(({ path, wasThere }) => [path, wasThere ? undefined : null]));
    await labelOutputs({ outputs, label, begun: item.begun }, ports);
    const wasThere: Made["wasThere"] = (path, kind, changed) =>
      kind === "folder" ? path === workspace || folders.has(path) : changed < item.begun;
    if (inputs.secrecy !== "public" && workspace !== null && (await isFolderThere(workspace)))
      await labelMade({ ...item, workspace, wasThere, outputs }, ports);
    await kept.drop(id);
  }
}

/** What each file held before: null where it was not there, undefined where nobody knows that any more. */
type Outputs = ReadonlyMap<string, Uint8Array | null | undefined>;

type Written = Pick<UnlabelledWrites, "begun" | "label"> & { readonly outputs: Outputs };

/**
 * Labels the files that the output of a line went to, or that it wrote by its words, and the words that it
 * brought there; of folders all files below that it changed.
 */
async function labelOutputs({ outputs, label, begun }: Written, ports: LabelPorts): Promise<void> {
  for (const [path, before] of outputs) {
    const after = await readWholeFile(path);
    if (after.ok && after.value !== null) await labelOne({ path, ...after.value, before }, label, ports);
    if (!(await isFolderThere(path))) continue;
    for await (const entry of entriesBelow(path, ports)) {
      const changed = entry.kind === "file" && (await changedAt(entry.via)) >= begun;
      const below = changed ? await readWholeFile(entry.path) : null;
      if (below?.ok === true && below.value !== null)
        await labelOne({ path: entry.path, ...below.value, before: null }, label, ports);
    }
  }
}

type WrittenFile = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly before: Uint8Array | null | undefined;
};

async function labelOne(
  { path, bytes, digest, before }: WrittenFile,
  label: Label,
  ports: LabelPorts,
): Promise<void> {
  const written = before === undefined ? { before: bytes, label: bottomLabel } : { before, label };
  const kept = before === null || before === undefined ? null : await labelOfKept(before, bytes, ports);
  const whole = kept === null ? label : joinLabels(label, kept);
  await ports.origins.keep(digest, whole, { path, after: bytes, ...written });
}

/**
 * The label of what a file held before, where its bytes are still there and more came behind them; null
 * elsewhere.
 */
async function labelOfKept(
  before: Uint8Array,
  after: Uint8Array,
  { origins }: LabelPorts,
): Promise<Label | null> {
  if (before.length === 0 || Buffer.compare(after.subarray(0, before.length), before) !== 0) return null;
  return origins.of([sha256(before)]);
}

type Made = Pick<UnlabelledWrites, "begun" | "until" | "inputs"> & {
  readonly workspace: string;
  readonly wasThere: (path: string, kind: TreeEntry["kind"], changed: number) => boolean;
  /** The files that the output went to, which have its label. */
  readonly outputs: Outputs;
};

async function labelMade(made: Made, ports: LabelPorts): Promise<void> {
  const secrecy = secrecyOf([made.inputs]);
  const traces = await tracesSince(made, ports);
  for (let at = 0; at < traces.length; at += tracesAtOnce)
    await ports.origins.names?.keep(traces.slice(at, at + tracesAtOnce), secrecy);
  for await (const { path } of changedFiles(made, ports)) {
    const after = made.outputs.has(path) ? null : await readWholeFile(path);
    if (after?.ok !== true || after.value === null) continue;
    const { bytes, digest } = after.value;
    // Nothing is remembered of its words: most of them may be older.
    await ports.origins.keep(digest, secrecy, { path, before: bytes, after: bytes, label: bottomLabel });
  }
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  const read = await readWholeFile(path);
  return read.ok ? (read.value?.bytes ?? null) : null;
}

async function* changedFiles(made: Made, ports: LabelPorts): AsyncGenerator<TreeEntry> {
  for await (const entry of entriesBelow(made.workspace, ports))
    if (entry.kind === "file" && isWithin(await changedAt(entry.via), made)) yield entry;
}

function isWithin(time: number, { begun, until }: Pick<Made, "begun" | "until">): boolean {
  return time >= begun && time <= (until ?? Infinity);
}

function entriesBelow(
  root: string,
  ports: LabelPorts,
  more: { readonly omissions?: Map<string, number>; readonly entersAll?: boolean } = {},
): AsyncGenerator<TreeEntry> {
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  return walkTree({ root, isClosed, maxEntries: mostEntries, omissions: new Map(), ...more });
}

type Tree = { readonly paths: ReadonlySet<string>; readonly folders: readonly string[] };

async function treeBelow(workspace: string, ports: LabelPorts): Promise<Tree> {
  const paths = new Set([workspace]);
  const folders = [workspace];
  for await (const { path, kind } of entriesBelow(workspace, ports, { entersAll: true })) {
    paths.add(path);
    if (kind === "folder") folders.push(path);
  }
  return { paths, folders };
}

/**
 * The traces of what was made or changed. What is in a folder that was made is told by that; where not all
 * could be looked at, the whole workspace counts as made.
 */
async function tracesSince(made: Made, ports: LabelPorts): Promise<readonly string[]> {
  const { workspace, begun, wasThere } = made;
  const traces: string[] = [];
  const omissions = new Map<string, number>();
  const repositories = new Set<string>();
  const add = (trace: Trace, status: Stats | null): void => {
    if (status !== null) traces.push(traceOf(trace, status));
  };
  for await (const { path, via, kind } of withRoot(workspace, ports, omissions)) {
    if (kind === "folder" && path.endsWith("/.git")) repositories.add(path);
    if (path.endsWith("/HEAD")) repositories.add(dirname(path));
    const status = await entryIfThere(via);
    const changed = status?.ctimeMs ?? 0;
    if (wasThere(path, kind, changed)) {
      if (isWithin(changed, made)) add("changed", status);
      continue;
    }
    // A folder changes with what is put into it later, so of one that was made the making counts.
    const time = kind === "folder" ? (status?.birthtimeMs ?? 0) : changed;
    if (wasThere(dirname(path), "folder", 0) && time <= (made.until ?? Infinity)) add("made", status);
  }
  for (const folder of repositories)
    if (await isRepositoryChanged(folder, begun)) add("repository", await entryIfThere(folder));
  if (omissions.has(beyondLimit(mostEntries))) add("made", await entryIfThere(workspace));
  return traces;
}

/** All entries of a folder, with itself: it has a time, a mode and attributes like those below. */
async function* withRoot(
  root: string,
  ports: LabelPorts,
  omissions: Map<string, number>,
): AsyncGenerator<Pick<TreeEntry, "path" | "via" | "kind">> {
  yield { path: root, via: root, kind: "folder" };
  yield* entriesBelow(root, ports, { omissions, entersAll: true });
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
