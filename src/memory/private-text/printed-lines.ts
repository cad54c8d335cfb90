/** Where the words of a line begin that starts at a place. */
export type LineStarts = (start: number) => number;

const newline = 10;
const colon = 58;
/** So many lines in a row begin alike, or so many that are near each other are repeated, where a program printed them. */
const fewest = { alike: 3, repeated: 4 };
const near = 8;
/** What the lines of a text have at least on average, in code units: shorter ones hold no words behind what is printed. */
const shortest = 5;
const linesAround = 2;
/** How much of a line is compared first, and the longest line that is compared as a whole, in code units. */
const first = 16;
const longest = 200;

const kinds = { other: 0, letter: 1, digit: 2, blank: 3 } as const;
/** The kind of each code unit of ASCII. All others count as letters. */
const kindOf = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[a-z]/i.test(character)) return kinds.letter;
  return /\d/.test(character) ? kinds.digit : /[ \t]/.test(character) ? kinds.blank : kinds.other;
});

/** Lines of a text that a program printed, and where their words begin. */
export type PrintedLines = { readonly begin: number; readonly end: number; readonly starts: LineStarts };

/** A text with its lines that are not empty. */
type Lines = {
  readonly units: Uint16Array;
  readonly begins: readonly number[];
  readonly ends: readonly number[];
};

/**
 * The parts of a text whose lines have something in common with the line before or after them, or are repeated, where words with numbers count as equal: line
 * numbers, counts, times, columns of `git blame`, keys of JSON. The words of such a line begin behind that, and a line that is repeated has none.
 */
export function findPrintedLines(units: Uint16Array, length: number): readonly PrintedLines[] {
  const lines = linesOf(units, length);
  if (shortest * lines.begins.length > length) return [];
  return partsOf(mayBePrinted(lines), near).flatMap(([from, to]) =>
    printedLinesOf({ units, begins: lines.begins.slice(from, to + 1), ends: lines.ends.slice(from, to + 1) }),
  );
}

/** The lines that may be printed, by how they begin: most lines of prose are told apart by that. */
function mayBePrinted({ units, begins }: Lines): Uint8Array {
  const marked = new Uint8Array(begins.length);
  const seen = new Int32Array(1024).fill(-3 * near);
  const isRepeated = new Uint8Array(begins.length);
  let [alike, repeated, before] = [1, 0, -1];
  for (let line = 0; line < begins.length; line += 1) {
    const two = beginningOf(units, begins[line] ?? 0, 2);
    alike = two === before ? alike + 1 : 1;
    before = two;
    const place = beginningOf(units, begins[line] ?? 0, 7) & 1023;
    isRepeated[line] = Number(line - (seen[place] ?? 0) < 3 * near);
    seen[place] = line;
    repeated += (isRepeated[line] ?? 0) - (isRepeated[line - near] ?? 0);
    if (alike >= fewest.alike || repeated >= fewest.repeated) marked[line] = 1;
  }
  return marked;
}

/** A number for how a line begins behind its blanks; the digits of hashes are equal. */
function beginningOf(units: Uint16Array, begin: number, length: number): number {
  let at = begin;
  while (units[at] === 32 || units[at] === 9) at += 1;
  let beginning = 0;
  for (let left = length; left > 0; left -= 1, at += 1) {
    const unit = units[at] ?? 0;
    if (unit === newline) break;
    const isHex = (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102);
    beginning = Math.imul(beginning, 31) + (isHex ? 48 : unit);
  }
  return beginning ^ (beginning >>> 10);
}

function printedLinesOf(lines: Lines): readonly PrintedLines[] {
  const { begins, ends } = lines;
  const starts = Uint32Array.from(begins);
  const isPrinted = new Uint8Array(begins.length);
  const kept = leaveOutRepeated(lines, starts);
  markRepeated(lines, starts, isPrinted);
  let alike = 1;
  for (let index = 1; index < kept.length; index += 1) {
    const [line, before] = [kept[index] ?? 0, kept[index - 1] ?? 0];
    const shared = sharedEnds(lines, line, before);
    alike = shared === null ? 1 : alike + 1;
    if (shared === null) continue;
    if (alike >= fewest.alike) isPrinted.fill(1, kept[index + 1 - fewest.alike], line + 1);
    starts[before] = Math.max(starts[before] ?? 0, shared.there);
    starts[line] = shared.at;
  }
  const startOf: LineStarts = (start) => starts[placeOf(start, begins)] ?? start;
  return partsOf(isPrinted, linesAround).map(([from, to]) => ({
    begin: begins[from] ?? 0,
    end: ends[to] ?? 0,
    starts: startOf,
  }));
}

