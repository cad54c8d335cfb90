import { dayPhrases } from "./day-words.ts";
import { emptyWords, isSmallTalk } from "./question-words.ts";
import { plainWords, type WordReader } from "./read-words.ts";
import { type DayRange, readNamedDays } from "./relative-days.ts";

/** A parsed question. */
export type Question = {
  /** Its words in lower case, without stemming; they may include a name. */
  readonly plain: ReadonlySet<string>;
  /** Its capitalised words in lower case; they may include the short form of a name. */
  readonly capital: ReadonlySet<string>;
  /** Optional stems. */
  readonly terms: readonly string[];
  /** The stems of its capitalised words. */
  readonly names: ReadonlySet<string>;
  /** Sequences of stems that count if they occur together: compounds such as `read-file`, and days. */
  readonly phrases: readonly string[];
  /** Required sequences of stems: the quoted parts. */
  readonly required: readonly string[];
  /** True for a question about a time. */
  readonly asksWhen: boolean;
  /** The days that it names, such as those of "last week", and the stems of words that name them and may stand in a text, such as a month. */
  readonly days: readonly DayRange[];
  readonly dayWords: readonly string[];
  /** True for words that greet, thank or agree, and ask nothing. */
  readonly isSmallTalk: boolean;
};

const quoted = /["“”„«»]([^"“”„«»]+)["“”„«»]/gu;
const compound = /[\p{L}\p{N}]+(?:[-_./:@#][\p{L}\p{N}]+)+|(?<!\p{L})\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const asksForTime =
  /\b(?:when|how long|(?:what|which) (?:year|month|week|day|date|time)|wann|wie lange|wanneer|hoe lang)\b|いつ|什么时候|何时/iu;

/** Longer questions are cut (characters), because each word costs a search. */
const longestQuestion = 2000;

/** Parses any text as a question. A text without letters and digits has no terms. */
export function readQuestion(whole: string, read: WordReader, now: number): Question {
  const text = whole.slice(0, longestQuestion);
  const phrase = (part: string): string => read(part).join(" ");
  const several = (part: string): boolean => part.includes(" ");
  const days = dayPhrases(text).map(phrase);
  const plain = plainWords(text);
  const named = readNamedDays(text, now);
  const stemsOf = (words: Iterable<string>): readonly string[] => read([...words].join(" "));
  const left = new Set(stemsOf([...emptyWords(plain), ...named.frame, ...named.words]));
  const terms = [...new Set(read(text))];
  const capital = new Set((text.match(capitalised) ?? []).flatMap((word) => plainWords(word)));
  return {
    plain: new Set(plain),
    capital,
    terms: terms.filter((term) => !left.has(term)),
    names: new Set(stemsOf(capital)),
    days: named.ranges,
    dayWords: stemsOf(named.words),
    isSmallTalk: isSmallTalk(plain),
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
