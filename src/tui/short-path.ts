import { escapeInvisible } from "../signal/escape-invisible.ts";

/** A path as a person reads it: below the workspace, or below the home folder as `~`. */
export function shortPath(path: string, home: string, workspace: string | null = null): string {
  const shown = escapeInvisible(path);
  if (workspace !== null && shown.startsWith(`${workspace}/`)) return shown.slice(workspace.length + 1);
  if (home !== "" && (shown === home || shown.startsWith(`${home}/`))) return `~${shown.slice(home.length)}`;
  return shown;
}
