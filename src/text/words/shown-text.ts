import { contentNouns, questionWords, reportWords, showingVerbs } from "./lexicon.ts";
import { makeOverlaps, type Span } from "./spans.ts";

/**
 * Finds the texts that the owner only shows: lines of a quotation, what a heading announces ("this mail:",
 * "into German:"), the lines below a question about them, and letters with their head or greeting. Where
 * such a text begins on a line of its own, all behind it belongs to it.
 */
export function findShown(text: string, quotes: readonly Span[]): readonly Span[] {
  const { announced, asked } = scanClauses(text, quotes);
  const starts = [asked, findLetter(text)].filter((start) => start !== null);
  return [
    ...[...text.matchAll(/^[ \t]*>.*$/gmu)].map(({ index, 0: line }) => ({
      start: index,
      end: index + line.length,
    })),
    ...starts.map((start) => ({ start, end: text.length })),
    ...announced,
  ];
}

type Shown = { readonly announced: readonly Span[]; readonly asked: number | null };

/**
 * What stands behind "the following message:" or "translate into German:": up to the end of its paragraph,
 * or all that follows where it begins on a new line; and where the lines begin that stand below a question
 * about them: "Is this spam?". The text is read once.
 */
function scanClauses(text: string, quotes: readonly Span[]): Shown {
  const announced: Span[] = [];
  const quotesAt = makeOverlaps(quotes);
  let asked: number | null = null;
  let clause = nothingSaid;
  let blank = 0;
  for (const { 0: part, index } of text.matchAll(clausePattern)) {
    if (part.startsWith("?") && part.length > 1 && asks(clause)) asked ??= index + part.length;
    if (part !== ":") clause = boundary.test(part) ? nothingSaid : withWord(clause, part.toLowerCase());
    else if (
      /^\s/u.test(text.slice(index + 1, index + 2)) &&
      quotesAt({ start: index, end: index + 1 }).length === 0 &&
      announces(clause)
    ) {
      if (blank !== -1 && blank < index) blank = text.indexOf("\n\n", index);
      const isBelow = /^[ \t]*\n/u.test(text.slice(index + 1));
      announced.push({ start: index + 1, end: isBelow || blank === -1 ? text.length : blank });
    }
  }
  return { announced, asked };
}

const clausePattern = /[\p{L}\p{N}\p{M}]+|\?[ \t]*\n|[.!?;\n:]/gu;
const boundary = /^[.!?;\n]/u;

/** What the words of a clause say so far. */
type SaidClause = {
  readonly first: string;
  readonly last: string;
  readonly isOneWord: boolean;
  readonly shows: boolean;
  readonly looks: boolean;
  readonly points: boolean;
  /** The word behind the first "following"; empty where none stands there yet. */
  readonly following: string | null;
};

const nothingSaid: SaidClause = {
  first: "",
  last: "",
  isOneWord: false,
  shows: false,
  looks: false,
  points: false,
  following: null,
};

function withWord(clause: SaidClause, word: string): SaidClause {
  const { first, shows, looks, points, following } = clause;
  return {
    first: first === "" ? word : first,
    last: word,
    isOneWord: first === "",
    shows: shows || showingVerbs.has(word),
    looks: looks || lookingVerbs.has(word),
    points: points || pointers.has(word),
    following: following === "" ? word : (following ?? (word === "following" ? "" : null)),
  };
}

/** Whether a clause before a colon announces a text. */
function announces(clause: SaidClause): boolean {
  const { first, last, isOneWord, shows, following } = clause;
  return (
    contentNouns.has(last) ||
    shows ||
    asks(clause) ||
    (announcesWish(last) && !isOneWord && !owners.has(first)) ||
    (following !== null && contentNouns.has(following))
  );
}

/** Whether words ask about a text that is shown with them: "is this spam", "look at this". */
function asks({ first, looks, points }: SaidClause): boolean {
  return (questionWords.has(first) || looks) && points;
}

function announcesWish(text: string): boolean {
  return reportWords.has(text) || wishNouns.has(text);
}

const owners: ReadonlySet<string> = new Set(["i", "my", "we", "our"]);
/** Words behind which a colon begins what others wish: "her request: …". */
const wishNouns: ReadonlySet<string> = new Set(
  "request requests wish wishes begged begs demanded demands insisted insists urged urges instructions wunsch".split(
    " ",
  ),
);

const lookingVerbs: ReadonlySet<string> = new Set("read look see check lies schau sieh prüfe".split(" "));

const pointers: ReadonlySet<string> = new Set(
  "this that these those here below it dies diese dieser dieses diesem diesen das hier unten es".split(" "),
);

/**
 * Where a letter begins behind the owner's words: two lines of its head, a line that says who wrote, or a
 * greeting on a line of its own.
 */
function findLetter(text: string): number | null {
  const starts = [...text.matchAll(letters)]
    .map(({ index }) => index)
    .filter((start) => isBehind(text, start));
  return starts[0] ?? null;
}

/** A greeting with which a message begins is for the agent. */
function isBehind(text: string, start: number): boolean {
  return /\S/u.test(text.slice(0, start)) || heads.test(text.slice(start));
}

const head = "(?:from|to|cc|date|sent|subject|von|an|datum|gesendet|betreff): .*";
const heads = new RegExp(`^${head}\\n${head}`, "iu");
const letters = new RegExp(
  [
    `^${head}\\n${head}`,
    "^-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)",
    "^(?:on|am) .{4,120} (?:wrote|schrieb)\\b.*:[ \\t]*$",
    "^(?:dear|hi|hello|hey|hallo|liebe|lieber|sehr geehrte|sehr geehrter)(?: [^\\n,.!:]{1,60})?[,!]?[ \\t]*$",
  ].join("|"),
  "gimu",
);
