import { unreadFileLabel } from "../../memory/notes/labels/label-of-file.ts";
import { isOrgFile } from "../../memory/notes/nodes/is-org-file.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { readWholeFile } from "./contents.ts";
import { type FilePorts, isClosedPath } from "./file-ports.ts";
import { readPieces } from "./read-pieces.ts";
import { isPacked, unpack } from "./unpack.ts";
import { beyondLimit, walkTree } from "./walk.ts";

/** How many entries of a folder are looked at for notes. Only the notes among them are read. */
const usualEntries = 20_000;
const maxNotes = 2000;
/** The largest file that is no note and is read as a whole. */
const maxBytes = 5 * 1024 * 1024;

/** The label of the notes in a file, or in a folder and below it. With too many notes to read, the most careful label; with too many entries to look at, private. */
export async function labelOfTree(
  root: string,
  tree: boolean,
  ports: FilePorts,
  maxEntries = usualEntries,
): Promise<Label> {
  if (isOrgFile(root) || !tree) return labelOfOneFile(root, root, ports);
  const omissions = new Map<string, number>();
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  let label = bottomLabel;
  let notes = 0;
  for await (const { path, kind, via } of walkTree({ root, isClosed, maxEntries, omissions })) {
    if (kind !== "file" || !isOrgFile(path)) continue;
    notes += 1;
    label = joinLabels(label, notes > maxNotes ? unreadFileLabel : await labelOfOneFile(path, via, ports));
    if (label.secrecy === "secret") break;
  }
  if (omissions.has(beyondLimit(maxEntries)))
    label = joinLabels(label, { ...bottomLabel, secrecy: "private" });
  return { ...label, sources: label.sources.slice(0, 20) };
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
