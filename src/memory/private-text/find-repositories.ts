import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findObjects, objectsOf } from "./git-objects.ts";

/** How many folders below one are looked at, the nearest first, how many at once, and how many repositories are taken. */
const most = { folders: 2000, atOnce: 32, repositories: 20 };

/** The folders with the objects of the repositories that a command may read which runs in a folder: the nearest at or above it, and those below it, submodules and bare ones among them. */
export async function findRepositories(folder: string): Promise<readonly string[]> {
  const above = await findObjects(folder);
  const found = new Set(above === null ? [] : [above]);
  const folders = [folder];
  for (let at = 0; at < Math.min(folders.length, most.folders) && found.size < most.repositories; ) {
    const next = folders.slice(at, at + most.atOnce);
    at += next.length;
    const looked = await Promise.all(next.map(lookAt));
    for (const { objects, below } of looked) {
      if (objects !== null) found.add(objects);
      for (const each of below) folders.push(each);
    }
  }
  return [...found];
}

type Looked = { readonly objects: string | null; readonly below: readonly string[] };

/** The objects of the repository that a folder is, and the folders in it that may be or hold others. */
async function lookAt(folder: string): Promise<Looked> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isBare = entries.some(({ name }) => name === "HEAD");
  const objects = isBare || entries.some(({ name }) => name === ".git") ? await objectsOf(folder) : null;
  if (isBare && objects !== null) return { objects, below: [] };
  const below = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
  return { objects, below: below.map(({ name }) => join(folder, name)) };
}

/** Folders with many others in them that are no work of the owner's. */
const skipped = new Set(["node_modules", ".git"]);
