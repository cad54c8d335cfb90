import { findIdentifiers, type Identifier } from "./identifiers.ts";
import { targetPrepositions } from "./lexicon.ts";
import { findSetApart } from "./set-apart.ts";
import { findShown } from "./shown-text.ts";
import { makeIsInside, makeOverlaps, type Span } from "./spans.ts";

/** A word of the owner with what stands before it. */
export type Word = {
  /** In lower case, without possessive and closing punctuation; of a name in quotes the apostrophe stays. */
  readonly text: string;
  readonly identifier: Identifier | null;
  /** Whether it begins with a capital letter. */
  readonly capital: boolean;
  /** Whether it has a possessive: "Bob's", "Davies'". */
  readonly possessive: boolean;
  /** Whether it is a part of a date, and of which. */
  readonly dated: boolean;
  readonly date: string | null;
  /** Whether the sign of a currency stands before or behind it: "$50". The sign of any other is a word. */
  readonly priced: boolean;
  /** Whether a name in quotes begins or ends with it. */
  readonly opens: boolean;
  readonly closes: boolean;
  /** Whether it stands right behind "to", without an article, and no noun follows. */
  readonly bare: boolean;
  /**
   * `name`: in quotes, as people write names. `content`: a text that is quoted, announced or only shown,
   * which asks for nothing and names nothing.
   */
  readonly role: "plain" | "name" | "content";
  /** What stands between this word and the one before it: the end of a sentence, a comma, or neither. */
  readonly after: "sentence" | "comma" | "nothing";
  /** Whether a colon stands before it. */
  readonly announced: boolean;
  /** Whether it stands in brackets, or in a sentence that is emphasised as a whole. */
  readonly apart: boolean;
  /** Whether a new line begins with it, and whether that is an item of a list. */
  readonly line: "none" | "line" | "item";
  /** Whether the sentence that this word stands in ends with a question mark. */
  readonly asked: boolean;
};

/** Words, and signs that make another amount of a number: "10%", "~50", "¥50". */
const wordPattern = /[\p{L}\p{N}#][\p{L}\p{N}\p{M}_'’./@:+&-]*|[%‰~≈<>≤≥±]|(?![$€£])\p{Sc}/gu;
/**
 * Signs that are no words, and marks of a comment, of a list of what is to be done, or of words that are
 * struck out.
 */
const signPattern = /\p{So}|[×¬≠∅]|(?<![:\p{L}])\/\/|\/\*|\[ ?\]|(?<=^[ \t]*)(?:--|;)|(?<!\S)\+(?=\p{L})/gmu;
/** A quotation with more words than this is a text and not a name. */
const longestName = 8;

/** Splits a text into its words. Identifiers are single words. */
export function splitWords(text: string): readonly Word[] {
  const identifiers = findIdentifiers(text);
  const quotes = findQuotes(text);
  const isShown = makeIsInside([...findShown(text, quotes), ...findTitled(text)]);
  const isApart = makeIsInside(findSetApart(text, quotes));
  const quotesAt = makeOverlaps(quotes);
  const datesAt = makeOverlaps(identifiers.filter(({ form }) => form === "date"));
  const starting = new Map(identifiers.map((one) => [one.start, one]));
  const words: Omit<Word, "bare">[] = [];
  const isAsked = questionsOf(text);
  let end = 0;
  for (const span of wordSpans(text, identifiers, quotes)) {
    const around = quotesAt(span);
    const role = isShown(span) ? "content" : roleIn(span, around);
    const bare = bareWord(text.slice(span.start, span.end), role);
    if (bare === "") continue;
    const date = datesAt(span)[0]?.value ?? null;
    const between = text.slice(end, span.start);
    words.push({
      text: bare,
      identifier: starting.get(span.start) ?? null,
      capital: /^\p{Lu}/u.test(text.slice(span.start, span.start + 2)),
      possessive: isPossessive(text, span, around),
      dated: date !== null,
      date,
      priced:
        /[$€£] ?$/u.test(text.slice(Math.max(0, span.start - 2), span.start)) ||
        /^ ?[$€£]/u.test(text.slice(span.end, span.end + 2)),
      opens: around.some(({ start }) => start === span.start),
      closes: around.some(({ end: last }) => span.end <= last && text.slice(span.end, last).trim() === ""),
      role,
      after:
        end === 0 || /[.!?？؟;\n:]/.test(between)
          ? "sentence"
          : /[,–—]|\s-\s/.test(between)
            ? "comma"
            : "nothing",
      // Behind ":-)" there is a blank.
      announced: /:(?:\s|[^\s:]*$)/.test(between),
      apart: isApart(span),
      line: lineOf(text, end, span.start),
      asked: isAsked(span.end),
    });
    end = span.start + trimmedWord(text.slice(span.start, span.end)).length;
  }
  return words.map((word, at) => ({ ...word, bare: isBare(words, at) }));
}

function lineOf(text: string, from: number, to: number): Word["line"] {
  const between = text.slice(from, to);
  const last = between.split("\n").at(-1) ?? "";
  if (from > 0 && last === between) return "none";
  const isItem = /^\s*[-*•]\s+$/.test(last) || /^\d{1,3}[.)]\s/.test(text.slice(to, to + 5));
  return isItem ? "item" : "line";
}

