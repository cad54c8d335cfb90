import { contentNouns, questionWords, reportWords, showingVerbs } from "./lexicon.ts";

export type Span = { readonly start: number; readonly end: number };

/**
 * Finds the texts that the owner only shows: lines of a quotation, what a heading announces ("this mail:",
 * "into German:"), the lines below a question about them, and letters with their head or greeting. Where
 * such a text begins on a line of its own, all behind it belongs to it.
 */
export function findShown(text: string, quotes: readonly Span[]): readonly Span[] {
  const starts = [findAsked(text), findLetter(text)].filter((start) => start !== null);
  return [
    ...[...text.matchAll(/^[ \t]*>.*$/gmu)].map(({ index, 0: line }) => ({
      start: index,
      end: index + line.length,
    })),
    ...starts.map((start) => ({ start, end: text.length })),
    ...findAnnounced(text, quotes),
  ];
}

/**
 * What stands behind "the following message:" or "translate into German:": up to the end of its paragraph,
 * or all that follows where it begins on a new line.
 */
function findAnnounced(text: string, quotes: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    if (
      !/^\s/u.test(text.slice(colon + 1, colon + 2)) ||
      quotes.some(({ start, end }) => colon >= start && colon < end) ||
      !announces(
        text
          .slice(0, colon)
          .split(/[.!?;\n]/u)
          .at(-1) ?? "",
      )
    )
      continue;
    const isBelow = /^[ \t]*\n/u.test(text.slice(colon + 1));
    const end = isBelow ? -1 : text.indexOf("\n\n", colon);
    found.push({ start: colon + 1, end: end === -1 ? text.length : end });
  }
  return found;
}

/** Whether a clause before a colon announces a text. */
function announces(clause: string): boolean {
  const said = wordsIn(clause);
  const last = said.at(-1) ?? "";
  const following = said.indexOf("following");
  return (
    contentNouns.has(last) ||
    said.some((word) => showingVerbs.has(word)) ||
    isAsked(said) ||
    (announcesWish(last) && said.length > 1 && !owners.has(said[0] ?? "")) ||
    (following !== -1 && contentNouns.has(said[following + 1] ?? ""))
  );
}

function wordsIn(clause: string): readonly string[] {
  return clause.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
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

/** Where the lines begin that stand below a question about them: "Is this spam?". */
function findAsked(text: string): number | null {
  for (const { index, 0: mark } of text.matchAll(/\?[ \t]*\n/gu)) {
    const question =
      text
        .slice(0, index)
        .split(/[.!?;\n]/u)
        .at(-1) ?? "";
    if (isAsked(wordsIn(question))) return index + mark.length;
  }
  return null;
}

/** Whether words ask about a text that is shown with them: "is this spam", "look at this". */
function isAsked(said: readonly string[]): boolean {
  const asks = questionWords.has(said[0] ?? "") || said.some((word) => lookingVerbs.has(word));
  return asks && said.some((word) => pointers.has(word));
}

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
