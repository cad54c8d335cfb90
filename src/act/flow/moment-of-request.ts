import type { Clause } from "../../text/words/find-clauses.ts";
import type { Intent } from "../../text/words/read-intent.ts";
import type { Word } from "../../text/words/tokens.ts";
import { momentsOf, wordsOfName } from "./fits-name.ts";
import { isSaid, type Moment, momentsSaid, type SaidMoment } from "./said-moments.ts";
import type { TraceContext, TracedArgument } from "./trace-context.ts";

/**
 * The words that may say when: of the request, of what the owner asks to look at, and of what the owner
 * tells; not of another act.
 */
function timeWords(clauses: readonly Clause[], { clauses: all, statements }: Intent): readonly Word[] {
  const said = [...clauses, ...all.filter(({ senses }) => senses.length === 0)];
  const acts = new Set(all.flatMap(({ verb, senses }) => (senses.length > 0 ? [verb] : [])));
  const told = said.flatMap(({ earlier }) => (earlier.some(({ text }) => acts.has(text)) ? [] : earlier));
  return [...said.flatMap(({ words }) => words), ...told, ...statements.flat()].filter(
    ({ role }) => role !== "content",
  );
}

/**
 * Whether a value is a date, a time or both and nothing else, and the owner said them where they belong to
 * the request: "2026-05-04 19:00". A date may lack its year in the words, and count from the day on which
 * they were said. Where the request says a date and a time, the call must have both; of two dates or times
 * the first begins and the second ends.
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
