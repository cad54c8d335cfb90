import { nearestName } from "../../text/nearest-name.ts";

/**
 * The key of the standard that limits the tools of a turn, and the one for those that a skill does without.
 */
export const limitKey = "allowed-tools";
export const exclusionKey = "disallowed-tools";

/** How other programs and people write them, without case, hyphens and underscores. */
const limits: ReadonlySet<string> = new Set("tools allowedtools allowtools permittedtools".split(" "));
const exclusions: ReadonlySet<string> = new Set(
  "disallowedtools disallowtools deniedtools denytools forbiddentools blockedtools excludedtools excludetools".split(
    " ",
  ),
);

/**
 * Whether a key is `tools`: a limit for some programs, and for others a list of what a skill needs. So it is
 * a limit only where no other key is one, and not below `metadata`.
 */
export function isToolsKey(written: string): boolean {
  return folded(written.trim()) === "tools";
}

/**
 * The key that a written one was meant as where that limits tools: else it would limit nothing, in silence.
 */
export function limitKeyOf(written: string, known: readonly string[]): string | null {
  const name = folded(written);
  if (exclusions.has(name)) return exclusionKey;
  return limits.has(name) || nearestName(written, known) === limitKey ? limitKey : null;
}

function folded(written: string): string {
  return written.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/**
 * The tools of a limit without those that are excluded. To do without some tools is no limit that is kept
 * by itself: then none is allowed, and each call asks.
 */
export function withoutExcluded(
  allowed: readonly string[] | null,
  excluded: readonly string[] | null,
): readonly string[] | null {
  if (excluded === null) return allowed;
  const names = new Set(excluded.map(toolName));
  return (allowed ?? []).filter((word) => !names.has(toolName(word)));
}

function toolName(word: string): string {
  return word.replace(/\(.*$/s, "").toLowerCase();
}
