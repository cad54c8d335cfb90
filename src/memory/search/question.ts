import { dayPhrases } from "./day-words.ts";
import { plainWords, type WordReader } from "./read-words.ts";

/** A question as the index understands it. */
export type Question = {
  /** Its words as they are, in lower case: a name may be among them. */
  readonly plain: ReadonlySet<string>;
  /** Those that begin with a capital letter: the short form of a name may be among them. */
  readonly capital: ReadonlySet<string>;
  /** The stems that any row may have. */
  readonly terms: readonly string[];
  /** Rows of stems that count where they stand together: compounds such as `read-file`, and days. */
  readonly phrases: readonly string[];
  /** Rows of stems that each row must have: what stands in quotation marks. */
  readonly required: readonly string[];
  /** It asks for a time. */
  readonly asksWhen: boolean;
};

const quoted = /["“”„«»]([^"“”„«»]+)["“”„«»]/gu;
const compound = /[\p{L}\p{N}]+(?:[-_./:@#][\p{L}\p{N}]+)+|(?<!\p{L})\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const asksForTime = /\b(?:when|how long|(?:what|which) (?:year|month|week|day|date|time))\b/iu;

/** A longer text is asked as it begins, in characters: each word more is one more to look for. */
const longestQuestion = 2000;

/** Reads any text as a question. One without a letter or a number has no terms. */
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

/** The words of a question that name somebody: a whole name, or with a capital letter the first three letters of it or more. */
export function wordsThatName({ plain, capital }: Question, name: string): readonly string[] {
  const short = [...capital].filter((word) => word.length >= 3 && name.startsWith(word));
  return plain.has(name) ? [name, ...short] : short;
}

/** A compound with spaces between its parts, so that it is not read as one word too. */
function spread(part: string): string {
  return part.replace(/[-_]/g, " ").replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ");
}
