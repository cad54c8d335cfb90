import { findNewConstructs } from "./disarm.ts";
import { foldedSegments } from "./fold-path.ts";
import { changedManifest } from "./package-manifest.ts";

/** A change of one file as text, with what the file system says of it. */
export type TextChange = {
  readonly path: string;
  /** Empty if there was no file. */
  readonly before: string;
  readonly after: string;
  readonly isExecutable: boolean;
};

/** Extensions of programs. A file that is executable by accident, as on a foreign file system, is none. */
const programEnding =
  /(?:^[^.]*|\.(?:sh|bash|zsh|fish|ksh|py|pl|rb|php|lua|tcl|awk|run|bin|exe|bat|cmd|ps1|command|appimage))$/;

/** Says why the contents of a changed file will be executed or obeyed later; null if nothing new in it will be. */
export function executedLaterContents({ path, before, after, isExecutable }: TextChange): string | null {
  if (before === after) return null;
  const name = foldedSegments(path).at(-1) ?? "";
  if (name === "package.json") return changedManifest(before, after);
  if (after.startsWith("#!")) return "it begins with #!, so it runs as a program";
  if (isExecutable && programEnding.test(name)) return "the file is executable";
  return findNewConstructs(path, before, after)[0]?.why ?? null;
}
