/** The longest place or number in front of a line, in code units. */
const longest = 300;

const marks = /[-+<>|#*;%! \t]*/y;
const number = /\d+(?:[:.)|\u2192]|\t| {2,})/y;
const commit = /^\^?[0-9a-f]{7,40}$/;
const blame = /^[^(]*\([^)]*\d{4}-\d\d-\d\d[^)]*\)/;
const behindPlace = /:(?:\d+:)?|-\d+-/y;

/**
 * Where the words of a line begin that starts here: behind what a tool printed in front of it, which is a place (`notes/x.org:12:`),
 * a number (`12:`) or the columns of `git blame`, with quoting marks before them.
 */
export function linePrefixEnd(text: string, start: number): number {
  if (!beginsWithMark(text, start)) return start;
  marks.lastIndex = start;
  marks.test(text);
  const from = marks.lastIndex;
  if (isDigit(text.charCodeAt(from))) {
    number.lastIndex = from;
    if (number.test(text)) return number.lastIndex;
  }
  const end = wordEnd(text, from);
  const word = text.slice(from, end);
  const length = commit.test(word) ? blameLength(text, from) : placeLength(word);
  return length === 0 ? start : from + length;
}

/** False for a line that begins like prose: its first word has no digit and none of the marks that a place or a number has. */
function beginsWithMark(text: string, start: number): boolean {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 32) {
      if (unit === 10 || (at > start && text.charCodeAt(at - 1) > 63)) return false;
    } else if (unit < 63 && unit !== 39 && unit !== 34 && unit !== 44) return true;
  }
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + longest);
  let at = from;
  while (at < limit && text.charCodeAt(at) > 32) at += 1;
  return at;
}

/** How much of a line the columns of `git blame` take; 0 where there are none. */
function blameLength(text: string, from: number): number {
  const line = text.slice(from, from + longest).split("\n", 1)[0] ?? "";
  return blame.exec(line)?.[0].length ?? 0;
}

/** How much of a word is a file's name with what `grep` prints behind it; 0 where it is none. */
function placeLength(word: string): number {
  const named = word.search(/[./]/);
  if (named < 0) return 0;
  for (let at = named + 1; at < word.length; at += 1) {
    behindPlace.lastIndex = at;
    if (behindPlace.test(word)) return behindPlace.lastIndex;
  }
  return 0;
}
