import { linePrefixEnd } from "../../text/line-prefix.ts";
import { findPrintedLines, type LineStarts, type PrintedLines } from "./printed-lines.ts";
import { escapedUnit, escapeEnd, foldUnit, isUnspaced, mark, separator } from "./text-folding.ts";

/** Marks a code unit that was not folded yet. */
const unknown = 0xffff;
const newline = 10;
const blank = 32;
const lastDigit = 57;
/** No letter up to this one belongs to a script without spaces. */
const lastSpaced = 0x2e7f;

/**
 * Reads the words of a text as they survive being carried: case, accents, line breaks, quoting, escaping and mark-up do not matter (see `text-folding.ts`).
 * A word is kept as two keyed hashes of 32 bits. Nobody can compute them without the key: four secret numbers of 32 bits.
 */
export class TextWords {
  /** How many words the last text has. What lies behind that in the arrays belongs to an earlier text. */
  count = 0;
  low = new Uint32Array(0);
  high = new Uint32Array(0);
  /** 1 for a word that begins with a letter, 0 for a number. */
  lettered = new Uint8Array(0);
  /** Where each word begins and ends in the text, in UTF-16 code units. */
  begin = new Uint32Array(0);
  end = new Uint32Array(0);

  #text = "";
  #units = new Uint16Array(0);
  readonly #folded = new Uint16Array(65_536).fill(unknown);
  readonly #key: Uint32Array;

  constructor(key: Uint32Array) {
    this.#key = key;
  }

  /** The parts of the text that was read last whose lines a program printed. */
  printedLines(): readonly PrintedLines[] {
    return findPrintedLines(this.#units, this.#text.length);
  }

  /** Fills the arrays with the words of a part of the text that was read last. */
  readPart({ begin, end, starts }: PrintedLines): void {
    this.#readUnits(begin, end, starts);
  }

  /** Fills the arrays with the words of this text. With `printed`, what a tool may have printed in front of a line is left out; gives whether there was any. */
  read(text: string, printed: boolean): boolean {
    this.#setText(text);
    return this.#readUnits(0, text.length, printed ? (start) => linePrefixEnd(text, start) : null);
  }

  #readUnits(begin: number, end: number, lineStart: LineStarts | null): boolean {
    const text = this.#text;
    const [lowSeed = 0, highSeed = 0, lowKey = 0, highKey = 0] = this.#key;
    const [lowFactor, highFactor] = [lowKey | 1, highKey | 1];
    const [folded, units] = [this.#folded, this.#units];
    const { low: lows, high: highs, begin: begins, end: ends, lettered: letters } = this;
    let [count, from, until, low, high, lettered] = [0, -1, 0, 0, 0, 0];
    let at = lineStart?.(begin) ?? begin;
    let leftOut = at > begin;
    while (at <= end) {
      let unit = units[at] ?? blank;
      let code = folded[unit] ?? separator;
      if (code === unknown) code = this.#fold(unit);
      let next = at + 1;
      if (code === mark) {
        next = escapeEnd(text, at);
        unit = escapedUnit(text, at, next);
        code = this.#fold(unit);
        if (code === mark) code = separator;
      }
      const isAlone = code > lastSpaced && isUnspaced(code);
      if (from >= 0 && (code === separator || isAlone)) {
        lows[count] = low ^ (low >>> 15);
        highs[count] = high ^ (high >>> 13);
        begins[count] = from;
        ends[count] = until;
        letters[count] = lettered;
        count += 1;
        from = -1;
      }
      if (code > mark && from < 0) {
        from = at;
        low = lowSeed;
        high = highSeed;
        lettered = code > lastDigit ? 1 : 0;
      }
      at = next;
      while (code > mark) {
        low = Math.imul(low ^ code, lowFactor);
        high = Math.imul(high ^ code, highFactor);
        until = at;
        // Most letters follow a letter. A character that was not met before, or needs a closer look, ends this loop.
        code = folded[units[at] ?? blank] ?? separator;
        if (code > lastSpaced) code = separator;
        if (code > mark) at += 1;
      }
      if (lineStart !== null && unit === newline) {
        at = lineStart(next);
        leftOut ||= at > next;
      }
    }
    this.count = count;
    return leftOut;
  }

  /** Takes a text as its code units, and a blank. Reading a string unit by unit takes longer. */
  #setText(text: string): void {
    this.#text = text;
    this.#makeRoom(text.length + 1);
    if (this.#units.length <= text.length) this.#units = new Uint16Array(Math.max(1024, 2 * text.length));
    Buffer.from(this.#units.buffer).write(text, "utf16le");
    this.#units[text.length] = blank;
  }

  #fold(unit: number): number {
    const code = foldUnit(unit);
    this.#folded[unit] = code;
    return code;
  }

  #makeRoom(words: number): void {
    if (words <= this.low.length) return;
    const size = Math.max(1024, words);
    this.low = new Uint32Array(size);
    this.high = new Uint32Array(size);
    this.begin = new Uint32Array(size);
    this.end = new Uint32Array(size);
    this.lettered = new Uint8Array(size);
  }
}
