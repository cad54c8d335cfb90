/** A place in a file of the workspace that is in focus: the file is no note. */
export type FileFocus = { readonly path: string; readonly line: number };

/** How a place in a file is kept as the focus of a session, where the id of a note stands else. */
export function formatFileFocus({ path, line }: FileFocus): string {
  return `file:${path}::${line}`;
}

/** Reads a focus; null where it is that of a note. */
export function readFileFocus(focus: string | null): FileFocus | null {
  const [, path = "", line = "1"] = /^file:(\/.+)::(\d+)$/.exec(focus ?? "") ?? [];
  return path === "" ? null : { path, line: Number(line) };
}
