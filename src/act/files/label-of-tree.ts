import { unreadFileLabel } from "../../memory/notes/labels/label-of-file.ts";
import { isOrgFile } from "../../memory/notes/nodes/is-org-file.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { readWholeFile } from "./contents.ts";
import { type FilePorts, isClosedPath } from "./file-ports.ts";
import { walkTree } from "./walk.ts";

const maxEntries = 10_000;
const maxNotes = 2000;

/** The label of the notes in a file, or in a folder and below it. With too many notes to read, the most careful label. */
export async function labelOfTree(root: string, tree: boolean, ports: FilePorts): Promise<Label> {
  if (isOrgFile(root) || !tree) return labelOfNotes(root, root, ports);
  const omissions = new Map<string, number>();
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  let label = bottomLabel;
  let notes = 0;
  for await (const { path, kind, via } of walkTree({ root, isClosed, maxEntries, omissions })) {
    if (kind !== "file" || !isOrgFile(path)) continue;
    notes += 1;
    label = joinLabels(label, notes > maxNotes ? unreadFileLabel : await labelOfNotes(path, via, ports));
    if (label.secrecy === "secret") break;
  }
  return { ...label, sources: label.sources.slice(0, 20) };
}

async function labelOfNotes(path: string, via: string, { origins }: FilePorts): Promise<Label> {
  if (!isOrgFile(path)) return bottomLabel;
  const read = await readWholeFile(path, undefined, via);
  const digest = read.ok ? read.value?.digest : undefined;
  if (digest === undefined) return bottomLabel;
  return joinLabels(await origins.inside(path, digest), (await origins.of(digest)) ?? bottomLabel);
}
