import { changedDependencies, isDependencyFile, manifestName } from "./dependency-files.ts";
import { findNewConstructs, opensAsOrg } from "./disarm.ts";
import { isRepositoryData } from "./executed-later.ts";
import { findShifts } from "./file-constructs.ts";
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
  /** Whether a file that was there could not be executed before. */
  readonly becomesExecutable?: boolean;
};

/** A change of a file that is too large to look into: its two ends, and what the file system says of it. */
export type LargeChange = Omit<TextChange, "held" | "after"> & {
  readonly first: string;
  readonly last: string;
};

/** Extensions of programs. A file that is executable by accident, as on a foreign file system, is none. */
const programEnding =
  /(?:^[^.]*|\.(?:sh|bash|zsh|fish|ksh|py|pl|rb|php|lua|tcl|awk|run|bin|exe|bat|cmd|ps1|command|appimage))$/;

/** Says why the contents of a changed file will be executed or obeyed later; null if nothing new in it will be. */
export function executedLaterContents(change: TextChange): string | null {
  const { path, held, after, isExecutable } = change;
  const before = held.join("\n");
  if (change.becomesExecutable === true) return becomesProgram;
  if (before === after) return null;
  const name = manifestName(foldedSegments(path));
  if (isRepositoryData(path) && !mayRun(change))
    return commitName.test(name) && !commitIds.test(after) ? "git writes or takes what it names" : null;
  const byName = executedLaterByName(path, before, after);
  if (byName !== null || name === "package.json") return byName;
  if (after.startsWith("#!")) return "it begins with #!, so it runs as a program";
  if (isExecutable && programEnding.test(name)) return "the file is executable";
  const [construct] = findNewConstructs(path, before, after);
  if (construct !== undefined) return construct.why;
  return opensAsOrg(path, after) && hasNewTangledCode(held, after) ? "its code is written into a file" : null;
}

/**
 * Data of a repository that names commits. Where it names a branch, git changes that in its place; of other
 * words git works out which commit they mean.
 */
const commitName = /^(?:auto_merge|[a-z_]+_head)$/;
const commitIds = /^(?:(?:[0-9a-f]{40}|[0-9a-f]{64})\n)*$/;

/** How programs begin: scripts, and those of Linux and Windows. */
const programStart = /^(?:#!|\x7fELF|MZ)/;

/**
 * Whether data of a repository may run as a program. On a disk without modes all that git wrote there is
 * executable, and git writes it anew.
 */
function mayRun({ held, after, isExecutable }: TextChange): boolean {
  return isExecutable && (held.length === 0 || programStart.test(after));
}

/**
 * Whether a file of another name, which a link of this path leads to, is obeyed for what it holds by the
 * name of the link alone.
 */
export function obeyedForContents(link: string, leads: string): boolean {
  const [name = "", other] = [link, leads].map((path) => manifestName(foldedSegments(path)));
  return name !== other && (name === "package.json" || isDependencyFile(name));
}

/**
 * Says why contents are obeyed by the name that a manifest or a list of packages has; null under any other
 * name.
 */
export function executedLaterByName(path: string, before: string, after: string): string | null {
  const name = manifestName(foldedSegments(path));
  if (before === after) return null;
  return name === "package.json" ? changedManifest(before, after) : changedDependencies(name, before, after);
}

const becomesProgram = "it becomes a program";

/**
 * The same for a file of which only the ends are known: its first bytes and its mode say whether it is a
 * program, its ends what editors obey, and where a name asks for a look at the whole it counts.
 */
export function executedLaterLarge(change: LargeChange): string | null {
  const { path, first, last, isExecutable } = change;
  if (change.becomesExecutable === true) return becomesProgram;
  if (isRepositoryData(path) && !isExecutable) return null;
  const name = manifestName(foldedSegments(path));
  if (name === "package.json" || isDependencyFile(name) || opensAsOrg(path, first))
    return "it is too large to look into";
  if (first.startsWith("#!")) return "it begins with #!, so it runs as a program";
  if (isExecutable && programEnding.test(name)) return "the file is executable";
  // A character set may be named between the ends.
  const [construct] = [first, last].flatMap((end) => [
    ...findNewConstructs(path, "", end),
    ...findShifts(end),
  ]);
  return construct?.why ?? null;
}

/** True if code is tangled that was not in any of the files before. Each is read by itself, since each has settings of its own. */
function hasNewTangledCode(held: readonly string[], after: string): boolean {
  const tangled = findTangledCode(after);
  if (tangled.length === 0) return false;
  const known = new Set(held.flatMap(findTangledCode));
  return tangled.some((code) => !known.has(code));
}
