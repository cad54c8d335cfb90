import {
  infinitiveNouns,
  negatedRequests,
  negations,
  questionWords,
  readingVerbs,
  requestWords,
  sensesOf,
  statementWords,
} from "./lexicon.ts";
import type { Word } from "./tokens.ts";

/**
 * A verb that asks for something or forbids it: its place, where its clause begins, and whether it stands at
 * the end, as in German. `isFar`: so far behind the start of its sentence that what is said of it is not
 * read; then it counts as forbidden.
 */
export type VerbStart = {
  readonly at: number;
  readonly from: number;
  readonly isFar: boolean;
  readonly negated: boolean;
  readonly last: boolean;
};

/** The request that begins at a word; null where none does. `begin`: where its sentence begins. */
export function verbAt(words: readonly Word[], at: number, begin: number): VerbStart | null {
  const word = words[at];
  if (word === undefined || word.role !== "plain") return null;
  if (sensesOf(word.text).length === 0 && !readingVerbs.has(word.text)) return null;
  // "Transfer of 50 euros": a noun.
  if (words[at + 1]?.text === "of" && words[at + 1]?.after === "nothing") return null;
  const starts = at === begin || (at - 1 === begin && words[begin]?.identifier?.form === "number");
  // A capital inside a sentence makes a name of it: "send it to Mark".
  if (word.capital && !starts) return null;
  if (word.asked && isQuestion(words, begin)) return null;
  if (at - begin > longestLead) return { at, from: at, isFar: true, negated: true, last: false };
  const last = isLateInfinitive(words, begin, at);
  if (!last && !isRequest(words, begin, at)) return null;
  return { at, from: last ? begin : at, isFar: false, negated: isNegated(words, begin, at), last };
}

/** More words of a sentence are not read for the verb that stands behind them. */
const longestLead = 200;

/** Where the sentence of each word begins. */
export function sentenceStarts(words: readonly Word[]): readonly number[] {
  let begin = 0;
  return words.map(({ after }, at) => {
    if (after === "sentence") begin = at;
    return begin;
  });
}

/** Where the sentence of a word begins. */
export function sentenceStart(words: readonly Word[], at: number): number {
  let begin = at;
  while (begin > 0 && words[begin]?.after !== "sentence") begin--;
  return begin;
}

function isQuestion(words: readonly Word[], begin: number): boolean {
  const first = words[begin]?.text ?? "";
  return questionWords.has(first);
}

/** Whether a verb stands where a request has it: at the start, behind "please", "and", "to", a comma, or a negation. */
function isRequest(words: readonly Word[], begin: number, at: number): boolean {
  if (at === begin) return true;
  const previous = words[at - 1];
  if (previous === undefined || previous.role !== "plain") return words[at]?.after === "comma";
  if (words[at]?.after === "comma" || (previous.identifier?.form === "number" && at - 1 === begin))
    return true;
  if (previous.text === "to") {
    const before = words[at - 2]?.text ?? "";
    return !statementWords.has(before) && !infinitiveNouns.has(before);
  }
  if (previous.text === "you" || previous.text === "we") return modals.has(words[at - 2]?.text ?? "");
  return requestWords.has(previous.text) || negations.has(previous.text);
}

const modals: ReadonlySet<string> = new Set([
  "can",
  "could",
  "would",
  "will",
  "should",
  "must",
  "shall",
  "may",
]);
const germanRequests: ReadonlySet<string> = new Set(
  "bitte kannst könntest sollst solltest möchte will würdest magst du".split(" "),
);

/** Whether a German infinitive ends a request: "kannst du den Termin löschen". */
function isLateInfinitive(words: readonly Word[], begin: number, at: number): boolean {
  const word = words[at]?.text ?? "";
  const next = words[at + 1];
  const ends = next === undefined || next.after !== "nothing" || next.text === "und";
  if (!/(?:en|rn|ln)$/.test(word) || !ends || at === begin) return false;
  const said = words.slice(begin, at).flatMap(({ text, role }) => (role === "plain" ? [text] : []));
  return said.some((text) => germanRequests.has(text) && (!wishing.has(text) || said.some(isSelf)));
}

/** "Ich will" asks, "Bob will" tells. */
const wishing: ReadonlySet<string> = new Set(["will", "möchte"]);
const isSelf = (text: string): boolean => text === "ich" || text === "wir";

function isNegated(words: readonly Word[], begin: number, at: number): boolean {
  for (let index = at - 1; index >= Math.max(begin, at - 6); index--) {
    const word = words[index];
    if (word === undefined || word.role !== "plain") continue;
    if (negatedRequests.has(word.text)) return false;
    if (negations.has(word.text)) return true;
    if (words[index + 1]?.after !== "nothing") return false;
    const joins = word.text === "or" || word.text === "and" || word.text === "oder" || word.text === "und";
    const verb = sensesOf(word.text).length > 0 || readingVerbs.has(word.text);
    if (!joins && !verb && index < at - 3) return false;
  }
  return false;
}
