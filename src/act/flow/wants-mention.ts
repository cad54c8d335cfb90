import type { Clause } from "../../text/words/find-clauses.ts";
import { sentenceStart } from "../../text/words/find-verbs.ts";
import {
  commonWords,
  contentNouns,
  linkNouns,
  questionWords,
  readingVerbs,
  requestWords,
  sensesOf,
} from "../../text/words/lexicon.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import { isReported } from "../../text/words/reported.ts";
import type { Word } from "../../text/words/tokens.ts";

/**
 * Whether the owner wants to have what a mention leads to: an address or a path in their words. The verb
 * that governs the mention must be one that is understood, so that "block this page" asks, and so does what
 * is said in a language that is not understood. A mention that stands alone belongs to the sentence before
 * it; words that are nothing but mentions want them.
 */
export function wantsMention(intent: Intent, mention: Word): boolean {
  const { words, clauses } = intent;
  if (!words.some(isSaid)) return true;
  const place = sentenceOf(words, words.indexOf(mention));
  if (place === null) return false;
  const { begin, end, at } = place;
  const governing = governor(intent, begin, at);
  if (governing !== null) return governing === "wanted";
  const said = words.slice(begin, end).filter(isSaid);
  const [first, last] = [said[0], said.at(-1)];
  if ([first, last].some((word) => isLookingVerb(word?.text ?? ""))) return true;
  const asks = clauses.some(wants) || words.some((_, place) => asksAt(words, place));
  return commonWords.has(first?.text ?? "") && (asks || words[end - 1]?.asked === true);
}

/** Whether a question begins at a word: "what is in it?". */
function asksAt(words: readonly Word[], at: number): boolean {
  return sentenceStart(words, at) === at && questionWords.has(words[at]?.text ?? "");
}

function isLookingVerb(text: string): boolean {
  return readingVerbs.has(text) || usingVerbs.has(text);
}

type Place = { readonly begin: number; readonly end: number; readonly at: number };

/** The sentence that says what a mention is for, and the place in it behind which nothing governs it. */
function sentenceOf(words: readonly Word[], mention: number): Place | null {
  const own = boundsOf(words, mention);
  if (words.slice(own.begin, own.end).some(isSaid)) return { ...own, at: mention };
  for (let last = own.begin - 1; last >= 0; last = boundsOf(words, last).begin - 1) {
    const before = boundsOf(words, last);
    if (words.slice(before.begin, before.end).some(isSaid)) return { ...before, at: before.end };
  }
  for (let next = own.end; next < words.length; next = boundsOf(words, next).end) {
    const behind = boundsOf(words, next);
    if (words.slice(behind.begin, behind.end).some(isSaid)) return { ...behind, at: behind.end };
  }
  return null;
}

function boundsOf(words: readonly Word[], at: number): Pick<Place, "begin" | "end"> {
  const end = words.findIndex(({ after }, place) => place > at && after === "sentence");
  return { begin: sentenceStart(words, at), end: end === -1 ? words.length : end };
}

/**
 * What the last verb before a mention asks for: to have it, or something that is not understood; null where
 * there is no verb.
 */
function governor(
  { words, clauses }: Pick<Intent, "words" | "clauses">,
  begin: number,
  at: number,
): "wanted" | "other" | null {
  for (let place = at - 1; place >= begin; place -= 1) {
    const clause = clauses.find((one) => one.at === place);
    if (clause !== undefined) return wants(clause) ? "wanted" : "other";
    if (!leads(words, place, begin)) continue;
    if (isLookingVerb(words[place]?.text ?? "")) return isReported(words, place) ? "other" : "wanted";
    if (asksAt(words, place)) return "wanted";
    if (isUnknownOrder(words, place)) return "other";
  }
  return null;
}

/**
 * Whether a verb may stand here: at the start of its sentence, behind a comma, or behind "please", "and" or
 * "to".
 */
function leads(words: readonly Word[], at: number, begin: number): boolean {
  const before = words[at - 1];
  return at === begin || words[at]?.after === "comma" || requestWords.has(before?.text ?? "");
}

/** A word that is not known, with what it is done to right behind it: "block this", "mute https://…". */
function isUnknownOrder(words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || !isSaid(word) || isKnown(word.text)) return false;
  // A capital inside a sentence makes a name of it: "Dora (…) and Eve (…)".
  if (word.capital && sentenceStart(words, at) !== at) return false;
  return (
    next === undefined ||
    next.after === "sentence" ||
    next.identifier !== null ||
    determiners.has(next.text) ||
    linkNouns.has(next.text)
  );
}

function isKnown(text: string): boolean {
  return (
    sensesOf(text).length > 0 ||
    [commonWords, requestWords, questionWords, linkNouns, contentNouns].some((known) => known.has(text))
  );
}

const determiners: ReadonlySet<string> = new Set(
  "this that these those the a an all any every each my your our its it them das die den der dies diese dieses diesen alle alles".split(
    " ",
  ),
);

/** To delete something asks for no look at it. */
function wants({ verb, senses }: Clause): boolean {
  return senses.length === 0 || senses.some((sense) => sense !== "delete") || readingVerbs.has(verb);
}

function isSaid({ role, identifier }: Word): boolean {
  return role === "plain" && identifier === null;
}

/** Verbs that take something from a page or a file, beside those that the lexicon has. */
const usingVerbs: ReadonlySet<string> = new Set(
  (
    "go take use try implement port convert parse extract quote cite debug lint inspect learn " +
    "schau schaue sieh ansehen anschauen lesen vorlesen zusammenfassen nimm nutze nutzen verwende verwenden geh gehe öffne öffnen hole holen vergleiche vergleichen analysiere analysieren"
  ).split(" "),
);
