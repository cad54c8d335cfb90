import type { Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { notesFolders } from "../../signal/facts.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { isInside } from "../../text/is-inside.ts";
import { type FilePorts, isClosedPath, type KnownNames, labelOfAttached, labelOfPath } from "./file-ports.ts";
import { namesIfThere } from "./names-if-there.ts";
import { followLinks } from "./real-path.ts";
import { entryIfThere, statusIfThere } from "./status-if-there.ts";
import { beyondLimit, walkTree } from "./walk.ts";

const usualEntries = 20_000;
/** How many folders of a path are looked for. */
const mostFolders = 64;

/** The names in a path that nothing has yet: its own, and those of folders that would be made for it. */
export async function newNames(path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let at = path; at !== "/" && names.length < mostFolders; at = dirname(at)) {
    if ((await entryIfThere(at)) !== null) break;
    names.push(basename(at));
  }
  return names;
}

/**
 * What a command may have told by an entry, beside its contents. `made`: by its name, where it stands and
 * where it leads; `changed`: by its size, times and mode; `repository`: by all that git keeps in it.
 */
export type Trace = "made" | "changed" | "repository";

/** A trace as it is remembered: by the entry itself, under whatever name, and as no file is called. */
export function traceOf(trace: Trace, { ino, birthtimeMs }: Pick<Stats, "ino" | "birthtimeMs">): string {
  return `${trace}/${ino}/${birthtimeMs}`;
}

/** An entry as a look found it. */
export type FoundEntry = Pick<Stats, "ino" | "birthtimeMs"> & { readonly name: string };

/** Entries, as many at once as lie in one folder. */
export type FoundEntries = AsyncIterable<readonly FoundEntry[]>;

/** What is told of a path. */
export type Listing = {
  readonly path: string;
  /** Whether all below it is told. */
  readonly tree: boolean;
  /** The path before its links were followed. Default: it has none. */
  readonly written?: string;
  readonly maxEntries?: number;
  /** All entries below it, where somebody just looked. Default: they are looked for. */
  readonly found?: FoundEntries;
  /** What is told of its entries. Default: their names. */
  readonly shows?: readonly Trace[];
  /**
   * The names in it; those of the path itself; or only where its links lead, since it was named. Default:
   * entries.
   */
  readonly tells?: "entries" | "path" | "links";
};

/**
 * The label of what is told of files beside their contents: names that were made from text that is not
 * public, or of what is attached to such a note, tell it, and so does an entry with a trace. With too many
 * entries to look at, private.
 */
export async function labelOfNames(listing: Listing, ports: FilePorts): Promise<Label> {
  return joinLabels(await labelOfKnownNames(listing, ports), await labelOfAttachedNames(listing, ports));
}

/**
 * The label of the names of what is attached to notes: of a folder that is, and of those below it where all
 * of them are told.
 */
async function labelOfAttachedNames(
  { path, tree, tells = "entries", maxEntries = usualEntries }: Listing,
  ports: FilePorts,
): Promise<Label> {
  const labels = [await labelOfAttached([path], ports)];
  const isClosed = (inside: string): boolean => isClosedPath(ports, inside);
  const notes = tree && tells === "entries" ? notesFolders(ports.folders) : [];
  for (const root of notes.flatMap((folder) => overlapOf(path, folder))) {
    const walk = walkTree({ root, isClosed, maxEntries, omissions: new Map(), entersAll: true });
    for await (const entry of walk)
      if (entry.kind === "folder") labels.push(await labelOfAttached([entry.path], ports));
  }
  return joinAll(labels);
}

/** The one of two folders that is in the other. */
function overlapOf(one: string, other: string): readonly string[] {
  if (isInside(one, other)) return [other];
  return isInside(other, one) ? [one] : [];
}

async function labelOfKnownNames(listing: Listing, ports: FilePorts): Promise<Label> {
  const known = await ports.origins.names?.known();
  if (known === undefined || known.isEmpty) return bottomLabel;
  const { path: root, tree, found, shows = ["made"], tells = "entries" } = listing;
  const labelOfEntry = async (path: string, via: string): Promise<Label> => {
    const traced = await labelOfTraces(via, shows, known);
    return shows.includes("made") ? joinLabels(known.labelOf(basename(path)), traced) : traced;
  };
  const place = await labelOfPlace(listing, known);
  if (tells === "path") return joinLabels(place, known.labelOf(basename(root)));
  if (tells === "links") return place;
  if (found !== undefined) return joinLabels(place, await labelOfFound(found, shows, known));
  if (tree) return joinLabels(place, await labelOfTree(listing, ports, labelOfEntry));
  const entries = (await namesIn(root)).map((name) => join(root, name));
  return joinAll([place, ...(await Promise.all(entries.map((path) => labelOfEntry(path, path))))]);
}

