import type { Clause } from "../../text/words/find-clauses.ts";
import {
  contentNouns,
  relatives,
  showingVerbs,
  sourcePrepositions,
  targetPrepositions,
} from "../../text/words/lexicon.ts";
import * as said from "../../text/words/order-words.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isName } from "./order.ts";
import { leadOf, type Span, sentencesOf, textAt } from "./sentence-parts.ts";

/**
 * The requests that the owner hands on: words that are only to be written, told, listed, saved or searched.
 * They stand behind a colon whose sentence is no heading of requests, or behind a line or a comma that says
 * to whom or where, and leaves open what.
 */
export function handedOn(intent: Intent): readonly Clause[] {
  const texts = textsIn(intent);
  return intent.clauses.filter(({ at }) => texts.some(({ from, to }) => at >= from && at < to));
}

function textsIn(intent: Intent): readonly Span[] {
  const { typed: words } = intent;
  const sentences = sentencesOf(words);
  const texts: Span[] = [];
  let isListed = false;
  for (const [order, span] of sentences.entries()) {
    const before = sentences[order - 1];
    const isBehindColon = before !== undefined && words[span.from]?.announced === true;
    isListed = isBehindColon ? !isHeading(before, words) : isListed && isItem(span.from, words);
    if (isListed) texts.push(span);
    const from = textFrom(span, intent);
    if (from !== null) texts.push({ from, to: textEnd(span, from, words) });
  }
  return texts;
}

/** "Please do these tasks:", and neither "Write Mark:" nor "My list:". */
function isHeading({ from, to }: Span, words: readonly Word[]): boolean {
  const own = words.slice(from, to).map(({ text }) => text);
  const isOwners = own.some((text) => said.ownersHeadings.has(text));
  return (
    own.every((text) => said.headingWords.has(text)) &&
    (!isOwners || own.some((text) => said.askingHeadings.has(text)))
  );
}

/** Where the text begins that a sentence asks to hand on; null where it asks for none, or has it. */
function textFrom({ from, to }: Span, { typed: words, clauses }: Intent): number | null {
  const isNewLine = to < words.length && words[to]?.line !== "none";
  if (isNewLine && danglers.has(textAt(words, to - 1)) && !isHeading({ from, to }, words)) return to;
  for (let verb = from; verb < to; verb++) {
    if (!handsOn(verb, words)) continue;
    if (words[to]?.announced === true && to - from > 1) return to;
    for (let end = verb + 1; end < to; end++) {
      if (words[end]?.after !== "comma") continue;
      if (end - verb > longestList) return end;
      if (!isOpen({ verb, end }, words)) break;
      if (isAskedAt(end, words, clauses)) return end;
    }
    if (isNewLine && !goesOn(to, words) && !isNextItem(verb, to, words) && isOpen({ verb, end: to }, words))
      return to;
  }
  return null;
}

/** A text that stands in an item of a list ends with it, unless it is a list itself. */
function textEnd({ from }: Span, start: number, words: readonly Word[]): number {
  if (!isItem(lineStart(from, words), words) || isItem(start, words)) return words.length;
  const next = words.findIndex(({ line }, at) => at > start && line === "item");
  return next === -1 ? words.length : next;
}

function lineStart(at: number, words: readonly Word[]): number {
  let start = at;
  while (start > 0 && words[start]?.line === "none") start--;
  return start;
}

/** "- mail Mark", "1. mail Mark": there the number is a sentence of its own. */
function isItem(at: number, words: readonly Word[]): boolean {
  const before = words[at - 1];
  const isNumbered = before?.line === "item" && before.identifier?.form === "number";
  return words[at]?.line === "item" || isNumbered;
}

function isNextItem(at: number, next: number, words: readonly Word[]): boolean {
  return isItem(next, words) && isItem(lineStart(at, words), words);
}

function handsOn(at: number, words: readonly Word[]): boolean {
  const { text = "", role } = words[at] ?? {};
  return (
    role === "plain" &&
    [tellingVerbs, givingVerbs, keepingVerbs, showingVerbs, lookingVerbs].some((set) => set.has(text)) &&
    leadOf({ at, from: at, to: at + 1 }, words).every((place) => isLead(textAt(words, place)))
  );
}

function isLead(text: string): boolean {
  return said.leads.has(text) || said.freeLeads.has(text) || said.courtesies.has(text);
}

/** Whether nothing but courtesies stands between a comma and the next request. */
function isAskedAt(at: number, words: readonly Word[], clauses: readonly Clause[]): boolean {
  if (goesOn(at, words)) return false;
  const isVerb = (place: number): boolean => clauses.some(({ at: verb }) => verb === place);
  let verb = at;
  while (isLead(textAt(words, verb)) && !isVerb(verb)) verb++;
  if (isVerb(verb) || verb === at) return isVerb(verb);
  // "Kannst du die Datei löschen": its verb comes last.
  while (verb < words.length && words[verb]?.after === "nothing" && !isVerb(verb)) verb++;
  return isVerb(verb) && words[verb]?.after === "nothing";
}

/** "Mail Mark, then delete it": another request, and no text. */
function goesOn(at: number, words: readonly Word[]): boolean {
  return nexts.has(textAt(words, at));
}

