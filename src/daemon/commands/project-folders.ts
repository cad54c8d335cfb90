import { dirname } from "node:path";
import { isRepository } from "./folder-trust.ts";

/** How many folders, a workspace and those above it, are looked at. */
const mostFolders = 32;

/**
 * The folders from the root of a workspace's repository down to it; only the workspace where it is in none.
 */
export async function foldersOf(workspace: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const folder of foldersUpFrom(workspace)) {
    folders.unshift(folder);
    if (await isRepository(folder)) return folders;
  }
  return [workspace];
}

/** A folder and those above it, of which `foldersOf` gives some. */
export function foldersUpFrom(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; at !== dirname(at) && folders.length < mostFolders; at = dirname(at))
    folders.push(dirname(at));
  return folders;
}
