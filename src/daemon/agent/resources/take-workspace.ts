import { existsSync, realpathSync } from "node:fs";
import { isInside } from "../../../signal/is-inside.ts";

/** A client's folder as the workspace of its session. Null for the home folder and every folder that holds it, the root included: those are too much to be a workspace unasked. */
export function takeWorkspace(cwd: string, home: string): string | null {
  const folder = realFolder(cwd);
  return folder === "/" || isInside(folder, home) ? null : folder;
}

/** A folder that is there as a workspace; null also where there is none, so that nobody makes one of that name later. */
export function findWorkspace(folder: string, home: string): string | null {
  return existsSync(folder) ? takeWorkspace(folder, home) : null;
}

/** Says that a folder is no workspace, and what to do. */
export function workspaceNotice(cwd: string): string {
  return `${realFolder(cwd)} is not taken as a workspace. Start in a project's folder to work on its files without questions.`;
}

function realFolder(cwd: string): string {
  return existsSync(cwd) ? realpathSync(cwd) : cwd;
}
