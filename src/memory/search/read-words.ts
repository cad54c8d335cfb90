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

/** Of how many words, and of how many stretches of text without blanks that are not in ASCII, a reader remembers the stems. */
const rememberedStems = 65_536;
const rememberedStretches = 20_000;

/** Turns a text into the words that it is found by, in order. */
export type WordReader = (text: string) => readonly string[];

/**
 * Reads words in lower case, without accents and stop words, each as its stem. What is written without spaces gives pairs of characters; `camelCase` its parts,
 * `read-file` its parts; at the end stand `camelcase` and `readfile` as one word too.
 */
export function makeWordReader(): WordReader {
  const stems = makeWordCache(rememberedStems, stemOf);
  const stretches = new Map<string, readonly string[] | null>();
  const stemsOfStretch = (stretch: string): readonly string[] | null => {
    const known = stretches.get(stretch);
    if (known !== undefined) return known;
    const read = inParts.test(stretch) || steps.test(stretch) ? null : stemsOf(plainWords(stretch));
    if (stretches.size >= rememberedStretches) stretches.clear();
    stretches.set(stretch, read);
    return read;
  };
  const write = makeCodeWriter();
  return (text) => {
    const given = { text, length: text.length, codes: write(text) };
    const reading: Reading = { ...given, read: [], wholes: [], steps: false, stems, stemsOfStretch };
    if (!readAlong(reading)) return stemsOf(plainWords(spreadCompounds(text)));
    if (reading.wholes.length > 0) reading.read.push(...stemsOf(reading.wholes));
    return reading.read;
  };
}

/** Texts up to this length (UTF-16 units) are written to one place again and again. */
const longestKept = 8192;

/** Gives the UTF-16 codes of a text, until it is asked for those of the next. */
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

/** A text that is read, and what was read of it so far. */
type Reading = {
  readonly text: string;
  readonly length: number;
  /** Its UTF-16 codes; what follows its length is of another text. */
  readonly codes: Uint16Array;
  readonly read: string[];
  /** Compounds as one word. */
  readonly wholes: string[];
  /** A digit stands before a capital: the two are taken apart in a text that has compounds, and in no other. */
  steps: boolean;
  readonly stems: WordCache<string | null>;
  /** The stems of a stretch of text without blanks; null for one that must be read with all of its text. */
  readonly stemsOfStretch: (stretch: string) => readonly string[] | null;
};

/** Reads a text from left to right, copying none of it; false for one that must be read otherwise. */
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
      // What was read of the stretch so far is among them.
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

/** Reads the words in ASCII from an offset on that are joined by their case or by a hyphen or underscore between two of them; returns where they end. */
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

/** A hyphen or underscore that a letter or digit follows. */
function joinsWords({ codes, length }: Reading, at: number): boolean {
  if (at + 1 >= length) return false;
  const code = codes[at];
  return (code === hyphen || code === underscore) && wordCode(codes[at + 1] ?? 0) > 0;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** All words of a text in lower case and without accents. */
export function plainWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!/[^ -~\s]/.test(lower)) return lower.match(/[a-z0-9]+/g) ?? [];
  const bare = lower
    .normalize("NFKD")
    .replace(/\p{Mn}+/gu, (marks) => marks.replace(/[\u0300-\u036f]+/gu, ""));
  const spaced = bare.normalize("NFC").replace(unspaced, (run) => ` ${pairs(run)} `);
  return spaced.match(word) ?? [];
}

function spreadCompounds(text: string): string {
  if (!inParts.test(text)) return text;
  const compounds = (text.match(maybeInParts) ?? []).filter((part) => inParts.test(part));
  const whole = compounds.map((compound) => compound.replace(/[-_]/g, ""));
  return `${text.replace(camelStep, "$1 ")} ${whole.join(" ").toLowerCase()}`;
}

/** Each two neighbouring characters of a run; a single character stays alone. */
function pairs(run: string): string {
  const characters = [...run];
  if (characters.length === 1) return run;
  return characters
    .slice(1)
    .map((character, at) => `${characters[at] ?? ""}${character}`)
    .join(" ");
}