/** The place of a number in a list that grows; -1 where it is not in it. */
function placeOf(wanted: number, list: readonly number[]): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = list[middle] ?? 0;
    if (there === wanted) return middle;
    if (there < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The first and the last line of each part, with some lines around what is marked. */
function partsOf(isPrinted: Uint8Array, around: number): readonly (readonly [from: number, to: number])[] {
  const parts: [number, number][] = [];
  for (let at = isPrinted.indexOf(1); at >= 0; at = isPrinted.indexOf(1, at + 1)) {
    const [from, to] = [Math.max(0, at - around), Math.min(isPrinted.length - 1, at + around)];
    const part = parts.at(-1);
    if (part !== undefined && from <= part[1] + 1) part[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}

function linesOf(units: Uint16Array, length: number): Lines {
  const [begins, ends]: [number[], number[]] = [[], []];
  for (let begin = 0; begin < length; ) {
    const found = units.indexOf(newline, begin);
    const end = found < 0 || found > length ? length : found;
    if (end > begin) {
      begins.push(begin);
      ends.push(end);
    }
    begin = end + 1;
  }
  return { units, begins, ends };
}

/** Notes the ends of the lines that stand in a text more than once, and gives the places of the others. Properties of Org are no such lines. */
function leaveOutRepeated(lines: Lines, starts: Uint32Array): readonly number[] {
  const { units, begins, ends } = lines;
  const candidates = repeatedOf(
    begins.map((begin, line) => shapeOf(units, begin, Math.min(begin + first, ends[line] ?? 0))),
  );
  const shapes = begins.map((begin, line) => {
    const end = ends[line] ?? 0;
    const mayBe = candidates[line] === true && end - begin <= longest && units[begin] !== colon;
    return mayBe ? shapeOf(units, begin, end) : 0;
  });
  const isRepeated = repeatedOf(shapes);
  const kept: number[] = [];
  for (const line of begins.keys()) {
    if (isRepeated[line] === true) starts[line] = ends[line] ?? 0;
    else kept.push(line);
  }
  return kept;
}

/** Which of some numbers that are not 0 occur more than once. */
function repeatedOf(shapes: readonly number[]): readonly boolean[] {
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const shape of shapes) (seen.has(shape) ? repeated : seen).add(shape);
  return shapes.map((shape) => shape !== 0 && repeated.has(shape));
}

/** Marks where many lines that stand near each other are repeated. */
function markRepeated({ ends }: Lines, starts: Uint32Array, isPrinted: Uint8Array): void {
  const isLeftOut = (line: number): number => Number(line >= 0 && starts[line] === ends[line]);
  let count = 0;
  for (const line of ends.keys()) {
    count += isLeftOut(line) - isLeftOut(line - near);
    if (count >= fewest.repeated) isPrinted.fill(1, Math.max(0, line + 1 - near), line + 1);
  }
}

/** A number that lines have in common which are equal but for blanks and words with numbers; 0 for a line without words. */
function shapeOf(units: Uint16Array, begin: number, end: number): number {
  let [shape, word, isWord, isNumber, hasWord] = [0, 0, false, false, false];
  for (let at = begin; at <= end; at += 1) {
    const unit = at < end ? (units[at] ?? 0) : newline;
    const kind = unit < 128 ? kindOf[unit] : kinds.letter;
    if (kind === kinds.letter || kind === kinds.digit) {
      word = (Math.imul(word, 31) + unit) | 0;
      isNumber ||= kind === kinds.digit;
      isWord = true;
      continue;
    }
    if (isWord) {
      shape = (Math.imul(shape, 31) + (isNumber ? 7 : word)) | 0;
      hasWord = true;
      [word, isWord, isNumber] = [0, false, false];
    }
    if (kind !== kinds.blank) shape = (Math.imul(shape, 31) + unit) | 0;
  }
  return hasWord ? shape || 1 : 0;
}

/** Where what two lines begin with alike ends in each of them; null where no word is in it. */
function sharedEnds(
  { units, begins, ends }: Lines,
  line: number,
  other: number,
): { readonly at: number; readonly there: number } | null {
  let [at, there] = [begins[line] ?? 0, begins[other] ?? 0];
  const [end, endThere] = [ends[line] ?? 0, ends[other] ?? 0];
  let hasWord = false;
  while (at < end && there < endThere) {
    const unit = units[at] ?? 0;
    const kind = unit < 128 ? kindOf[unit] : kinds.letter;
    if (kind === kinds.letter || kind === kinds.digit) {
      const word = { begin: at, end: wordEnd(units, at, end) };
      const wordThere = { begin: there, end: wordEnd(units, there, endThere) };
      if (!areAlike(units, word, wordThere)) break;
      at = word.end;
      there = wordThere.end;
      hasWord = true;
    } else if (kind === kinds.blank) {
      if (kindOf[units[there] ?? 0] !== kinds.blank) break;
      while (kindOf[units[at] ?? 0] === kinds.blank) at += 1;
      while (kindOf[units[there] ?? 0] === kinds.blank) there += 1;
    } else {
      if (unit !== units[there]) break;
      at += 1;
      there += 1;
    }
  }
  return hasWord ? { at, there } : null;
}

/** Whether two words are the same, or each has a number in it. */
function areAlike(units: Uint16Array, word: Word, other: Word): boolean {
  const length = word.end - word.begin;
  if (other.end === other.begin) return false;
  let isSame = length === other.end - other.begin;
  for (let at = 0; isSame && at < length; at += 1)
    isSame = units[word.begin + at] === units[other.begin + at];
  return isSame || (hasNumber(units, word) && hasNumber(units, other));
}

type Word = { readonly begin: number; readonly end: number };

function hasNumber(units: Uint16Array, { begin, end }: Word): boolean {
  for (let at = begin; at < end; at += 1) if (kindOf[units[at] ?? 0] === kinds.digit) return true;
  return false;
}

function wordEnd(units: Uint16Array, begin: number, end: number): number {
  let at = begin;
  for (; at < end; at += 1) {
    const unit = units[at] ?? 0;
    if (unit < 128 && kindOf[unit] !== kinds.letter && kindOf[unit] !== kinds.digit) break;
  }
  return at;
}
