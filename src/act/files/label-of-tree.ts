import type { Stats } from "node:fs";
import { dependsOnOthers, unreadFileLabel } from "../../memory/notes/labels/label-of-file.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { isOrgFile } from "../../text/is-org-file.ts";
import { readWholeFile } from "./contents.ts";
import { type FilePorts, isClosedPath, labelOfAttached } from "./file-ports.ts";
import { readPieces } from "./read-pieces.ts";
import { entriesIfThere, statusIfThere } from "./status-if-there.ts";
import { isPacked, unpack } from "./unpack.ts";
import { beyondLimit, couldNotOpen, walkTree } from "./walk.ts";

/** How many entries of a folder are looked at. */
const usualEntries = 20_000;
const maxNotes = 2000;
/**
 * How many files that are no notes are looked into at a time, and bytes of them. What is known of a file
 * since an earlier time does not count.
 */
const mostOthers: OthersLimit = { files: 20_000, bytes: 512 * 1024 * 1024 };
/** The largest file that is no note and is read as a whole. */
const maxBytes = 5 * 1024 * 1024;
/** How many files are looked into at the same time. */
const filesAtOnce = 16;
/** How many are asked for at the same time whether they changed: each by itself would cost twice as much. */
const entriesAtOnce = 256;
/** How many labels of files are remembered. */
const mostKnown = 100_000;

type OthersLimit = { readonly files: number; readonly bytes: number };

/**
 * The label of the text of a file, and the digest by which its origin is kept; null where it has none.
 * `depends`: on other files, too.
 */
type FileLabel = { readonly inside: Label; readonly digest: string | null; readonly depends?: true };

/** The label of a file that was not looked into. */
const unknownLabel: Label = { ...bottomLabel, secrecy: "private" };

/** The files below a path; of a folder with more than `maxEntries` (default 20,000) not all are looked at. */
type Tree = { readonly path: string; readonly tree: boolean; readonly maxEntries?: number };

/** Some files, none of them Org. */
type Files = { readonly files: readonly string[] };

/** Labels of files and trees. A file that is no note is read again only once it changed. */
export class TreeLabels {
  readonly #ports: FilePorts;
  readonly #limit: OthersLimit;
  readonly #known = new Map<string, FileLabel & { readonly version: string }>();

  constructor(ports: FilePorts, limit = mostOthers) {
    this.#ports = ports;
    this.#limit = limit;
  }

