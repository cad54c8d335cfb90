import { type Headline, propertyOf, scanOutline } from "#org";
import type { KeptProposal } from "../../signal/review.ts";
import { changedLines, linesOf } from "../../text/diff/changed-lines.ts";
import { type EntryStyle, formatEntry } from "./entry.ts";

/**
 * Reopens an entry with the words and the diff of a proposal. The earlier words go. What somebody wrote into the entry stays: another title or keyword, tags,
 * properties, a logbook, and lines anywhere.
 */
export function renewEntry(text: string, entry: Headline, proposal: KeptProposal, style: EntryStyle): string {
  const made = readEntry(formatEntry(proposal, style));
  const earlier = readEntry(formatEntry({ ...proposal, ...proposal.replaced }, style));
  const drawer = entry.properties ?? { begin: entry.lineEnd, end: entry.lineEnd };
  const planning = text.slice(entry.lineEnd, drawer.begin);
  return [
    text.slice(0, entry.begin),
    headingOf(text, entry, { made: made.heading, earlier: earlier.heading }),
    entry.todo?.done === true ? withoutClosed(planning) : planning,
    text
      .slice(drawer.begin, drawer.end)
      .replace(/^:OUTCOME:.*\n/m, "")
      .replace(/^(:ORIGIN:[ \t]*).*$/m, `$1${propertyOf(made.heading.properties, "ORIGIN") ?? ""}`),
    renewedBody(text.slice(drawer.end, entry.sectionEnd), made.body, earlier.body),
    text.slice(entry.sectionEnd),
  ].join("");
}

/** No blank line may stay in its place: Org reads no properties below one. */
function withoutClosed(planning: string): string {
  const rest = planning.replace(/[ \t]*CLOSED: \[[^\]\n]*\]/g, "");
  return rest.trim() === "" ? "" : rest;
}

/** The lines of an entry that somebody else wrote below its properties. */
export function ownLines(
  text: string,
  entry: Headline,
  { proposal, style }: { readonly proposal: KeptProposal; readonly style: EntryStyle },
): string {
  const body = text.slice(entry.properties?.end ?? entry.lineEnd, entry.sectionEnd);
  const made = readEntry(formatEntry({ ...proposal, ...proposal.replaced }, style));
  return splitBody(body, made.body)
    .filter(({ isMade }) => !isMade)
    .map(({ line }) => line)
    .join("");
}

/** The contents of the first diff block of an entry. */
export function blockOf(entry: string): string {
  return block.exec(entry)?.[2] ?? "";
}

const block = /^(#\+begin_src diff\n)([\s\S]*?)^(#\+end_src)\n?/m;

type ReadEntry = { readonly heading: Headline; readonly body: string };

function readEntry(text: string): ReadEntry {
  const [heading] = scanOutline(text).headlines;
  if (heading === undefined) throw new Error("An entry of the inbox has no heading.");
  return { heading, body: text.slice(heading.properties?.end ?? heading.lineEnd) };
}

/** The reopened heading: with the new title if nobody changed the old one, and with the tag for private text. */
function headingOf(
  text: string,
  { begin, lineEnd, level, todo, priority, comment, title, titleRange, tags }: Headline,
  { made, earlier }: { readonly made: Headline; readonly earlier: Headline },
): string {
  const names = tags?.names ?? [];
  const missing = (made.tags?.names ?? []).filter((name) => !names.includes(name));
  const isAsMade = title === earlier.title && made.title !== earlier.title;
  const isDone = todo?.done === true;
  if (!isAsMade && !isDone && missing.length === 0) return text.slice(begin, lineEnd);
  const all = [...names, ...missing];
  const parts = [
    "*".repeat(level),
    ...(todo === null ? [] : [isDone ? "TODO" : todo.word]),
    ...[priority, comment].flatMap((range) => (range === null ? [] : [text.slice(range.begin, range.end)])),
    isAsMade ? made.title : text.slice(titleRange.begin, titleRange.end),
    ...(all.length === 0 ? [] : [`:${all.join(":")}:`]),
  ];
  return `${parts.join(" ")}\n`;
}

/** Replaces the old lines by the new ones. Lines that somebody wrote among the old ones follow the new ones. */
function renewedBody(body: string, made: string, earlier: string): string {
  const lines = splitBody(body, earlier);
  const first = lines.findIndex(({ isMade }) => isMade);
  const kept = lines.filter(({ isMade }, index) => index > first && !isMade);
  return [...lines.slice(0, Math.max(first, 0)), { line: made }, ...kept].map(({ line }) => line).join("");
}

/** The lines of a body without its diff; `isMade` is true for those that the program wrote. */
function splitBody(
  body: string,
  made: string,
): readonly { readonly line: string; readonly isMade: boolean }[] {
  const lines = linesOf(body.replace(block, ""));
  const isMade = lines.map(() => true);
  for (const { newFrom, newTo } of changedLines(linesOf(made.replace(block, "")), lines))
    isMade.fill(false, newFrom, newTo);
  return lines.map((line, index) => ({ line, isMade: isMade[index] === true }));
}
