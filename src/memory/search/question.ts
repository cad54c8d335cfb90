import { dayPhrases } from "./day-words.ts";
import { plainWords, type WordReader } from "./read-words.ts";

/** A parsed question. */
export type Question = {
  /** Its words in lower case, without stemming; they may include a name. */
  readonly plain: ReadonlySet<string>;
  /** Its capitalised words in lower case; they may include the short form of a name. */
  readonly capital: ReadonlySet<string>;
  /** Optional stems. */
  readonly terms: readonly string[];
  /** Sequences of stems that count if they occur together: compounds such as `read-file`, and days. */
  readonly phrases: readonly string[];
  /** Required sequences of stems: the quoted parts. */
  readonly required: readonly string[];
  /** True for a question about a time. */
  readonly asksWhen: boolean;
};

const quoted = /["“”„«»]([^"“”„«»]+)["“”„«»]/gu;
const compound = /[\p{L}\p{N}]+(?:[-_./:@#][\p{L}\p{N}]+)+|(?<!\p{L})\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const asksForTime = /\b(?:when|how long|(?:what|which) (?:year|month|week|day|date|time))\b/iu;

/** Longer questions are cut (characters), because each word costs a search. */
const longestQuestion = 2000;

/** Parses any text as a question. A text without letters and digits has no terms. */
export function readQuestion(whole: string, read: WordReader): Question {
  const text = whole.slice(0, longestQuestion);
  const phrase = (part: string): string => read(part).join(" ");
  const several = (part: string): boolean => part.includes(" ");
  const days = dayPhrases(text).map(phrase);
  return {
    plain: new Set(plainWords(text)),
    capital: new Set((text.match(capitalised) ?? []).flatMap(plainWords)),
    terms: [...new Set(read(text))],
    phrases: [
      ...new Set(
        [...(text.match(compound) ?? []).map((part) => phrase(spread(part))), ...days].filter(several),
      ),
    ],
    required: [...text.matchAll(quoted)].map(([, part = ""]) => phrase(part)).filter((part) => part !== ""),
    asksWhen: asksForTime.test(text),
  };
}

/** The words of a question that name a person: the whole name, or a capitalised word of at least its first three letters. */
export function wordsThatName({ plain, capital }: Question, name: string): readonly string[] {
  const short = [...capital].filter((word) => word.length >= 3 && name.startsWith(word));
  return plain.has(name) ? [name, ...short] : short;
}

/** A compound with spaces between its parts, so that it is not also read as one word. */
function spread(part: string): string {
  return part.replace(/[-_]/g, " ").replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ");
}
