import { changedDependencies } from "./dependency-files.ts";
import { findNewConstructs, opensAsOrg } from "./disarm.ts";
import { isRepositoryData } from "./executed-later.ts";
import { foldedSegments } from "./fold-path.ts";
import { changedManifest } from "./package-manifest.ts";
import { findTangledCode } from "./tangled-code.ts";

/** A change of one file as text, with what the file system says of it. */
export type TextChange = {
  readonly path: string;
  /** What the files that the text comes from held: the file itself, and one that text is moved from. */
  readonly held: readonly string[];
  readonly after: string;
  readonly isExecutable: boolean;
};

/** Extensions of programs. A file that is executable by accident, as on a foreign file system, is none. */
const programEnding =
  /(?:^[^.]*|\.(?:sh|bash|zsh|fish|ksh|py|pl|rb|php|lua|tcl|awk|run|bin|exe|bat|cmd|ps1|command|appimage))$/;

/** Says why the contents of a changed file will be executed or obeyed later; null if nothing new in it will be. */
export function executedLaterContents({ path, held, after, isExecutable }: TextChange): string | null {
  const before = held.join("\n");
  if (before === after || (isRepositoryData(path) && !isExecutable)) return null;
  const name = foldedSegments(path).at(-1) ?? "";
  if (name === "package.json") return changedManifest(before, after);
  const dependencies = changedDependencies(name, before, after);
  if (dependencies !== null) return dependencies;
  if (after.startsWith("#!")) return "it begins with #!, so it runs as a program";
  if (isExecutable && programEnding.test(name)) return "the file is executable";
  const [construct] = findNewConstructs(path, before, after);
  if (construct !== undefined) return construct.why;
  return opensAsOrg(path, after) && hasNewTangledCode(held, after) ? "its code is written into a file" : null;
}

/** True if code is tangled that was not in any of the files before. Each is read by itself, since each has settings of its own. */
function hasNewTangledCode(held: readonly string[], after: string): boolean {
  const tangled = findTangledCode(after);
  if (tangled.length === 0) return false;
  const known = new Set(held.flatMap(findTangledCode));
  return tangled.some((code) => !known.has(code));
}
