import { folderLimits } from "../../signal/folder-limits.ts";

/** What is wrong with the paths of a skill's files, each of which was given by a stranger; null where nothing is. */
export function findPathProblem(paths: readonly string[]): string | null {
  if (paths.length > folderLimits.files) return `it has more than ${folderLimits.files} files`;
  const seen = new Set<string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== null) return `it names the file ${shownPath(path)}, ${problem}`;
    const folded = fold(path);
    if (seen.has(folded)) return `it names the file ${shownPath(path)} twice`;
    seen.add(folded);
  }
  const nested = paths.find((path) => foldersOf(path).some((folder) => seen.has(folder)));
  return nested === undefined ? null : `it names ${shownPath(nested)}, whose parent folder is a file`;
}

function pathProblem(path: string): string | null {
  const parts = path.split("/");
  if (path === "" || parts.includes("")) return "which has an empty name in it";
  if (/^[a-z]:/i.test(path)) return "which is absolute";
  if (path.includes("\\")) return "which has a backslash in it";
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(path)) return "which has hidden characters in it";
  if (parts.some((part) => part === "." || part === "..")) return "which leaves the folder";
  // Its settings start programs, and no digest counts what version control keeps.
  if (parts.some((part) => part.toLowerCase() === ".git")) return "which belongs to version control";
  if (Buffer.byteLength(path) > folderLimits.path || parts.length > folderLimits.levels)
    return "which is too long or too deep";
  return null;
}

/** A path as file systems compare names that tell neither case nor composition apart: the long s is an s there. */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** The folders that a path needs, folded as names of files are compared. */
function foldersOf(path: string): readonly string[] {
  const parts = fold(path).split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** A path of a stranger as a person may be shown it. */
export function shownPath(path: string): string {
  return `'${path.slice(0, 120).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")}'`;
}