  /**
   * The label of a file, or of all files in a folder and below it, whatever their kind. With too many notes
   * to read, the most careful label; with too many entries to look at, or other files to look into, private.
   */
  async labelOf(asked: Tree | Files): Promise<Label> {
    if ("files" in asked) return this.#labelOfOthers(asked.files, { ...this.#limit });
    const { path: root, tree, maxEntries = usualEntries } = asked;
    const isFile = !tree || (await statusIfThere(root).catch(() => null))?.isDirectory() === false;
    if (isFile && tree && !isOrgFile(root)) return this.#labelOfOthers([root], { ...this.#limit });
    if (isFile) return this.#whole([root], [await labelOfOneFile(root, root, this.#ports)]);
    const omissions = new Map<string, number>();
    const isClosed = (path: string): boolean => isClosedPath(this.#ports, path);
    const room = { ...this.#limit };
    let notes = maxNotes;
    let label = bottomLabel;
    let others: string[] = [];
    for await (const { path, kind, via } of walkTree({ root, isClosed, maxEntries, omissions })) {
      if (kind !== "file") continue;
      if (isOrgFile(path)) {
        notes -= 1;
        label = joinLabels(
          label,
          notes < 0
            ? unreadFileLabel
            : await this.#whole([path], [await labelOfOneFile(path, via, this.#ports)]),
        );
      } else {
        others.push(path);
        if (others.length < entriesAtOnce) continue;
        label = joinLabels(label, await this.#labelOfOthers(others, room));
        others = [];
      }
      if (label.secrecy === "secret") break;
    }
    label = joinLabels(label, await this.#labelOfOthers(others, room));
    const unseen = [beyondLimit(maxEntries), ...[...faults, "changed-since-judged"].map(couldNotOpen)];
    if (unseen.some((reason) => omissions.has(reason))) label = joinLabels(label, unknownLabel);
    return { ...label, sources: label.sources.slice(0, 20) };
  }

  /** Their paths are opened, not what the walk opened: that may have gone on. */
  async #labelOfOthers(paths: readonly string[], room: Room): Promise<Label> {
    const found = await entriesIfThere(paths);
    const labels: FileLabel[] = [];
    const changed: ChangedFile[] = [];
    for (const [index, path] of paths.entries()) {
      const entry = found[index] ?? null;
      if (entry === "unknown") labels.push(unreadLabel(path));
      if (entry === null || entry === "unknown") continue;
      const version = [entry.ino, entry.size, entry.mtimeMs, entry.ctimeMs].join(" ");
      const known = this.#known.get(path);
      if (known?.version === version) labels.push(known);
      else changed.push({ path, entry, version });
    }
    for (let at = 0; at < changed.length; at += filesAtOnce) {
      const read = changed.slice(at, at + filesAtOnce).map((each) => this.#read(each, room));
      for (const label of await Promise.all(read)) labels.push(label);
    }
    return this.#whole(paths, labels);
  }

  async #read({ path, entry, version }: ChangedFile, room: Room): Promise<FileLabel> {
    if (room.files <= 0 || room.bytes <= 0) return unreadLabel(path);
    room.files -= 1;
    room.bytes -= entry.size;
    const read = await labelOfOneFile(path, path, this.#ports);
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (read.depends !== true) this.#known.set(path, { version, ...read });
    return read;
  }

  /**
   * The label of files with the origins of their contents, and of the notes that they are attached to, which
   * may change at any time.
   */
  async #whole(paths: readonly string[], files: readonly FileLabel[]): Promise<Label> {
    const digests = files.flatMap(({ digest }) => digest ?? []);
    const origin = digests.length === 0 ? null : await this.#ports.origins.of(digests);
    const attached = await labelOfAttached(paths, this.#ports);
    return joinAll([...files.map(({ inside }) => inside), origin ?? bottomLabel, attached]);
  }
}

/** After them nobody knows what a file holds, and a command may read it all the same. */
const faults = new Set(["disk-error", "too-many-open-files"]);

type ChangedFile = { readonly path: string; readonly entry: Stats; readonly version: string };

/** What may still be looked into. */
type Room = { files: number; bytes: number };

/** The label of a file that was not looked into: nobody knows what it holds. */
function unreadLabel(path: string): FileLabel {
  return { inside: isOrgFile(path) ? unreadFileLabel : unknownLabel, digest: null };
}

/** Where a disk or a mount failed, the file is looked into again the next time. */
async function labelOfOneFile(path: string, via: string, { origins }: FilePorts): Promise<FileLabel> {
  const read = await readWholeFile(path, isOrgFile(path) ? undefined : maxBytes, via);
  const inPieces = (): Promise<Label> => origins.insideLarge(withoutEnding(path), readPieces(path, via));
  if (!read.ok) {
    if (faults.has(read.code)) return { ...unreadLabel(path), depends: true };
    const inside = read.code === "too-large" ? await inPieces() : bottomLabel;
    return { inside, digest: null };
  }
  if (read.value === null) return { inside: bottomLabel, digest: null };
  const { digest, bytes } = read.value;
  const unpacked = await unpack(bytes, maxBytes);
  const inside =
    unpacked !== null
      ? await origins.inside(withoutEnding(path), digest, unpacked)
      : isPacked(bytes)
        ? await inPieces()
        : bottomLabel;
  const label = joinLabels(inside, await origins.inside(path, digest, bytes));
  const depends = dependsOnOthers(bytes) || (unpacked !== null && dependsOnOthers(unpacked));
  return { inside: label, digest, ...(depends ? { depends } : {}) };
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:gz|zst)$/, "");
}
