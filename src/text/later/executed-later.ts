import { foldedSegments } from "./fold-path.ts";
import {
  commitsInRepository,
  dataInRepository,
  type LaterNames,
  laterFiles,
  laterFolders,
  laterPairs,
  laterPatterns,
  mergeInRepository,
  obeyedInRepository,
} from "./path-table.ts";

/** Says what will execute or obey a path later without asking again; null if nothing known does. Compares whole segments anywhere in the path, ignoring case. */
export function executedLaterRule(path: string): string | null {
  const segments = foldedSegments(path);
  return isDataIn(segments)
    ? ruleOf(segments.slice(0, segments.lastIndexOf(".git")), true)
    : ruleOf(segments, false);
}

/**
 * Whether a file belongs to a repository's own folder and is only data there, such as an object or the
 * index.
 */
export function isRepositoryData(path: string): boolean {
  return isDataIn(foldedSegments(path));
}

/** Whether a file says where a merge stands that git ends with a commit. */
export function isMergeState(path: string): boolean {
  return mergeInRepository.test(inRepository(foldedSegments(path)) ?? "");
}

/**
 * Whether a file is data of a repository from which git takes names of commits: a log, `ORIG_HEAD`, a
 * merge.
 */
export function namesCommits(path: string): boolean {
  return commitsInRepository.test(inRepository(foldedSegments(path)) ?? "");
}

function isDataIn(segments: readonly string[]): boolean {
  const inside = inRepository(segments);
  return inside !== null && [...dataInRepository, mergeInRepository].some((pattern) => pattern.test(inside));
}

/** The path from the repository's own folder on; null outside of one. */
function inRepository(segments: readonly string[]): string | null {
  const repository = segments.lastIndexOf(".git");
  return repository === -1 ? null : segments.slice(repository + 1).join("/");
}

function ruleOf(segments: readonly string[], isFolder: boolean): string | null {
  for (const [index, segment] of segments.entries()) {
    const rule = pairs.get(`${segment}/${segments[index + 1]}`) ?? folders.get(segment);
    if (rule !== undefined) return rule;
  }
  const base = segments.at(-1) ?? "";
  const whole = `/${segments.join("/")}`;
  const named = isFolder ? undefined : files.get(base);
  return named ?? laterPatterns.find(([, pattern]) => pattern.test(whole))?.[0] ?? null;
}

/**
 * Like `executedLaterRule`, for what a confined command must not change: of a repository's own folder only what git obeys. The
 * path is relative to the workspace, or absolute. A file that is called `.git` leads git to a repository, and counts.
 */
export function lockedRule(path: string, isFolder: boolean): string | null {
  const segments = foldedSegments(path);
  const base = segments.at(-1) ?? "";
  if (contentRuled.has(base)) return buildRule;
  const repository = segments.indexOf(".git");
  if (repository === -1) return ruleOf(segments, isFolder);
  const outside = ruleOf(segments.slice(0, repository), true);
  if (outside !== null) return outside;
  const inside = segments.slice(repository + 1).join("/");
  if (inside === "") return isFolder ? null : gitRule;
  return obeyedInRepository.some((pattern) => pattern.test(inside)) ? gitRule : null;
}

/** Files of which only a part is executed. A tool compares that part; a sandbox cannot. */
const contentRuled: ReadonlySet<string> = new Set(["package.json"]);
/** Why build files count. */
export const buildRule = "a later build or test runs it";
const gitRule = "git runs its hooks and reads its settings";

function byName(names: LaterNames): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([rule, list]) => list.split(" ").map((name) => [name, rule] as const)),
  );
}

const folders = byName(laterFolders);
const pairs = byName(laterPairs);
const files = byName(laterFiles);
