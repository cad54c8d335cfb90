/** The longest place or number in front of a line, in code units. */
const longest = 300;

const marks = /[-+<>|#*;%! \t]*/y;
const number = /\d+(?:[:.)|\u2192]|\t| {2,})/y;
const behindPlace = /:(?:\d+:)?|-\d+-/y;
const commit = /^\^?[0-9a-f]{7,40}$/;
const blame = /^[^(]*\([^)]*\d{4}-\d\d-\d\d[^)]*\)/;

/**
 * Where the words of a line begin that starts here: behind what a tool printed in front of it, which is a place (`notes/x.org:12:`),
 * a number (`12:`) or the columns of `git blame`, with quoting marks before them.
 */
export function linePrefixEnd(text: string, start: number): number {
  if (!mayHavePrefix(text, start)) return start;
  marks.lastIndex = start;
  const from = start + (marks.exec(text)?.[0].length ?? 0);
  number.lastIndex = from;
  if (number.test(text)) return number.lastIndex;
  const line = text.slice(from, from + longest).split("\n", 1)[0] ?? "";
  const token = line.split(/\s/, 1)[0] ?? "";
  const length = commit.test(token) ? (blame.exec(line)?.[0].length ?? 0) : placeLength(token);
  return length === 0 ? start : from + length;
}

/** How much of a word is a file's name with what `grep` prints behind it; 0 where it is none. */
function placeLength(token: string): number {
  const named = token.search(/[./]/);
  if (named < 0) return 0;
  for (let at = token.search(/[:-]/); at >= 0 && at < token.length; at += 1) {
    behindPlace.lastIndex = at;
    if (at > named && behindPlace.test(token)) return behindPlace.lastIndex;
  }
  return 0;
}

/** False for a line that begins like prose: its first word has no digit and none of the marks that a place or a number has. */
function mayHavePrefix(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 32) {
      if (unit === 10 || (at > start && text.charCodeAt(at - 1) > 63)) return false;
    } else if (unit < 63 && unit !== 39 && unit !== 34 && unit !== 44) return true;
  }
  return false;
}
