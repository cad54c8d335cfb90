import { type JsonObject, stringsIn } from "../../text/json.ts";
import type { Clause } from "../../text/words/find-clauses.ts";
import { findNaming } from "../../text/words/find-words.ts";
import { commonWords, synonymsOf } from "../../text/words/lexicon.ts";
import { partsOf, type Word } from "../../text/words/tokens.ts";
import { isTextName, wordsOfName } from "./fits-name.ts";
import { hasNoun } from "./license-act.ts";
import { type NamedRecord, namedFields, stem, titledRecords } from "./name-records.ts";
import { isIdField, type RecordField, recordsIn } from "./records.ts";
import { fitsSlot, refersBack, type TraceContext, type TracedArgument } from "./trace-context.ts";

/** Whether a record that the clause names holds the value: as the id of what is acted on. */
export function isOfRecord(argument: TracedArgument, context: TraceContext): boolean {
  return clausesFor(argument, context).some((clause) =>
    isAboutAnother(clause, context)
      ? namesNothingElse(clause) && isIdOfNamed(argument, clause, context, namesOnly)
      : isIdOfNamed(argument, clause, context),
  );
}

function clausesFor({ role }: TracedArgument, { request }: TraceContext): readonly Clause[] {
  return [...request.clauses, ...(role === "destination" ? request.companions : [])];
}

/** Whether an act removes something, and the clause does not say what the tool is about. */
function isAboutAnother(clause: Clause, { removes, tool }: TraceContext): boolean {
  return removes && !hasNoun([clause], tool);
}

/** Whether all that a clause names is what it removes: "cancel my stand-up", and not "remove the stand-up from my notes". */
function namesNothingElse({ words }: Clause): boolean {
  return words.every(({ slot }) => slot === "object" || slot === "target");
}

/** Whether records are named by a field as a whole, and the words say nothing else of what is acted on. */
function namesOnly(records: readonly NamedRecord[], words: readonly Word[]): boolean {
  const fields = records.flatMap(({ named }) => named);
  const own = new Set(fields.flatMap(({ values }) => values.flatMap(partsOf)));
  return (
    fields.length > 0 &&
    words.flatMap(({ text }) => partsOf(text)).every((part) => own.has(part) || commonWords.has(part))
  );
}

/** Only ids from a tool about the same kind of thing count: the id of a mail is not the id of a file. */
function isIdOfNamed(
  { name, value, nouns }: TracedArgument,
  clause: Clause,
  context: TraceContext,
  areMeant: (named: readonly NamedRecord[], objects: readonly Word[]) => boolean = () => true,
): boolean {
  // What something is called is no id of it.
  if (isTextName(name)) return false;
  const results = context.results.filter(
    (result) => result.reads && result.nouns.some((noun) => nouns.includes(noun)),
  );
  const isOwnId = (field: RecordField): boolean => {
    const [noun = "", ...rest] = wordsOfName(field.key);
    return isIdField(field) && (rest.length === 0 || nouns.includes(stem(noun)));
  };
  const usable = clause.words.filter((word) => fitsSlot(word, "critical", context));
  const words: readonly Word[] = [...usable, ...(refersBack(clause) ? clause.earlier : [])];
  const elsewhere = clause.words.filter((word) => !usable.includes(word));
  const records = results
    .flatMap(({ content }) => recordsIn(content))
    .filter((record) => namedFields(record, elsewhere).length === 0);
  const objects = clause.words.filter(({ slot, role }) => slot === "object" && role !== "content");
  const general = new Set([...context.tool.nouns, ...nouns].flatMap(synonymsOf).map(stem));
  const named = titledRecords(records, words, general);
  return (
    areMeant(named, objects) &&
    named.some(({ record }) => record.fields.some((field) => isOwnId(field) && field.values.includes(value)))
  );
}

/** Whether words name everything that a call was given, and it was given something. */
export function isCallNamed(args: JsonObject, words: readonly Word[]): boolean {
  const given = stringsIn(args).filter(({ text }) => text !== "");
  return given.length > 0 && given.every(({ text }) => findNaming(words, text).length > 0);
}