/** Whether the words behind a verb say to whom or where, and not what. */
function isOpen(
  { verb, end }: { readonly verb: number; readonly end: number },
  words: readonly Word[],
): boolean {
  const own = words.slice(verb + 1, end);
  if (lookingVerbs.has(textAt(words, verb))) return false;
  if (own.some(({ text }) => relatives.has(text) || (sourcePrepositions.has(text) && !places.has(text))))
    return false;
  const marker = own.findIndex(({ text }) => targetPrepositions.has(text) || places.has(text));
  const object = marker === -1 ? own : own.slice(0, marker);
  const place = marker === -1 ? [] : own.slice(marker);
  const brings = place.findIndex(({ text }) => companies.has(text));
  if (brings !== -1 && !place.slice(brings + 1).every(isName)) return false;
  return isReceiver(object, {
    verb: textAt(words, verb),
    isAlone: !place.some(({ text }) => receiving.has(text)),
  });
}

/** "Mark", "my sister", "Mark a short mail", "this", or nothing. */
function isReceiver(
  object: readonly Word[],
  { verb, isAlone }: { readonly verb: string; readonly isAlone: boolean },
): boolean {
  const article = object.findIndex(({ text }) => articles.has(text) || (text === "the" && isWords(object)));
  const isText = article !== -1 && isCarrier(object.at(-1)?.text ?? "");
  if (article !== -1 && !isText) return false;
  const person = article === -1 ? object : object.slice(0, article);
  const takesPerson = tellingVerbs.has(verb) || givingVerbs.has(verb);
  const isPerson = (word: Word): boolean =>
    takesPerson && (isAlone || isText) && (persons.has(word.text) || isName(word));
  return (
    person.every((word) => pointers.has(word.text) || fillers.has(word.text) || isPerson(word)) ||
    (person.length === 1 && isCarrier(textAt(person, 0))) ||
    (isAlone && person.length === 2 && isNounOf(person, verb))
  );
}

/** "My sister" behind "tell", "meiner Schwester", "this message". */
function isNounOf(words: readonly Word[], verb: string): boolean {
  const [first, noun] = [textAt(words, 0), textAt(words, 1)];
  if (pointers.has(first)) return isCarrier(noun);
  return tellingVerbs.has(verb) ? determiners.has(first) : givingVerbs.has(verb) && datives.has(first);
}

/** "The words": what follows, and no text that is known. */
function isWords(object: readonly Word[]): boolean {
  return wordNouns.has(object.at(-1)?.text ?? "");
}

function isCarrier(text: string): boolean {
  return contentNouns.has(text) || carriers.has(text);
}

/** More words than this are not read: a list of names that is longer takes what stands behind it. */
const longestList = 100;

/** Verbs right behind which stands who is told. */
const tellingVerbs: ReadonlySet<string> = words(
  "tell ask answer reply respond inform notify remind warn message text ping dm mail email e-mail call write let discuss " +
    "sag sage frag frage antworte antworten informiere benachrichtige erinnere schreib schreibe schreiben maile",
);
const givingVerbs: ReadonlySet<string> = words(
  "send forward share show read give drop post publish tweet comment announce assign delegate say dictate schick schicke schicken sende senden teile poste",
);
/** Verbs for what keeps words, looks for them, or does something with them. */
const keepingVerbs: ReadonlySet<string> = words(
  "add append insert prepend put enter fill save store record remember jot note log draft new print paste type make create start commit search find google grep " +
    "füge trag trage setz setze speicher speichere notier notiere merk merke erstelle suche such finde",
);
/** Verbs that look at a place: what they look for stands behind a colon alone. */
const lookingVerbs: ReadonlySet<string> = words("look check see list zeig zeige");
const fillers: ReadonlySet<string> = words(
  "please bitte kindly also auch now jetzt just know wissen and und &",
);
/** Behind these at the end of a line its object follows. */
const danglers: ReadonlySet<string> = words(
  "to with for as into onto that about this these following als für dass über folgendes dieses",
);
const nexts: ReadonlySet<string> = words("and then und dann danach afterwards also next finally");
/** More words behind which stands where something goes. */
const places: ReadonlySet<string> = words("at as an am im als unter bei from von by of");
/** Behind these stands who gets what stands before them. */
const receiving: ReadonlySet<string> = words("to into onto an zu zum zur");
const wordNouns: ReadonlySet<string> = words("words text line sentence following worte text zeile satz");
const companies: ReadonlySet<string> = words("with mit");
const articles: ReadonlySet<string> = words("a an one another ein eine einen");
const pointers: ReadonlySet<string> = words("this these following follows dies diese dieses das folgendes");
const persons: ReadonlySet<string> = words(
  "me him her them us everyone everybody all ihm ihr ihnen uns allen mir dir",
);
const determiners: ReadonlySet<string> = words(
  "the my our his her their der dem den die meiner meinem unserer unserem",
);
const datives: ReadonlySet<string> = words("meiner meinem unserer unserem der dem");
/** What is made of words, beside the nouns for texts. */
const carriers: ReadonlySet<string> = words(
  "list todo to-do task item entry line memo post reminder dm tweet liste eintrag zeile notiz aufgabe erinnerung nachricht",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
