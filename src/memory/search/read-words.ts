import { pushAll } from "../../text/lists.ts";
import { baseForm } from "./irregular-words.ts";
import { stemWord } from "./stem-word.ts";
import { isStopWord } from "./stop-words.ts";
import { makeWordCache, nextHash, type WordCache, wordCode } from "./word-cache.ts";

/** Scripts that are written without spaces: Thai, Lao, Myanmar, Khmer, Kana, Han. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+/gu;
const camelStep = /(\p{Ll}|\p{N})(?=\p{Lu})/gu;
const inParts = /\p{Ll}\p{Lu}|[\p{L}\p{N}][-_][\p{L}\p{N}]/u;
const maybeInParts = /[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu;
const word = /[\p{L}\p{N}\p{M}]+/gu;

const steps = /\p{N}\p{Lu}/u;
const hyphen = 0x2d;
const underscore = 0x5f;
const digitNine = 0x39;
const smallA = 0x61;

/** Cache sizes of a reader: words, and runs of non-blank text with characters beyond ASCII. */
const rememberedStems = 65_536;
const rememberedStretches = 20_000;

/** Turns a text into its search words, in order. */
export type WordReader = (text: string) => readonly string[];

/** What a reader is for. A text also gives the last character of each run without spaces, so that each character of it begins a term; a question does not. */
export type ReaderUse = "text" | "question";

/**
 * Makes a reader that gives the stems of words in lower case, without accents and stop words. Scripts without spaces give pairs of characters; `camelCase` and
 * `read-file` give their parts, and at the end `camelcase` and `readfile` as one word too.
 */
export function makeWordReader(use: ReaderUse = "question"): WordReader {
  const stems = makeWordCache(rememberedStems, stemOf);
  const stretches = new Map<string, readonly string[] | null>();
  const stemsOfStretch = (stretch: string): readonly string[] | null => {
    const known = stretches.get(stretch);
    if (known !== undefined) return known;
    const read = inParts.test(stretch) || steps.test(stretch) ? null : stemsOf(plainWords(stretch, use));
    if (stretches.size >= rememberedStretches) stretches.clear();
    stretches.set(stretch, read);
    return read;
  };
  const write = makeCodeWriter();
  return (text) => {
    const given = { text, length: text.length, codes: write(text) };
    const reading: Reading = { ...given, read: [], wholes: [], steps: false, stems, stemsOfStretch };
    if (!readAlong(reading)) return stemsOf(plainWords(spreadCompounds(text), use));
    if (reading.wholes.length > 0) pushAll(reading.read, stemsOf(reading.wholes));
    return reading.read;
  };
}

/** Texts up to this length (UTF-16 units) share one buffer. */
const longestKept = 8192;

/** Makes a function that gives the UTF-16 codes of a text. They are valid until the next call. */
function makeCodeWriter(): (text: string) => Uint16Array {
  const kept = Buffer.allocUnsafe(longestKept * 2);
  return (text) => {
    const place = text.length <= longestKept ? kept : Buffer.allocUnsafe(text.length * 2);
    place.write(text, "utf16le");
    return new Uint16Array(place.buffer, place.byteOffset, place.length / 2);
  };
}

function stemsOf(forms: readonly string[]): readonly string[] {
  return forms.map(stemOf).filter((stem) => stem !== null);
}

function stemOf(form: string): string | null {
  return isStopWord(form) ? null : stemWord(baseForm(form));
}

/** A text being read, with the words read so far. */
type Reading = {
  readonly text: string;
  readonly length: number;
  /** Its UTF-16 codes. Codes beyond `length` belong to another text. */
  readonly codes: Uint16Array;
  readonly read: string[];
  /** Compounds joined into one word. */
  readonly wholes: string[];
  /** True if a digit precedes a capital letter. They are separated only in a text that has compounds. */
  steps: boolean;
  readonly stems: WordCache<string | null>;
  /** The stems of a run of non-blank text; null if it must be read together with the whole text. */
  readonly stemsOfStretch: (stretch: string) => readonly string[] | null;
};

