import type { Clause } from "../../text/words/find-clauses.ts";
import { relatives, sourcePrepositions, targetPrepositions } from "../../text/words/lexicon.ts";
import type { Word } from "../../text/words/tokens.ts";
import { isName, kindsOf, type Order } from "./order.ts";
import { textAt } from "./sentence-parts.ts";

/**
 * Whether the verb of a clause asks for the act, and neither for work on a text or on code ("write a script
 * that …") nor is a noun of a statement ("the mail", as in "mail Mark sent is lost").
 */
export function isVerbOfAct(clause: Clause, order: Order): boolean {
  const kinds = kindsOf(order);
  if (isSubject(clause, order, kinds)) return false;
  const { typed: words } = order.intent;
  if (clause.to === clause.at) return true;
  if (writingVerbs.has(clause.verb) && isKeptElsewhere(clause, words)) return false;
  if (openingVerbs.has(clause.verb)) return !definite.has(textAt(words, clause.from));
  return !makingVerbs.has(clause.verb) || makesMessage(clause, order, kinds);
}

/** A finite verb right behind the names that stand behind the word. */
function isSubject({ from, to }: Clause, { intent }: Order, kinds: ReadonlySet<string>): boolean {
  const { typed: words } = intent;
  let at = from;
  while (at < to) {
    const word = words[at];
    if (word === undefined || word.after !== "nothing") return false;
    if (finiteVerbs.has(word.text)) return at > from;
    if (!isName(word) && !word.bare && !kinds.has(word.text) && !nameWords.has(word.text)) return false;
    at++;
  }
  return false;
}

/** "Write Mark", "write to Mark", "write a short mail to Mark": of other objects no message is made. */
function makesMessage({ from, to }: Clause, { intent }: Order, kinds: ReadonlySet<string>): boolean {
  const own = intent.typed.slice(from, to);
  const end = own.findIndex(({ text }) => endsObject(text));
  const object = end === -1 ? own : own.slice(0, end);
  const [first] = object;
  if (first === undefined) return receiving.has(own[0]?.text ?? "");
  if (textWords.has(first.text)) return false;
  return (
    isName(first) ||
    object.some(({ text, role }) => role === "plain" && (kinds.has(text) || messageNouns.has(text)))
  );
}

/** "Write a mail to Sarah into answer.txt": before what it says, a written text has no place but a person. */
function isKeptElsewhere({ from, to }: Clause, words: readonly Word[]): boolean {
  const own = words.slice(from, to);
  const end = own.findIndex(
    ({ text, after }) => after === "comma" || relatives.has(text) || sourcePrepositions.has(text),
  );
  return own
    .slice(0, end === -1 ? undefined : end)
    .some(({ text, role }) => role === "plain" && keeping.has(text));
}

function endsObject(text: string): boolean {
  return (
    text === "of" ||
    text === "an" ||
    [sourcePrepositions, targetPrepositions, relatives].some((set) => set.has(text))
  );
}

const makingVerbs: ReadonlySet<string> = new Set("write make schreib schreibe schreiben".split(" "));
const writingVerbs: ReadonlySet<string> = new Set([
  ..."write make reply answer schreib schreibe schreiben antworte antworten".split(" "),
]);
const keeping: ReadonlySet<string> = new Set("in into onto on as for im ins auf als für".split(" "));
const openingVerbs: ReadonlySet<string> = new Set(["open"]);
const definite: ReadonlySet<string> = new Set("the my our this that".split(" "));
const receiving: ReadonlySet<string> = new Set(["to", "an"]);
const textWords: ReadonlySet<string> = new Set(["down"]);
const nameWords: ReadonlySet<string> = new Set("to by from in on for the".split(" "));
const finiteVerbs: ReadonlySet<string> = new Set(
  "is are was were has had wrote got sent gave said made did does ist war hat hatte schrieb".split(" "),
);
const messageNouns: ReadonlySet<string> = new Set(
  "him her them mail email e-mail message reply answer response note text dm post comment greeting invitation lines ihm ihr ihnen nachricht antwort".split(
    " ",
  ),
);
