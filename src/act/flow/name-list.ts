import { relatives, sourcePrepositions, targetPrepositions } from "../../text/words/lexicon.ts";
import { courtesies, determiners, fillers, sayingWords } from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isName } from "./order.ts";
import { textAt } from "./sentence-parts.ts";

/**
 * Where a list of names begins, where its clause ends, and the verb whose object it is; null behind a
 * preposition.
 */
export type ListStart = { readonly from: number; readonly to: number; readonly verb: string | null };

/** A name of a list with what joins it to the one before. */
type Part = { readonly places: readonly number[]; readonly joint: "none" | "comma" | "and" };

/**
 * Where the words of one list of names stand: "Bob (bob@work.example), Anna and Mark", up to the first that
 * only says whose something is. Names that begin a clause are none of the list: "Sarah, Mark and Anna got
 * fired".
 */
export function listFrom(words: readonly Word[], start: ListStart): readonly number[] {
  const parts = partsFrom(words, start);
  const end = (parts.at(-1)?.places.at(-1) ?? 0) + 1;
  const isComma = parts.some(({ joint }) => joint === "comma");
  const isWhole =
    parts.length < 2 ||
    (isComma
      ? endsCommaList(words, end, { ...start, isJoined: parts.at(-1)?.joint === "and" })
      : endsPair(words, end, start));
  const last = isComma ? parts.findLastIndex(({ joint }) => joint === "comma") : parts.length - 1;
  return (isWhole ? parts : parts.slice(0, last)).flatMap(({ places }) => places);
}

function partsFrom(words: readonly Word[], { from, to, verb }: ListStart): readonly Part[] {
  const parts: Part[] = [];
  let joint: Part["joint"] = "none";
  let at = from;
  while (at < to) {
    const places = nameFrom(words, at, to);
    const last = places.at(-1);
    if (last === undefined || words[last]?.possessive === true) break;
    if (places.filter((place) => words[place]?.identifier?.form === "address").length > 1) break;
    const joins = joiners.has(textAt(words, last + 1));
    const next = joins ? last + 2 : last + 1;
    const isList = joins || (words[next]?.after === "comma" && next < to);
    if (!isList && parts.length === 0 && verb === null && !mayFollow(words, last + 1)) break;
    parts.push({ places, joint });
    if (!isList) break;
    joint = joins ? "and" : "comma";
    at = markers.has(textAt(words, next)) ? next + 1 : next;
  }
  return parts;
}

/** The words of one name from a place on. */
function nameFrom(words: readonly Word[], from: number, to: number): readonly number[] {
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    const word = words[at];
    if (word === undefined || (at > from && word.after !== "nothing") || !mayBePerson(word)) break;
    if (at > from && words[at - 1]?.possessive === true) break;
    places.push(at);
  }
  return places;
}

function mayBePerson(word: Word): boolean {
  const form = word.identifier?.form;
  return (
    !word.dated &&
    (word.bare || (isName(word) && (form === undefined || form === "address" || form === "account")))
  );
}

/**
 * Whether a list with a comma ends before a word. Behind its last name nothing may stand that could go on a
 * clause whose subject the name is: without "and" before the name, nothing but the "to" that the verb needs.
 */
function endsCommaList(
  words: readonly Word[],
  at: number,
  { to, verb, isJoined }: ListStart & { readonly isJoined: boolean },
): boolean {
  const word = words[at];
  if (word === undefined || at >= to || word.after === "sentence") return true;
  if (!isJoined) return verb !== null && goalVerbs.has(verb) && markers.has(word.text);
  if (word.after === "comma") return courtesies.has(word.text) || relatives.has(word.text);
  if (determiners.has(word.text) && !relatives.has(word.text)) return verb !== null && twoObjects.has(verb);
  const next = words[at + 1];
  const isMoment = next !== undefined && (next.dated || next.identifier !== null);
  return (
    isValue(word) ||
    [relatives, sayingWords, followers, topics, markers].some((set) => set.has(word.text)) ||
    (isPreposition(word.text) && isMoment)
  );
}

/** Whether two names joined by "and" end before a word that goes on with the request. */
function endsPair(words: readonly Word[], at: number, { to }: ListStart): boolean {
  return at >= to || mayFollow(words, at);
}

/** Whether a word may stand behind a recipient: none that makes another one of it, as in "Mark's lawyer". */
function mayFollow(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return (
    word === undefined ||
    word.after !== "nothing" ||
    isValue(word) ||
    isPreposition(word.text) ||
    [determiners, relatives, sayingWords, followers, fillers].some((set) => set.has(word.text))
  );
}

function isValue({ role, identifier }: Word): boolean {
  return role !== "plain" || identifier !== null;
}

function isPreposition(text: string): boolean {
  return text === "an" || sourcePrepositions.has(text) || targetPrepositions.has(text);
}

export const markers: ReadonlySet<string> = new Set("to an zu zum zur cc bcc".split(" "));
export const joiners: ReadonlySet<string> = new Set(["and", "und", "&"]);
const topics: ReadonlySet<string> = new Set("about regarding concerning über".split(" "));
/** Verbs that say nothing without an object beside the person. */
const twoObjects: ReadonlySet<string> = new Set(
  "send give forward pay transfer refund schick schicke schicken sende senden gib zahle überweise".split(" "),
);
/** Verbs that need a "to" behind their object. */
const goalVerbs: ReadonlySet<string> = new Set("add invite include append put füge lade".split(" "));
const followers: ReadonlySet<string> = new Set(
  "again back now today tomorrow titled called thanks danke heute morgen".split(" "),
);
