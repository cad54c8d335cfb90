import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "../../../text/is-inside.ts";
import { isRepository } from "../../commands/folder-trust.ts";

/** A client's folder as the workspace of its session. Null for the home folder and every folder that holds it, the root included: those are too much to be a workspace unasked. */
export function takeWorkspace(cwd: string, home: string): string | null {
  const folder = realFolder(cwd);
  return folder === "/" || isInside(folder, home) ? null : folder;
}

/** A folder that is there as a workspace; null also where there is none, so that nobody makes one of that name later. */
export function findWorkspace(folder: string, home: string): string | null {
  return existsSync(folder) ? takeWorkspace(folder, home) : null;
}

/** A workspace with all of the repository that it is a folder of: a clone's programs lie anywhere in it. */
export async function wholeWorkspace(cwd: string, home: string): Promise<string | null> {
  const workspace = takeWorkspace(cwd, home);
  let whole = workspace;
  for (let folder = workspace; folder !== null; folder = takeWorkspace(dirname(folder), home))
    if (await isRepository(folder)) whole = folder;
  return whole;
}

/** Says that a folder is no workspace, and what to do. */
export function workspaceNotice(cwd: string): string {
  return `${realFolder(cwd)} is not taken as a workspace. Start in a project's folder to work on its files without questions.`;
}

function realFolder(cwd: string): string {
  return existsSync(cwd) ? realpathSync(cwd) : cwd;
}
