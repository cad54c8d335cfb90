import { escapeInvisible } from "../../text/escape-invisible.ts";

/** A text with `~` for the home folder in its paths. */
export function withShortHome(text: string, home: string): string {
  return home === "" || home === "/" ? text : text.replaceAll(`${home}/`, "~/");
}

/** A path as a person reads it: below the workspace, or below the home folder as `~`. */
export function shortPath(path: string, home: string, workspace: string | null = null): string {
  const shown = escapeInvisible(path);
  if (workspace !== null && shown.startsWith(`${workspace}/`)) return shown.slice(workspace.length + 1);
  if (home !== "" && (shown === home || shown.startsWith(`${home}/`))) return `~${shown.slice(home.length)}`;
  return shown;
}
