import { findAmount } from "../../signal/intent/find-words.ts";
import { identifierOf } from "../../signal/intent/identifiers.ts";
import { commonWords } from "../../signal/intent/lexicon.ts";
import type { Clause, Intent } from "../../signal/intent/read-intent.ts";
import type { Word } from "../../signal/intent/tokens.ts";
import { momentsOf, wordsOfName } from "./fits-name.ts";
import { stem } from "./name-records.ts";
import { isOfOther } from "./paid-amount.ts";
import { isSaid, type Moment, momentsSaid, type SaidMoment } from "./said-moments.ts";
import type { TraceContext, TracedArgument } from "./trace-context.ts";

/** The words that may say when: of the request, of what the owner asks to look at, and of what the owner tells; not of another act. */
function timeWords(clauses: readonly Clause[], { clauses: all, statements }: Intent): readonly Word[] {
  const said = [...clauses, ...all.filter(({ senses }) => senses.length === 0)];
  const acts = new Set(all.flatMap(({ verb, senses }) => (senses.length > 0 ? [verb] : [])));
  const told = said.flatMap(({ earlier }) => (earlier.some(({ text }) => acts.has(text)) ? [] : earlier));
  return [...said.flatMap(({ words }) => words), ...told, ...statements.flat()].filter(
    ({ role }) => role !== "content",
  );
}

/**
 * Whether a value is a date, a time or both and nothing else, and the owner said them where they belong to the request: "2026-05-04 19:00". A date may lack its
 * year in the words, and count from the day on which they were said. Where the request says a date and a
 * time, the call must have both; of two dates or times the first begins and the second ends.
 */
export function isSaidMoment(
  { name, value }: TracedArgument,
  { request, intent, given, sources }: Pick<TraceContext, "request" | "intent" | "given" | "sources">,
): boolean {
  const parts = momentsOf(value);
  const said = momentsSaid(timeWords(request.clauses, intent), sources.today);
  const own = request.clauses.flatMap((clause) =>
    clause.words.filter(({ role, slot }) => role !== "content" && slot !== "remark"),
  );
  const all = given.flatMap(momentsOf);
  return (
    parts.length > 0 &&
    parts.every((part) => isSaid(part, said)) &&
    forms.every((form) => !own.some((word) => hasForm(word, form)) || all.some((one) => one.form === form)) &&
    parts.every((part) => isInOrder(name, part, momentsSaid(own, sources.today)))
  );
}

const forms: readonly Moment["form"][] = ["date", "time"];

function hasForm({ identifier, date }: Word, form: Moment["form"]): boolean {
  return form === "date" ? date !== null : identifier?.form === "time";
}

/** "From May 3rd until May 5th": the first is no end, and the second is no start. */
function isInOrder(name: string, part: Moment, all: readonly SaidMoment[]): boolean {
  const said = all.filter(({ form }) => form === part.form);
  const isFirst = isSaid(part, said.slice(0, 1));
  const isLast = isSaid(part, said.slice(-1));
  if (isFirst === isLast) return true;
  const nouns = wordsOfName(name);
  return !nouns.some((noun) => (isFirst ? endNouns : startNouns).has(noun));
}

const startNouns: ReadonlySet<string> = new Set("start begin from in pickup departure checkin".split(" "));
const endNouns: ReadonlySet<string> = new Set("end until to out return dropoff checkout due".split(" "));

/** Whether a value is how many things the clause names: "two lamps"; one where it says no number. */
export function isSaidCount(name: string, value: string, { count }: Clause): boolean {
  if (!wordsOfName(name).some((part) => countNouns.has(part))) return false;
  return count === Number(value) || (value === "1" && (count === null || count === 1));
}

const countNouns: ReadonlySet<string> = new Set(["quantity", "count", "qty", "pieces", "anzahl", "menge"]);

/** Whether the owner said an amount as a fact about what the clause is about: "My new rent is 1450. Change the order for the rent." */
export function isStatedAmount(
  { name, value }: TracedArgument,
  clause: Clause,
  { intent, pays }: TraceContext,
): boolean {
  const about = new Set(telling(clause.words.filter(({ slot }) => slot !== "remark")));
  return [...intent.statements, clause.earlier].some(
    (sentence) =>
      findAmount(sentence, value).some(
        (word) => !pays || !isOfOther(sentence, sentence.indexOf(word), name),
      ) &&
      sentence.some(({ text, role }) => role === "plain" && copulas.has(text)) &&
      telling(sentence).some((word) => about.has(word)),
  );
}

const copulas: ReadonlySet<string> = new Set([
  "is",
  "are",
  "be",
  "costs",
  "ist",
  "sind",
  "kostet",
  "beträgt",
]);

function telling(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text, role, identifier }) =>
    role === "content" || identifier !== null || text.length < 3 || commonWords.has(text) ? [] : [stem(text)],
  );
}

/** Whether the owner's words have one account, this one, and the clause names nobody else: "My friend at … paid too much. Send 6 back." */
export function isOnlyAccount(value: string, clause: Clause, { words }: Intent): boolean {
  const own = identifierOf(value);
  const accounts = words.filter(
    ({ identifier, role }) => role !== "content" && identifier?.form === "account",
  );
  const others = clause.words.filter(
    ({ slot, next, capital, role, identifier }) =>
      (slot === "target" || next) && (capital || role === "name" || identifier?.form === "address"),
  );
  return (
    own?.form === "account" &&
    accounts.length > 0 &&
    accounts.every(({ identifier }) => identifier?.value === own.value) &&
    others.length === 0
  );
}

/**
 * Whether words spell a value out as a name of several words or numbers: "14 Hill Street, Leeds". All of a list with commas must be in the values
 * that the call is given, so that no part is left out. A single word must stand behind "to" or "is".
 */
export function isSpelled(words: readonly Word[], value: string, given: readonly string[]): boolean {
  const parts = listed(value);
  const all = new Set(given.flatMap(listed));
  return spelledLists(words).some(({ list, before }) => {
    const spelled = list.map(({ text }) => text);
    const isBorder = (at: number): boolean => at === 0 || at === list.length || list[at]?.after === "comma";
    return (
      parts.length > 0 &&
      spelled.some(
        (_, at) =>
          isBorder(at) &&
          isBorder(at + parts.length) &&
          parts.every((part, order) => spelled[at + order] === part),
      ) &&
      spelled.every((part) => all.has(part)) &&
      (spelled.length > 1 || leads.has(before))
    );
  });
}

/** The words of a value as they are written, between blanks and commas. */
function listed(value: string): readonly string[] {
  return value.toLowerCase().split(/, ?| /u);
}

const leads: ReadonlySet<string> = new Set(["to", "is", "as", "auf", "zu", "ist", "in"]);

/** Runs of capital words and numbers, over commas, with at least one capital, each with the word before it. */
function spelledLists(
  words: readonly Word[],
): readonly { readonly list: readonly Word[]; readonly before: string }[] {
  const lists: { list: Word[]; before: string }[] = [];
  let open: Word[] | null = null;
  for (const [at, word] of words.entries()) {
    const isOwn =
      word.role === "plain" && !word.dated && (word.capital || word.identifier?.form === "number");
    if (!isOwn) open = null;
    else if (open !== null && word.after !== "sentence") open.push(word);
    else {
      open = [word];
      lists.push({ list: open, before: words[at - 1]?.text ?? "" });
    }
  }
  return lists.filter(({ list }) => list.some(({ capital }) => capital));
}
