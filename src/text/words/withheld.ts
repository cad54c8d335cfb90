import { sentenceStart } from "./find-verbs.ts";
import {
  exceptionPhrases,
  exceptionWords,
  readingVerbs,
  type Sense,
  sensesOf,
  statementSubjects,
  targetPrepositions,
} from "./lexicon.ts";
import type { Word } from "./tokens.ts";

/**
 * How many words at a place say that what is behind them is left out: "except", "instead of"; 0 where none
 * does.
 */
function exceptionAt(words: readonly Word[], at: number): number {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || word.role !== "plain") return 0;
  if (exceptionPhrases.has(`${word.text} ${next?.text ?? ""}`)) return 2;
  return exceptionWords.has(word.text) ? 1 : 0;
}

/**
 * The words with all that the owner leaves out as content, which names nothing: "all except the file 13",
 * "the file 14 instead of the file 13".
 */
export function withoutExcepted(words: readonly Word[]): readonly Word[] {
  let from: number | null = null;
  let endsAtTarget = false;
  return words.map((word, at) => {
    if (word.after === "sentence" || resumes(words, at)) from = null;
    if (endsAtTarget && targetPrepositions.has(word.text)) from = null;
    if (from !== null) return at < from ? word : { ...word, role: "content" };
    endsAtTarget = leavingOut.has(word.text) && word.role === "plain";
    const length = endsAtTarget ? 1 : leavesOut(words, at) ? exceptionAt(words, at) : 0;
    if (length > 0) from = at + length;
    return word;
  });
}

const leavingOut: ReadonlySet<string> = new Set(["without", "ohne"]);

/** "But" also joins requests, and "keep" is an exception only where it is a request. */
function leavesOut(words: readonly Word[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word?.text === "but")
    return next !== undefined && !joined.has(next.text) && !statementSubjects.has(next.text) && !isVerb(next);
  return !keepingVerbs.has(word?.text ?? "") || word?.after !== "nothing" || requests.has(before?.text ?? "");
}

const keepingVerbs: ReadonlySet<string> = new Set(
  "keep leave spare preserve behalte behalten lass lasse".split(" "),
);
const joined: ReadonlySet<string> = new Set("also then first please only not if when auch dann".split(" "));
const requests: ReadonlySet<string> = new Set("and und then dann please bitte but also aber".split(" "));

function isVerb({ text }: Word): boolean {
  return sensesOf(text).length > 0 || readingVerbs.has(text);
}

/** Whether a request goes on behind what is left out: its next verb, or in German its last. */
function resumes(words: readonly Word[], at: number): boolean {
  const [before, word, next] = [words[at - 1], words[at], words[at + 1]];
  if (word === undefined || word.role !== "plain" || !isVerb(word)) return false;
  const isLast = (next === undefined || next.after === "sentence") && /(?:en|rn|ln)$/.test(word.text);
  return isLast || word.after === "comma" || requests.has(before?.text ?? "");
}

/** Whether a verb asks for nothing now: its sentence sets a condition, or says that the owner does it. */
export function isWithheld(words: readonly Word[], at: number, senses: readonly Sense[]): boolean {
  const begin = sentenceStart(words, at);
  const sentence = words.slice(begin, sentenceEnd(words, at));
  if (otherwise.has(sentence[0]?.text ?? "")) return true;
  const isWeighty = senses.some((sense) => weighty.has(sense));
  const holdsBack = (place: number): boolean =>
    isCondition(sentence, place) &&
    governs(sentence, place, at - begin) &&
    (isWeighty || !isState(sentence, place));
  if (sentence.some((_, place) => holdsBack(place))) return true;
  const said = sentence.flatMap(({ text, role }) => (role === "plain" ? [text] : []));
  return said.some((text) => selves.has(text)) && said.some((text) => owners.has(text));
}