async function labelOfFound(found: FoundEntries, shows: readonly Trace[], known: KnownNames): Promise<Label> {
  let label = bottomLabel;
  for await (const entries of found)
    for (const entry of entries) {
      const tells = shows.map((trace) => traceOf(trace, entry));
      if (shows.includes("made")) tells.push(entry.name);
      label = joinAll([label, ...tells.map(known.labelOf)]);
    }
  return label;
}

/** The port to `labelOfNames`. */
export type NameLabels = { readonly labelOfNames?: (listing: Listing) => Promise<Label> };

/** Words of a call that are looked at as paths, and characters of one. */
const most = { words: 1_000, characters: 4_096 };

/** The label of where words lead that are paths with links. Of too many, private. */
export async function labelOfLinks(
  words: Iterable<string>,
  { labelOfNames: labelOf, cwd, home }: NameLabels & { readonly cwd: string; readonly home: string },
): Promise<Label> {
  if (labelOf === undefined) return bottomLabel;
  const paths = new Set<string>();
  for (const word of words) {
    const isPath = word !== "" && word.length <= most.characters && !/[\0\n]/.test(word);
    if (isPath) paths.add(absolute(word, cwd, home));
  }
  if (paths.size > most.words) return { ...bottomLabel, secrecy: "private" };
  const labels: Label[] = [];
  for (const path of paths) labels.push(await labelOf({ path, tree: false, tells: "links" }));
  return joinAll(labels);
}

function absolute(typed: string, cwd: string, home: string): string {
  return resolve(
    cwd,
    typed.replace(/^~(?=\/)/, () => home),
  );
}

/**
 * The label of a path as `labelOfPath` gives it, with that of the links by which a typed path led there, and
 * of a repository that it is in.
 */
export async function labelOfTyped(
  typed: string,
  path: string,
  workspace: string | null,
  ports: FilePorts,
): Promise<Label> {
  const written = absolute(typed, workspace ?? "/", ports.folders.home);
  const links = await labelOfNames({ path, written, tree: false, tells: "links" }, ports);
  return joinLabels(await labelOfPath(path, workspace, ports), links);
}

async function labelOfTree(
  { path: root, maxEntries = usualEntries }: Listing,
  ports: FilePorts,
  labelOf: (path: string, via: string) => Promise<Label>,
): Promise<Label> {
  const omissions = new Map<string, number>();
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  let label = bottomLabel;
  for await (const { path, via } of walkTree({ root, isClosed, maxEntries, omissions, entersAll: true }))
    label = joinLabels(label, await labelOf(path, via));
  return omissions.has(beyondLimit(maxEntries))
    ? joinLabels(label, { ...bottomLabel, secrecy: "private" })
    : label;
}

/** The label of a place itself: of the folders that it is in, and of the links that lead there. */
async function labelOfPlace(
  { path, written = path, shows = ["made"], tells = "entries" }: Listing,
  known: KnownNames,
): Promise<Label> {
  const labels = tells === "links" ? [] : [await labelOfTraces(path, shows, known)];
  const links = (await followLinks(written)).links.map((link) => link.path);
  for (const at of new Set([...foldersTo(path), ...foldersTo(written), ...links])) {
    const isTold =
      shows.includes("made") && (tells !== "links" || (await entryIfThere(at))?.isSymbolicLink() === true);
    labels.push(await labelOfTraces(at, isTold ? ["made", "repository"] : ["repository"], known));
    if (shows.includes("repository")) labels.push(await labelOfTraces(join(at, ".git"), shows, known));
  }
  return joinAll(labels);
}

function foldersTo(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path; at !== "/" && at !== "." && folders.length < mostFolders; at = dirname(at))
    folders.push(at);
  return folders;
}

async function labelOfTraces(path: string, traces: readonly Trace[], known: KnownNames): Promise<Label> {
  const status = await entryIfThere(path);
  if (status === null) return bottomLabel;
  return joinAll(traces.map((trace) => known.labelOf(traceOf(trace, status))));
}

/** None for what is no folder. */
async function namesIn(path: string): Promise<readonly string[]> {
  return (await statusIfThere(path))?.isDirectory() === true ? namesIfThere(path) : [];
}
