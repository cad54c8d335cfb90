import { foldedSegments } from "../text/later/fold-path.ts";

/**
 * Says in words why a path cannot be judged; null for a real absolute path as the file system gives it:
 * normalised, without control characters. `isKept`: nobody wrote it, it is from a set of changes that is
 * kept, and may have any name that a disk holds.
 */
export function pathProblem(path: string, isKept = false): string | null {
  if (!path.startsWith("/")) return "is not absolute";
  if (path.length > 4096) return "is longer than 4096 characters";
  const problem = isKept ? null : nameProblem(path);
  if (problem !== null) return problem;
  if (path !== "/" && path.endsWith("/")) return "ends in a slash";
  const segments = path.split("/").slice(1);
  if (path !== "/" && segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "is not normalised";
  }
  return null;
}

/** What a person or a model would not read as it is on the disk. */
function nameProblem(path: string): string | null {
  if (/\p{Cc}/u.test(path)) return "has control characters";
  if (hidden.test(path)) return "has characters that turn the direction of text";
  return /\p{Cs}/u.test(path) ? "is not well-formed text" : null;
}

/** True if the path is the folder or below it, compared as the least strict file system would. For rules that forbid. */
export function isInsideFolded(folder: string, path: string): boolean {
  const outer = foldedSegments(folder);
  const inner = foldedSegments(path);
  return outer.length <= inner.length && outer.every((segment, index) => segment === inner[index]);
}

/** Characters that change what a person sees of a path, a program or an option: control characters, and those that turn the direction of text. */
export const hidden = /[[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]--[\t\n]]/v;
