import { foldedSegments } from "./fold-path.ts";
import { type LaterNames, laterFiles, laterFolders, laterPairs, laterPatterns } from "./path-table.ts";

/** Says what will execute or obey a path later without asking again; null if nothing known does. Compares whole segments anywhere in the path, ignoring case. */
export function executedLaterRule(path: string): string | null {
  return ruleOf(foldedSegments(path));
}

function ruleOf(segments: readonly string[]): string | null {
  for (const [index, segment] of segments.entries()) {
    const rule = folders.get(segment) ?? pairs.get(`${segment}/${segments[index + 1]}`);
    if (rule !== undefined) return rule;
  }
  const base = segments.at(-1) ?? "";
  const whole = `/${segments.join("/")}`;
  return files.get(base) ?? laterPatterns.find(([, pattern]) => pattern.test(whole))?.[0] ?? null;
}

function byName(names: LaterNames): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([rule, list]) => list.split(" ").map((name) => [name, rule] as const)),
  );
}

const folders = byName(laterFolders);
const pairs = byName(laterPairs);
const files = byName(laterFiles);
