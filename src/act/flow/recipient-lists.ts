import type { Clause } from "../../text/words/find-clauses.ts";
import {
  contentNouns,
  relatives,
  type Sense,
  sourcePrepositions,
  targetPrepositions,
} from "../../text/words/lexicon.ts";
import { determiners, leads, sayingWords } from "../../text/words/order-words.ts";
import type { Word } from "../../text/words/tokens.ts";
import { joiners, listFrom, markers } from "./name-list.ts";
import { textAt } from "./sentence-parts.ts";

/** Lists of names, by the places of their words. */
type NameLists = readonly (readonly number[])[];

/**
 * The recipients of a clause: right behind its verb, else right behind "to" or "with"; and who gets a copy.
 */
export type Recipients = {
  readonly direct: readonly number[];
  readonly marked: NameLists;
  readonly copied: NameLists;
};

/**
 * Where the words stand that name the recipients of a clause. Where its verb or a "to" has a recipient, what
 * follows only says something to or of it: "mail Sarah that I lied to Mark", "send my boss a mail with
 * greetings to Mark".
 */
export function recipientLists(clause: Clause, words: readonly Word[]): Recipients {
  const { senses, verb, at, to } = clause;
  const start = objectStart(clause, words);
  const has = (set: ReadonlySet<Sense>): boolean => senses.some((sense) => set.has(sense));
  const isCopied = ([place = 0]: readonly number[]): boolean => copies.has(textAt(words, place - 1));
  const lists = markedLists(clause, words);
  const [copied, others] = [lists.filter(isCopied), lists.filter((list) => !isCopied(list))];
  const direct = has(directSenses) ? listFrom(words, { from: start, to, verb }) : [];
  // "Send Budget to Sarah": the name behind the verb is what goes to her.
  const behind = (direct.at(-1) ?? at) + 2;
  const isThing = !has(movingSenses) && others.some(([first]) => first === behind);
  if (direct.length > 0 && !isThing && !(senses.includes("share") && others.length > 0))
    return { direct, marked: [], copied };
  const marked = others.filter(([place = 0]) => !isInContent(clause, words, { start, place: place - 1 }));
  return { direct: [], marked, copied };
}

/** Whether a place is named before a word, and then something begins that is said there. */
export function isPlaceInContent(clause: Clause, words: readonly Word[], place: number): boolean {
  const start = objectStart(clause, words);
  let isNamed = false;
  for (let at = start; at < place; at++) {
    if (words[at]?.role !== "plain") continue;
    if (isNamed && words[at]?.after === "comma") return true;
    if (targetPrepositions.has(textAt(words, at))) isNamed = true;
    else if (isNamed && beginsContent(words, at)) return true;
  }
  return isNamed && words[place]?.after === "comma";
}

/** Where the words of a clause begin that its verb acts on. */
function objectStart({ at, from, to }: Clause, words: readonly Word[]): number {
  let start = from;
  while (start < to && (to === at ? leads : particles).has(textAt(words, start))) start++;
  return start;
}

/** The lists behind "to", and behind "with" where the verb brings people together. */
function markedLists(clause: Clause, words: readonly Word[]): NameLists {
  const { from, to } = clause;
  const lists: (readonly number[])[] = [];
  for (let place = from + 1; place < to; place++) {
    if (!isMarker(words, place - 1, clause) || clause.words[place - from]?.slot !== "target") continue;
    const list = listFrom(words, { from: place, to, verb: null });
    if (list.length > 0) lists.push(list);
    place = list.at(-1) ?? place;
  }
  return lists;
}

type ContentParts = { readonly start: number; readonly place: number };

/**
 * Whether before a place the clause names a recipient, and then something begins that is said, or two
 * objects stand behind the verb.
 */
function isInContent(clause: Clause, words: readonly Word[], { start, place }: ContentParts): boolean {
  // "Mail my wife": behind such a verb may stand whom it tells.
  let isNamed =
    tellingVerbs.has(clause.verb) && !isMarker(words, start, clause) && !indefinite.has(textAt(words, start));
  for (let at = start; at < place; at++) {
    if (words[at]?.role !== "plain") continue;
    if (isMarker(words, at, clause) && !isInfinitive(words, at)) {
      isNamed ||= !contentNouns.has(nounBehind(words, at));
      continue;
    }
    if (at > start && ((isNamed && beginsContent(words, at)) || isSecondObject(words, at))) return true;
    if (relatives.has(textAt(words, at))) return false;
  }
  return false;
}

/** Whether what is said begins at a word: behind a comma, or with a preposition or a verb of saying. */
function beginsContent(words: readonly Word[], at: number): boolean {
  const text = textAt(words, at);
  return (
    words[at]?.after === "comma" ||
    relatives.has(text) ||
    sayingWords.has(text) ||
    isInfinitive(words, at) ||
    (isPreposition(text) && !markers.has(text))
  );
}

/** "A" in "my boss a mail": an article right behind another object. */
function isSecondObject(words: readonly Word[], at: number): boolean {
  const before = textAt(words, at - 1);
  return (
    words[at]?.after === "nothing" &&
    determiners.has(textAt(words, at)) &&
    !relatives.has(textAt(words, at)) &&
    !isPreposition(before) &&
    ![determiners, particles, joiners, leads, relatives, otherPrepositions].some((set) => set.has(before))
  );
}

/** The noun behind a preposition and its article. */
function nounBehind(words: readonly Word[], at: number): string {
  const next = textAt(words, at + 1);
  return determiners.has(next) ? textAt(words, at + 2) : next;
}

function isMarker(words: readonly Word[], at: number, clause: Clause): boolean {
  const text = textAt(words, at);
  // In English "an" is an article.
  if (text === "an") return clause.words[at - clause.from]?.slot === "target";
  return markers.has(text) || (sharers.has(text) && clause.senses.some((sense) => sharedSenses.has(sense)));
}

/** "To say hi". */
function isInfinitive(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return (
    textAt(words, at) === "to" &&
    next?.role === "plain" &&
    next.identifier === null &&
    !next.capital &&
    !next.bare &&
    !determiners.has(next.text)
  );
}

function isPreposition(text: string): boolean {
  return text === "of" || text === "an" || sourcePrepositions.has(text) || targetPrepositions.has(text);
}

const directSenses: ReadonlySet<Sense> = new Set<Sense>([
  "send",
  "invite",
  "insert",
  "transfer",
  "pay",
  "share",
]);
/** What these act on is the person. */
const movingSenses: ReadonlySet<Sense> = new Set<Sense>(["invite", "insert"]);
const sharedSenses: ReadonlySet<Sense> = new Set<Sense>(["share", "create", "insert", "invite", "arrange"]);
/** Verbs that may have nothing but whom they tell behind them. */
const tellingVerbs: ReadonlySet<string> = new Set(
  "mail email e-mail message write reply answer tell notify inform text dm ping remind invite schreib schreibe schreiben maile mailen antworte antworten benachrichtige benachrichtigen informiere informieren".split(
    " ",
  ),
);
const indefinite: ReadonlySet<string> = new Set("a an some ein eine einen".split(" "));
/** Prepositions that say neither where something goes nor where it is from. */
const otherPrepositions: ReadonlySet<string> = new Set(
  "without after before during behind beside under over between through against among within inside outside near since until ohne vor während hinter neben unter zwischen durch gegen seit bis bei".split(
    " ",
  ),
);
const sharers: ReadonlySet<string> = new Set(["with", "mit"]);
const copies: ReadonlySet<string> = new Set(["cc", "bcc"]);
const particles: ReadonlySet<string> = new Set("also auch please bitte now jetzt back zurück".split(" "));
