import { baseForm } from "./irregular-words.ts";
import { stemWord } from "./stem-word.ts";
import { isStopWord } from "./stop-words.ts";

/** Scripts that are written without spaces: Thai, Lao, Myanmar, Khmer, Kana, Han. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+/gu;
const camelStep = /(\p{Ll}|\p{N})(?=\p{Lu})/gu;
const inParts = /\p{Ll}\p{Lu}|[\p{L}\p{N}][-_][\p{L}\p{N}]/u;
const maybeInParts = /[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu;
const word = /[\p{L}\p{N}\p{M}]+/gu;

/** How many words a reader remembers the stems of. */
const rememberedStems = 50_000;

/** Turns a text into the words that it is found by, in order. */
export type WordReader = (text: string) => readonly string[];

/**
 * Reads words in lower case, without accents and stop words, each as its stem. What is written without spaces gives pairs of characters; `camelCase` its parts,
 * `read-file` its parts; at the end stand `camelcase` and `readfile` as one word too.
 */
export function makeWordReader(): WordReader {
  const stems = new Map<string, string | null>();
  const stemOf = (form: string): string | null => {
    const known = stems.get(form);
    if (known !== undefined) return known;
    const stem = isStopWord(form) ? null : stemWord(baseForm(form));
    if (stems.size >= rememberedStems) stems.clear();
    stems.set(form, stem);
    return stem;
  };
  return (text) => {
    const read: string[] = [];
    for (const form of plainWords(spreadCompounds(text))) {
      const stem = stemOf(form);
      if (stem !== null) read.push(stem);
    }
    return read;
  };
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
