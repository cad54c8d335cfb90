import { beginOf } from "../../../text/cut-text.ts";
import { firstPlaceOf } from "../../../text/places-of.ts";

/** What is compared of a file and of each of its lines, so that no file makes this slow. */
const maxLines = 20_000;
const maxPassageLines = 200;
const maxLineLength = 200;
const maxShown = 600;
const maxShownLines = 8;
/** The least share of pairs of characters in common for two lines to be called similar. */
const leastSimilar = 0.5;

/** Says why a passage that is not in a file may be missing, and what stands nearest: the same lines with other blanks, or the most similar line. */
export function describeNearest(bytes: Buffer, old: string): string {
  if (old.includes("\n") && !old.includes("\r") && bytes.includes("\r\n"))
    return "The file's lines end in CRLF: write \\r\\n in 'old' and 'new'.";
  const copy = "Read the file and copy the passage exactly, blanks included.";
  const lines = bytes.toString("utf8").split("\n", maxLines);
  const wanted = old.split("\n", maxPassageLines);
  const blanks = sameButBlanks(lines, wanted);
  if (blanks !== null)
    return `${placeOf(blanks, wanted.length)} has the same words with other blanks (spaces, tabs or indentation):\n${shown(lines, blanks, wanted.length)}`;
  const near = mostSimilar(lines, wanted);
  if (near === null) return copy;
  return `The most similar passage begins at line ${near + 1}:\n${shown(lines, near, wanted.length)}\n${copy}`;
}

/** The first line of a passage that equals the wanted one but for blanks; null if there is none. */
function sameButBlanks(lines: readonly string[], wanted: readonly string[]): number | null {
  const bare = (text: string): string => text.replaceAll(/\s+/g, "");
  const passage = wanted.map(bare);
  if (passage.join("") === "") return null;
  const bared = lines.map(bare);
  const last = passage.length - 1;
  const at = bared.findIndex((_, index) =>
    passage.every((part, offset) => {
      const other = bared[index + offset] ?? "";
      return offset === 0 || offset === last ? holds(other, part) : other === part;
    }),
  );
  return at === -1 ? null : at;
}

function holds(text: string, part: string): boolean {
  return part === "" || firstPlaceOf(part, text) !== -1;
}

/** The line where the passage most likely begins, from its longest line; null if no line is similar. */
function mostSimilar(lines: readonly string[], wanted: readonly string[]): number | null {
  const longest = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), "");
  const pairs = pairsOf(longest);
  let best = { at: -1, similarity: 0 };
  for (const [at, line] of lines.entries()) {
    const similarity = similarityOf(pairs, pairsOf(line));
    if (similarity > best.similarity) best = { at, similarity };
  }
  return best.similarity < leastSimilar ? null : Math.max(0, best.at - wanted.indexOf(longest));
}

/** The pairs of neighbouring characters of a line. */
function pairsOf(line: string): ReadonlySet<string> {
  const text = beginOf(line.trim(), maxLineLength);
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Dice's coefficient, from 0 to 1. */
function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const total = one.size + other.size;
  return total === 0 ? 0 : (2 * one.intersection(other).size) / total;
}

function placeOf(at: number, count: number): string {
  return count === 1 ? `Line ${at + 1}` : `The passage from line ${at + 1} to ${at + count}`;
}

function shown(lines: readonly string[], at: number, count: number): string {
  return lines
    .slice(at, at + Math.min(count, maxShownLines))
    .join("\n")
    .slice(0, maxShown);
}
