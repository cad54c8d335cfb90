import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type CheckEnvironment, checkOrg, type LocatedProblem, type OrgText } from "#org";

/** A file to check: what its owner calls it, where it is, and what is in it. */
export type NamedFile = { readonly name: string; readonly path: string; readonly source: OrgText };

/** Notes above this size (bytes) are not searched for the IDs that others link to. */
const largestNeighbour = 33_554_432;

/** All problems of some files. For the IDs that they link to, the notes beside them are read too; no other machine is asked. */
export function checkOrgFiles(files: readonly NamedFile[]): readonly LocatedProblem[] {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  const folderOf = (name: string): string => dirname(paths.get(name) ?? name);
  const idsOf = remember(idsInFolder);
  const world: CheckEnvironment = {
    hasFile: (from, target) => existsSync(resolve(folderOf(from), target.replace(/^~(?=\/)/, homedir()))),
    hasId: (from, id) => idsOf(folderOf(from)).has(id),
  };
  return checkOrg(
    files.map(({ name, source }) => ({ path: name, source })),
    world,
  );
}

function remember<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

function idsInFolder(folder: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const name of readdirSync(folder)) {
    if (!/\.org(?:_archive)?$/.test(name) || name.startsWith(".")) continue;
    const text = readNeighbour(join(folder, name));
    for (const [, id] of text.matchAll(/^[ \t]*:ID:[ \t]+(\S+)/gim)) ids.add(id ?? "");
  }
  return ids;
}

/** Nothing of a file that is no text to read: too large, a pipe, closed to this user, a link in a circle. It is not what was asked about. */
function readNeighbour(path: string): string {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= largestNeighbour ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
