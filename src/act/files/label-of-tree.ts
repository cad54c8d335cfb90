import { unreadFileLabel } from "../../memory/notes/labels/label-of-file.ts";
import { isOrgFile } from "../../memory/notes/nodes/is-org-file.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { readWholeFile } from "./contents.ts";
import { type FilePorts, isClosedPath } from "./file-ports.ts";
import { readPieces } from "./read-pieces.ts";
import { entryIfThere } from "./status-if-there.ts";
import { isPacked, unpack } from "./unpack.ts";
import { beyondLimit, walkTree } from "./walk.ts";

/** How many entries of a folder are looked at. */
const usualEntries = 20_000;
const maxNotes = 2000;
/**
 * How many files that are no notes are looked into, and bytes of them. Beyond that a tree is labelled
 * without them.
 */
const maxOthers = 20_000;
const maxOtherBytes = 512 * 1024 * 1024;
/** The largest file that is no note and is read as a whole. */
const maxBytes = 5 * 1024 * 1024;
/** How many files are looked into at the same time. */
const filesAtOnce = 16;
/** How many labels of files are remembered. */
const mostKnown = 50_000;

/** The files below a path; of a folder with more than `maxEntries` (default 20,000) not all are looked at. */
type Tree = { readonly path: string; readonly tree: boolean; readonly maxEntries?: number };

/** Labels of files and trees. A file that is no note is read again only once it changed. */
export class TreeLabels {
  readonly #ports: FilePorts;
  readonly #known = new Map<string, { readonly version: string; readonly label: Label }>();

  constructor(ports: FilePorts) {
    this.#ports = ports;
  }

  /**
   * The label of a file, or of all files in a folder and below it, whatever their kind. With too many notes
   * to read, the most careful label; with too many entries to look at, private.
   */
  async labelOf({ path: root, tree, maxEntries = usualEntries }: Tree): Promise<Label> {
    if (isOrgFile(root) || !tree) return labelOfOneFile(root, root, this.#ports);
    const omissions = new Map<string, number>();
    const isClosed = (path: string): boolean => isClosedPath(this.#ports, path);
    const room = { notes: maxNotes, others: maxOthers, bytes: maxOtherBytes };
    let label = bottomLabel;
    let reading: Promise<Label>[] = [];
    for await (const { path, kind, via } of walkTree({ root, isClosed, maxEntries, omissions })) {
      if (kind !== "file") continue;
      if (isOrgFile(path)) {
        room.notes -= 1;
        label = joinLabels(
          label,
          room.notes < 0 ? unreadFileLabel : await labelOfOneFile(path, via, this.#ports),
        );
      } else if (room.others > 0 && room.bytes > 0) {
        room.others -= 1;
        reading.push(this.#labelOfOther(path, room));
        if (reading.length < filesAtOnce) continue;
        label = joinLabels(label, ...(await Promise.all(reading)));
        reading = [];
      }
      if (label.secrecy === "secret") break;
    }
    label = joinLabels(label, ...(await Promise.all(reading)));
    if (omissions.has(beyondLimit(maxEntries)))
      label = joinLabels(label, { ...bottomLabel, secrecy: "private" });
    return { ...label, sources: label.sources.slice(0, 20) };
  }

  /** Its path is opened, not what the walk opened: that may have gone on. */
  async #labelOfOther(path: string, room: { bytes: number }): Promise<Label> {
    const found = await entryIfThere(path);
    if (found === null) return bottomLabel;
    const version = [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" ");
    const known = this.#known.get(path);
    if (known?.version === version) return known.label;
    room.bytes -= found.size;
    const label = await labelOfOneFile(path, path, this.#ports);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(path, { version, label });
    return label;
  }
}

async function labelOfOneFile(path: string, via: string, { origins }: FilePorts): Promise<Label> {
  const read = await readWholeFile(path, isOrgFile(path) ? undefined : maxBytes, via);
  const inPieces = (): Promise<Label> => origins.insideLarge(withoutEnding(path), readPieces(path, via));
  if (!read.ok) return read.code === "too-large" ? inPieces() : bottomLabel;
  if (read.value === null) return bottomLabel;
  const { digest, bytes } = read.value;
  const unpacked = await unpack(bytes, maxBytes);
  const inside =
    unpacked !== null
      ? await origins.inside(withoutEnding(path), digest, unpacked)
      : isPacked(bytes)
        ? await inPieces()
        : bottomLabel;
  return joinLabels(
    inside,
    await origins.inside(path, digest, bytes),
    (await origins.of(digest)) ?? bottomLabel,
  );
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:gz|zst)$/, "");
}