/** Reads a text from left to right without copying it; false if it must be read in the general way. */
function readAlong(reading: Reading): boolean {
  const { text, length, codes, read, stemsOfStretch } = reading;
  let stretch = 0;
  let before = 0;
  let at = 0;
  while (at < length) {
    const code = codes[at] ?? 0;
    if (code > 127) {
      while (at < length && !isBlank(codes[at] ?? 0)) at += 1;
      const stems = stemsOfStretch(text.slice(stretch, at));
      if (stems === null) return false;
      // They include the stems that were read of this run so far.
      read.length = before;
      for (const stem of stems) read.push(stem);
    } else if (wordCode(code) > 0) {
      at = readCompound(reading, at);
    } else {
      at += 1;
      if (isBlank(code)) {
        stretch = at;
        before = read.length;
      }
    }
  }
  return !reading.steps || reading.wholes.length === 0;
}

/** Reads an ASCII word or compound, whose parts are joined by case, hyphens or underscores, and returns its end. */
function readCompound(reading: Reading, begin: number): number {
  const { text, length, codes } = reading;
  let at = begin;
  let word = begin;
  let hash = 0;
  let isCompound = false;
  for (;;) {
    const code = at < length ? (codes[at] ?? 0) : 0;
    const lower = wordCode(code);
    const previous = lower !== code && at > word ? (codes[at - 1] ?? 0) : 0;
    if (lower > 0 && previous > 0 && previous <= digitNine) reading.steps = true;
    const isStep = lower > 0 && previous >= smallA;
    if (lower === 0 || isStep) {
      const stem = reading.stems.find(codes, word, at, hash);
      if (stem !== null) reading.read.push(stem);
      if (!isStep && !joinsWords(reading, at)) break;
      isCompound = true;
      hash = 0;
      word = isStep ? at : at + 1;
    }
    if (lower > 0) hash = nextHash(hash, lower);
    at += 1;
  }
  if (isCompound) reading.wholes.push(text.slice(begin, at).replace(/[-_]/g, "").toLowerCase());
  return at;
}

/** True at a hyphen or underscore before a letter or digit. */
function joinsWords({ codes, length }: Reading, at: number): boolean {
  if (at + 1 >= length) return false;
  const code = codes[at];
  return (code === hyphen || code === underscore) && wordCode(codes[at + 1] ?? 0) > 0;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Letters that no decomposition folds. */
const foldedLetters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
]);

/** All words of a text in lower case and without accents. */
export function plainWords(text: string, use: ReaderUse = "question"): readonly string[] {
  const lower = text.toLowerCase();
  if (!/[^ -~\s]/.test(lower)) return lower.match(/[a-z0-9]+/g) ?? [];
  const bare = lower
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, (marks) => marks.replace(/[\u0300-\u036f]+/gu, ""))
    .replace(/[ßæœøłđ]/gu, (letter) => foldedLetters.get(letter) ?? letter);
  const spaced = bare.normalize("NFC").replace(unspaced, (run) => ` ${pairs(run, use)} `);
  return spaced.match(word) ?? [];
}

function spreadCompounds(text: string): string {
  if (!inParts.test(text)) return text;
  const compounds = (text.match(maybeInParts) ?? []).filter((part) => inParts.test(part));
  const whole = compounds.map((compound) => compound.replace(/[-_]/g, ""));
  return `${text.replace(camelStep, "$1 ")} ${whole.join(" ").toLowerCase()}`;
}

/** The pairs of neighbouring characters of a run, and for a text its last character; a single character stays as it is. */
function pairs(run: string, use: ReaderUse): string {
  const characters = [...run];
  if (characters.length === 1) return run;
  const joined = characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
  return [...joined, ...(use === "text" ? characters.slice(-1) : [])].join(" ");
}
