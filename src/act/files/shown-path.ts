/** A real path as results name it: relative to the workspace, and absolute outside of it. */
export function shownPath(path: string, workspace: string | null): string {
  if (path === workspace) return ".";
  return workspace !== null && workspace !== "/" && path.startsWith(`${workspace}/`)
    ? path.slice(workspace.length + 1)
    : path;
}