/**
 * Whether the sentence of a place ends as a question. Each place lies behind the one before: the text is read
 * once.
 */
function questionsOf(text: string): (from: number) => boolean {
  let end = -1;
  return (from) => {
    if (end < from) {
      const next = text.slice(from).search(/[.!;\n?？؟]/);
      end = next === -1 ? text.length : from + next;
    }
    return "?？؟".includes(text.charAt(end) || ".");
  };
}

/** The signs of a text, without what is quoted or only shown. */
export function signsIn(text: string): readonly string[] {
  const quotes = findQuotes(text);
  const isLeft = makeIsInside([...quotes, ...findShown(text, quotes), ...findTitled(text)]);
  const signs = [...text.matchAll(signPattern)]
    .filter(({ index }) => !isLeft({ start: index, end: index + 1 }))
    .map(([sign]) => sign.replace(" ", ""));
  return hasUnclearEnd(text, quotes) ? [...signs, "'"] : signs;
}

/** "'Davies' notes'": nobody can tell which of the marks ends the name. */
function hasUnclearEnd(text: string, quotes: readonly Span[]): boolean {
  const isQuoted = makeIsInside(quotes);
  const first = quotes.find(({ end }) => /['’]/.test(text.slice(end, end + 1)));
  const ends = new Set(quotes.map(({ end }) => end));
  return [...text.matchAll(/(?<=[\p{L}\p{N}.!?])['’](?![\p{L}\p{N}'’])/gu)].some(
    ({ index }) =>
      first !== undefined &&
      index > first.end &&
      !ends.has(index) &&
      !isQuoted({ start: index, end: index + 1 }),
  );
}

/** "To bobolive": where a common noun would have an article, or another word would follow. */
function isBare(words: readonly Omit<Word, "bare">[], at: number): boolean {
  const before = words[at - 1];
  const behind = words[at + 1];
  const leads = before !== undefined && before.role === "plain" && words[at]?.after === "nothing";
  const ends =
    behind === undefined ||
    behind.after !== "nothing" ||
    ending.has(behind.text) ||
    targetPrepositions.has(behind.text);
  return leads && ends && (before.text === "to" || before.text === "into" || before.text === "an");
}

const ending: ReadonlySet<string> = new Set([
  "and",
  "or",
  "und",
  "oder",
  "that",
  "from",
  "by",
  "about",
  "please",
  "bitte",
]);

/** The parts of a value or word that are compared, in lower case: its letters and digits between any punctuation. */
export function partsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function wordSpans(
  text: string,
  identifiers: readonly Identifier[],
  quotes: readonly Span[],
): readonly Span[] {
  const whole = identifiers.filter(({ form }) => form !== "date");
  const wholeAt = makeOverlaps(whole);
  const quotesAt = makeOverlaps(quotes);
  const plain = [...text.matchAll(wordPattern)].flatMap(splitSentences).flatMap((found): readonly Span[] => {
    // The mark that ends a quotation is no part of its last word.
    const { end } = quotesAt(found).find((quote) => quote.start <= found.start) ?? found;
    const span = { start: found.start, end: Math.min(end, found.end) };
    const inside = wholeAt(span);
    return inside.length > 0 ? rest(span, inside) : [span];
  });
  return [...plain, ...whole].toSorted((a, b) => a.start - b.start);
}

/** Two words where the blank behind a full stop is missing: "websites.Note". */
function splitSentences(match: RegExpExecArray): readonly Span[] {
  const [text] = match;
  const stop = text.search(/(?<=\p{Ll}{2})\.\p{Lu}\p{Ll}/u);
  const end = match.index + text.length;
  if (stop === -1) return [{ start: match.index, end }];
  return [
    { start: match.index, end: match.index + stop },
    { start: match.index + stop + 1, end },
  ];
}

/** What of a word stands outside the identifiers in it. */
function rest(span: Span, inside: readonly Identifier[]): readonly Span[] {
  const before = { start: span.start, end: inside[0]?.start ?? span.end };
  const last = { start: inside.at(-1)?.end ?? span.end, end: span.end };
  return [before, last].filter(({ start, end }) => start < end);
}

function trimmedWord(text: string): string {
  return text.replace(/[.:'’/&+-]+$/u, "");
}

function isPossessive(text: string, { start, end }: Span, quotes: readonly Span[]): boolean {
  const word = text.slice(start, end);
  const isClosed = quotes.some((quote) => start >= quote.start && quote.end === end);
  return /['’]s$/.test(trimmedWord(word)) || (/s['’]$/.test(word) && !isClosed);
}

/** An apostrophe in quotes is a part of the name. */
function bareWord(text: string, role: Word["role"]): string {
  const lower = text.toLowerCase().replaceAll("’", "'");
  return role === "name" ? lower.replace(/[.:/&+-]+$/u, "") : trimmedWord(lower).replace(/'s$/, "");
}

function roleIn(span: Span, quotes: readonly (Span & { readonly long: boolean })[]): Word["role"] {
  const quote = quotes.find(({ start, end }) => span.start >= start && span.end <= end);
  return quote === undefined ? "plain" : quote.long ? "content" : "name";
}

const pairs: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["«", "»"],
  ["»", "«"],
]);

function findQuotes(text: string): readonly (Span & { readonly long: boolean })[] {
  const quotes: (Span & { readonly long: boolean })[] = [];
  // Marks that close nothing behind this place.
  const missing = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const close = pairs.get(text.charAt(at));
    if (
      close === undefined ||
      missing.has(close) ||
      !/^[\s([{:]?$/u.test(text.slice(Math.max(0, at - 1), at))
    )
      continue;
    const end = closingQuote(text, close, at + 1);
    if (end === -1) missing.add(close);
    if (end === -1) continue;
    const inside = text.slice(at + 1, end);
    const long = inside.trim().split(/\s+/u).length > longestName || /[.!?]\s|[!?]$|\n/u.test(inside);
    quotes.push({ start: at + 1, end, long });
    at = end;
  }
  return quotes;
}

function closingQuote(text: string, close: string, from: number): number {
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1)) {
    if (/^(?:$|[\s.,;:!?)\]}])/u.test(text.slice(end + 1, end + 2))) return end;
  }
  return -1;
}

/** "With description Catch up over lunch": a text without quotes, up to the next part of the sentence. */
function findTitled(text: string): readonly Span[] {
  return [...text.matchAll(titled)].map(({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }));
}

const titled =
  /(?<=(?<!\p{L})(?:description|subject|caption|beschreibung|betreff) )\p{Lu}[^.,;:!?\n]*?(?= (?:to|with|at|from|on|for|and|an|mit|und) |[.,;:!?\n]|$)/gu;
