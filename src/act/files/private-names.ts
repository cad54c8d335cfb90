import { basename, dirname } from "node:path";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../signal/label.ts";
import { type FilePorts, isClosedPath } from "./file-ports.ts";
import { namesIfThere } from "./names-if-there.ts";
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

/** The names that a listing shows: of a folder, or of all below it. */
export type Listing = { readonly path: string; readonly tree: boolean; readonly maxEntries?: number };

/**
 * The label of the names of files: those that were made from text that is not public tell it. With too many
 * entries to look at, private.
 */
export async function labelOfNames(
  { path: root, tree, maxEntries = usualEntries }: Listing,
  ports: FilePorts,
): Promise<Label> {
  const known = await ports.origins.names?.known();
  if (known === undefined || known.isEmpty) return bottomLabel;
  if (!tree) return joinAll((await namesIn(root)).map(known.labelOf));
  const omissions = new Map<string, number>();
  const isClosed = (path: string): boolean => isClosedPath(ports, path);
  let label = bottomLabel;
  for await (const { path } of walkTree({ root, isClosed, maxEntries, omissions, entersAll: true }))
    label = joinLabels(label, known.labelOf(basename(path)));
  return omissions.has(beyondLimit(maxEntries))
    ? joinLabels(label, { ...bottomLabel, secrecy: "private" })
    : label;
}

/** None for what is no folder. */
async function namesIn(path: string): Promise<readonly string[]> {
  return (await statusIfThere(path))?.isDirectory() === true ? namesIfThere(path) : [];
}
