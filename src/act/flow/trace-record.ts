import { findNaming } from "../../signal/intent/find-words.ts";
import { commonWords } from "../../signal/intent/lexicon.ts";
import type { Clause } from "../../signal/intent/read-intent.ts";
import { partsOf, type Word } from "../../signal/intent/tokens.ts";
import { type JsonObject, stringsIn } from "../../signal/json.ts";
import { hasNoun } from "./license-act.ts";
import { type NamedRecord, namedFields, namedRecords, stem } from "./name-records.ts";
import { isIdField, type RecordField, recordsIn } from "./records.ts";
import { fitsSlot, refersBack, type TraceContext, type TracedArgument } from "./trace-context.ts";

/** Whether a record that the clause names holds the value: as the id of what is acted on, or in a field that the clause asks for. */
export function isOfRecord(argument: TracedArgument, context: TraceContext): boolean {
  const clauses = [
    ...context.request.clauses,
    ...(argument.role === "destination" ? context.request.companions : []),
  ];
  return clauses.some((clause) =>
    context.removes && !hasNoun([clause], context.tool)
      ? namesNothingElse(clause) && isIdOfNamed(argument, clause, context, namesOnly)
      : isIdOfNamed(argument, clause, context) || isFieldOfNamed(argument, clause, context),
  );
}

/** Whether all that a clause names is what it removes: "cancel my stand-up", and not "remove the stand-up from my notes". */
function namesNothingElse({ words }: Clause): boolean {
  return words.every(({ slot }) => slot === "object" || slot === "target");
}

/** Whether a record is named by a field as a whole, and the words say nothing else of what is acted on. */
function namesOnly({ named }: NamedRecord, words: readonly Word[]): boolean {
  const own = new Set(named.flatMap(({ values }) => values.flatMap(partsOf)));
  return (
    named.length > 0 &&
    words.flatMap(({ text }) => partsOf(text)).every((part) => own.has(part) || commonWords.has(part))
  );
}

/** Only ids from a tool about the same kind of thing count: the id of a mail is not the id of a file. */
function isIdOfNamed(
  { value, nouns }: TracedArgument,
  clause: Clause,
  context: TraceContext,
  isMeant: (named: NamedRecord, objects: readonly Word[]) => boolean = () => true,
): boolean {
  const results = context.results.filter(
    (result) => result.reads && result.nouns.some((noun) => nouns.includes(noun)),
  );
  const usable = clause.words.filter((word) => fitsSlot(word, "critical", context));
  const words: readonly Word[] = [...usable, ...(refersBack(clause) ? clause.earlier : [])];
  const elsewhere = clause.words.filter((word) => !usable.includes(word));
  const records = results
    .flatMap(({ content }) => recordsIn(content))
    .filter((record) => namedFields(record, elsewhere).length === 0);
  const objects = clause.words.filter(({ slot, role }) => slot === "object" && role !== "content");
  return namedRecords(records, words).some(
    (named) =>
      isMeant(named, objects) &&
      named.record.fields.some((field) => isIdField(field) && field.values.includes(value)),
  );
}

/** "The same participants as in X": a field that the clause says, of the record X, or of what was asked for with X. */
function isFieldOfNamed({ value, role }: TracedArgument, clause: Clause, { results }: TraceContext): boolean {
  if (role !== "destination") return false;
  const words: readonly Word[] = [...clause.words, ...clause.earlier];
  const readable = results.filter(({ reads }) => reads);
  const called = readable
    .filter(({ args }) => isCallNamed(args, clause.words))
    .flatMap(({ content }) => recordsIn(content));
  const named = namedRecords(
    readable.flatMap(({ content }) => recordsIn(content)),
    words,
  );
  return (
    called.some(({ fields }) =>
      fields.some((field) => field.values.includes(value) && isFieldSaid(field, clause)),
    ) ||
    named.some((one) =>
      one.record.fields.some((field) => field.values.includes(value) && isAskedFor(field, one, clause)),
    )
  );
}

/** Whether words name everything that a call was given, and it was given something. */
export function isCallNamed(args: JsonObject, words: readonly Word[]): boolean {
  const given = stringsIn(args).filter(({ text }) => text !== "");
  return given.length > 0 && given.every(({ text }) => findNaming(words, text).length > 0);
}

function isAskedFor(field: RecordField, { named, shared }: NamedRecord, clause: Clause): boolean {
  if (named.length === 0 || named.includes(field) || isIdField(field)) return false;
  return isFieldSaid(field, clause) || (clause.pointsBack && shared > named.length);
}

/** Whether the clause says that it means what the field holds: "the same participants", "all members". */
function isFieldSaid({ key }: RecordField, { words }: Clause): boolean {
  const nouns = partsOf(key.replaceAll("_", " ")).map(stem);
  const isSaid = (noun: string): boolean =>
    words.some(
      ({ text, role, slot }, at) =>
        role === "plain" && slot !== "remark" && stem(text) === noun && wholes.has(words[at - 1]?.text ?? ""),
    );
  return nouns.length > 0 && nouns.every(isSaid);
}

const wholes: ReadonlySet<string> = new Set([
  "all",
  "same",
  "every",
  "each",
  "alle",
  "gleichen",
  "dieselben",
]);
