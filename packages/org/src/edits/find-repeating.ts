import { findBlocks } from "../outline/file-keywords.ts";
import type { Headline } from "../outline/outline.ts";
import { endOfLine, startOfLine } from "../text/lines.ts";
import type { Range } from "../text/range.ts";

/** A timestamp with a repeater, brackets included. */
export type RepeatingTimestamp = Range & {
  readonly mark: "+" | "++" | ".+";
  readonly count: number;
  readonly unit: "h" | "d" | "w" | "m" | "y";
};

const repeating = /<\d{4}-\d\d-\d\d [^>\n]*?([.+]?\+)(\d+)([hdwmy])(?:\/\d+[hdwmy])?[^>\n]*>/g;
const verbatim = /(?<![^\s\-–—('"{])([=~])(?! )[^\n]*?(?<! )\1(?![^\s\-–—.,:!?;'")}\\[])/g;

/** The next timestamp of an entry that repeats and counts: not in a comment, a block of source or an example. */
export function findRepeatingTimestamps(
  text: string,
  headline: Pick<Headline, "begin" | "lineEnd" | "sectionEnd">,
  from: number,
): RepeatingTimestamp | null {
  const { begin, sectionEnd, lineEnd } = headline;
  const blocks = findBlocks(text, { begin: lineEnd, end: sectionEnd });
  repeating.lastIndex = Math.max(from, begin);
  for (let hit = repeating.exec(text); hit !== null && hit.index < sectionEnd; hit = repeating.exec(text)) {
    const at = hit.index;
    const [whole, mark, count, unit] = hit;
    if (!counts(text, at, blocks)) continue;
    return {
      begin: at,
      end: at + whole.length,
      count: Number(count),
      mark: markOf(mark),
      unit: unitOf(unit),
    };
  }
  return null;
}

function counts(text: string, at: number, blocks: readonly Range[]): boolean {
  if (blocks.some(({ begin, end }) => begin <= at && at < end)) return false;
  const start = startOfLine(text, at);
  const line = text.slice(start, endOfLine(text, at));
  if (/^[ \t]*(?:#(?: |$)|:(?: |$)|CLOCK:)/.test(line)) return false;
  return ![...line.matchAll(verbatim)].some(
    ({ index, 0: whole }) => start + index < at && at < start + index + whole.length,
  );
}

function markOf(mark: string | undefined): RepeatingTimestamp["mark"] {
  return mark === "++" || mark === ".+" ? mark : "+";
}

function unitOf(unit: string | undefined): RepeatingTimestamp["unit"] {
  return unit === "h" || unit === "w" || unit === "m" || unit === "y" ? unit : "d";
}