/** Where the last sentence begins that only takes back what was said before it; -1 where none does. */
export function lastRetraction(words: readonly Word[]): number {
  return words.findLastIndex(({ after }, at) => after === "sentence" && isRetraction(words, at));
}

function sentenceEnd(words: readonly Word[], at: number): number {
  let end = at + 1;
  while (end < words.length && (words[end]?.after !== "sentence" || words[end]?.role === "content")) end++;
  return end;
}

/** "Send it, and if he agrees, delete it": a condition behind "and" is none for what stands before. */
function governs(sentence: readonly Word[], condition: number, verb: number): boolean {
  return verb > condition || !requests.has(sentence[condition - 1]?.text ?? "");
}

/**
 * What is deleted, paid or given away under a condition asks, also where a look can tell whether it holds:
 * nobody else checks what the look said.
 */
const weighty: ReadonlySet<Sense> = new Set<Sense>([
  "delete",
  "pay",
  "trade",
  "transfer",
  "share",
  "invite",
  "confirm",
  "sign-in",
]);

/** "If so", "if I am free": a look tells whether it is so, and no other person has to do anything. */
function isState(sentence: readonly Word[], condition: number): boolean {
  return sentence.slice(condition + 1, condition + 8).some(({ text }) => states.has(text));
}

const states: ReadonlySet<string> = new Set(
  "so is are am isn't aren't have has haven't hasn't exists contains bin ist sind habe hat gibt".split(" "),
);

function isCondition(sentence: readonly Word[], at: number): boolean {
  const [before, word, next] = [sentence[at - 1], sentence[at], sentence[at + 1]];
  if (word === undefined || word.role !== "plain" || next === undefined) return false;
  const isAsked =
    before !== undefined && word.after === "nothing" && (isVerb(before) || asking.has(before.text));
  if (word.text === "once") return !times.has(next.text) && !times.has(before?.text ?? "");
  if (word.text === "soon") return before?.text === "as" && next.text === "as";
  return conditions.has(word.text) && !isAsked && !politeness.has(next.text);
}

const conditions: ReadonlySet<string> = new Set(
  "if unless when whenever provided providing assuming falls sofern sobald wenn solange vorausgesetzt".split(
    " ",
  ),
);
/** Words behind which "if" and "when" begin a question and no condition. */
const asking: ReadonlySet<string> = new Set(
  "me us know out ask sure wonder is was are were to of about on mir uns".split(" "),
);
const politeness: ReadonlySet<string> = new Set(["possible", "möglich"]);
const times: ReadonlySet<string> = new Set("a per more again every daily at only for all".split(" "));
const otherwise: ReadonlySet<string> = new Set("otherwise else sonst ansonsten andernfalls".split(" "));
const selves: ReadonlySet<string> = new Set("myself ourselves selbst selber".split(" "));
const owners: ReadonlySet<string> = new Set("i i'll i'd we we'll ich wir".split(" "));

/** Whether a sentence only takes back what was said before it: "No!", "just kidding", "never mind". */
function isRetraction(words: readonly Word[], from: number): boolean {
  const [first, second] = [words[from], words[from + 1]];
  if (refusals.has(first?.text ?? "") && (second === undefined || second.after !== "nothing")) return true;
  const sentence = words.slice(from, sentenceEnd(words, from));
  return (
    sentence.some(({ text }) => retractions.has(text)) &&
    sentence.every(({ text }) => retractions.has(text) || retracting.has(text))
  );
}

const refusals: ReadonlySet<string> = new Set("no nope nein nee".split(" "));
const retractions: ReadonlySet<string> = new Set(
  "no nope nein nee kidding joking joke scherz spaß quatsch nevermind mind scratch forget vergiss stop stopp halt wait warte don't dont nicht not".split(
    " ",
  ),
);
const retracting: ReadonlySet<string> = new Set(
  "just only please bitte oh ok okay never that it this a i'm i am was war nur das es doch do actually on second thought ein".split(
    " ",
  ),
);
