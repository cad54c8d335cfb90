import { wholeDiff } from "../signal/file-diff.ts";
import type { Label } from "../signal/label.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { countOf } from "../text/count-of.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { partsOfSkill } from "./describe-skill.ts";
import { quoteDiff } from "./format-diff.ts";

type Labelled = {
  readonly label: Label | undefined;
  readonly before: AcceptedSkill | null;
  readonly checked: { readonly head: { readonly name: string } | null };
};

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

/** Lines of a skill's text that are shown before a yes. */
const shownLines = 300;

/** The text of a skill that somebody else wrote, line by line. */
export function describeText(text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  const left = lines.length - shownLines;
  return [
    "Its text:",
    ...quoteLines(lines.slice(0, shownLines).join("\n")),
    ...(left > 0 ? [`${countOf(left, "more line")} of it not shown. Read its file before you say yes.`] : []),
  ];
}

/** What the owner has to know of a text that is not all theirs, and what to do where it is. */
export function describeLabel({ label, before, checked }: Labelled, mine: boolean): readonly string[] {
  if (mine) return ["It counts as your own words, since you say that you wrote it."];
  if (label === undefined) return [];
  const sources = label.sources.map(({ id }) => id).filter((id) => /^(?:\/|https?:|mcp:|skill:)/.test(id));
  const from = sources.length === 0 ? "" : ` (${escapeInvisible(sources.slice(0, 8).join(", "))})`;
  const whose = label.integrity === "untrusted" ? "words of others" : "private text";
  const name = checked.head?.name ?? "NAME";
  const since = before === null ? "" : " in it or in a version before it";
  return [
    `It was made from ${whose}${from}${since}, and counts as such. Where you wrote all of it: passepartout skill enable ${name} --mine`,
  ];
}
