import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type CheckEnvironment, checkOrg, type LocatedProblem, type OrgText, type OrgVariables } from "#org";

/** A file to check: the name that the person gave, its path, and its text. */
export type OrgFileToCheck = { readonly name: string; readonly path: string; readonly source: OrgText };

/** Bytes above which the notes beside a file are not searched for IDs. */
const maxNeighbourBytes = 33_554_432;

/** Finds all problems of some files. The notes beside them are searched for the IDs that they link to; no other machine is asked. */
export function checkOrgFiles(
  files: readonly OrgFileToCheck[],
  variables: OrgVariables,
): readonly LocatedProblem[] {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  const folderOf = (name: string): string => dirname(paths.get(name) ?? name);
  const idsOf = memoise(idsInFolder);
  const world: CheckEnvironment = {
    hasFile: (from, target) => existsSync(resolve(folderOf(from), target.replace(/^~(?=\/)/, homedir()))),
    hasId: (from, id) => idsOf(folderOf(from)).has(id),
    variables,
  };
  return checkOrg(
    files.map(({ name, source }) => ({ path: name, source })),
    world,
  );
}

function memoise<Value>(read: (key: string) => Value): (key: string) => Value {
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

/** The text of a note beside a checked file; empty if it cannot be read, since it is not what is checked. */
function readNeighbour(path: string): string {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= maxNeighbourBytes ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
