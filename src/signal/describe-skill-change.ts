import { partsOfSkill } from "./describe-skill.ts";
import { escapeInvisible, quoteLines } from "./escape-invisible.ts";
import { wholeDiff } from "./file-diff.ts";
import { quoteDiff } from "./format-diff.ts";
import type { AcceptedSkill } from "./skill.ts";

/** What changed since the version that the owner accepted: first what it newly brings or may, then what it no longer does, then its file line by line. Nothing where the file is the same. */
export function describeChange(
  before: Pick<AcceptedSkill, "head" | "declared" | "text">,
  now: Pick<AcceptedSkill, "head" | "declared"> & { readonly text: string },
): readonly string[] {
  if (before.text === now.text) return [];
  const old = new Map(partsOfSkill(before.head, before.declared));
  const parts = partsOfSkill(now.head, now.declared).map(([what, list]) => {
    const known = old.get(what) ?? [];
    return { what, added: without(list, known), gone: without(known, list) };
  });
  const added = parts.flatMap((part) => changedPart("new", part.what, part.added));
  return [
    "Since the version that you accepted:",
    ...(added.length === 0 ? ["  nothing new that it brings or may do"] : added),
    ...parts.flatMap((part) => changedPart("no longer", part.what, part.gone)),
    ...describeTextChange(before.text, now.text),
  ];
}

/** How a text that the owner accepted changed, line by line; all of it where the accepted one was not kept or cannot be compared. */
export function describeTextChange(before: string | undefined, now: string): readonly string[] {
  const diff = before === undefined ? null : wholeDiff(Buffer.from(before), Buffer.from(now));
  if (diff === null)
    return ["  the accepted text was not kept, so all of the new one is shown:", ...quoteLines(now)];
  return ["  its text, with + and - before the lines that change:", ...quoteDiff({ diff, left: 0 })];
}

/** What of a list is not in another. */
export function without(list: readonly string[], other: readonly string[]): readonly string[] {
  return list.filter((one) => !other.includes(one));
}

/** A line for what is new, or gone, of a sort. */
export function changedPart(how: string, what: string, list: readonly string[]): readonly string[] {
  return list.length === 0
    ? []
    : [`  ${how}: ${what}: ${list.map((one) => escapeInvisible(one)).join(", ")}`];
}
