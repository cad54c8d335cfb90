import { readingVerbs, requestWords, synonymsOf } from "../../signal/intent/lexicon.ts";
import type { Clause } from "../../signal/intent/read-intent.ts";
import type { Word } from "../../signal/intent/tokens.ts";
import { isJsonArray, type Json, type JsonObject, stringsIn } from "../../signal/json.ts";
import { wordsOfName } from "./fits-name.ts";
import { stem } from "./name-records.ts";
import { isIdField, type ResultRecord, recordsIn } from "./records.ts";
import type { TraceContext, TracedArgument } from "./trace-context.ts";

/** What a superlative compares, which the service itself measures: not what anybody writes, as a price or a name is. */
type Measure = { readonly fields: ReadonlySet<string>; readonly sign: 1 | -1 };

const sizes: ReadonlySet<string> = new Set(["size", "bytes", "filesize"]);
const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ["largest", { fields: sizes, sign: 1 }],
  ["biggest", { fields: sizes, sign: 1 }],
  ["größte", { fields: sizes, sign: 1 }],
  ["smallest", { fields: sizes, sign: -1 }],
  ["kleinste", { fields: sizes, sign: -1 }],
]);

/** The words that compare so. */
export const superlatives: ReadonlySet<string> = new Set(measures.keys());

/** "The largest file in the drive": whether the value is the id of the one record of a complete list that has most of what the service measures. Only the first act of a turn is chosen so. */
export function isChosen({ value, nouns, role }: TracedArgument, context: TraceContext): boolean {
  if (role === "destination" && context.outward) return false;
  if (!context.results.every(({ reads }) => reads)) return false;
  const kinds = new Set(nouns.flatMap(synonymsOf).map(stem));
  const lists = context.results.filter((result) => isWholeList(result, kinds));
  const last = lists.at(-1)?.content ?? null;
  return context.request.clauses.some((clause) => {
    const measure = measureSaid(clause, kinds);
    return measure !== null && isExtreme(value, itemsOf(last), { measure, nouns });
  });
}

/** What the clause compares, where it says nothing else of what is chosen than the place that holds all of them. */
function measureSaid({ words, earlier, count }: Clause, kinds: ReadonlySet<string>): Measure | null {
  const [article, most, noun, inside, whole, ...place] = words;
  const isSaid =
    (count === null || count === 1) &&
    articles.has(article?.text ?? "") &&
    kinds.has(stem(noun?.text ?? "")) &&
    (inside?.text === "in" || inside?.text === "on") &&
    articles.has(whole?.text ?? "") &&
    place.length > 0 &&
    place.every(({ text }) => places.has(text)) &&
    [...words, ...earlier].every(
      ({ role, after }, at) => role === "plain" && (at === 0 || after !== "comma"),
    ) &&
    earlier.every(isLead);
  return isSaid ? (measures.get(most?.text ?? "") ?? null) : null;
}

/** "2. Find and": nothing that narrows what is meant. */
function isLead({ text, identifier }: Word): boolean {
  return readingVerbs.has(text) || requestWords.has(text) || identifier?.form === "number";
}

const articles: ReadonlySet<string> = new Set(["the", "my", "our"]);
/** What holds all things of a kind. */
const places: ReadonlySet<string> = new Set("cloud file drive storage account".split(" "));

/** Whether a result lists all things of a kind: by a tool that is about nothing else and was given nothing. */
function isWholeList(
  {
    args,
    nouns,
    content,
  }: { readonly args: JsonObject; readonly nouns: readonly string[]; readonly content: Json },
  kinds: ReadonlySet<string>,
): boolean {
  return (
    Object.values(args).every((held) => held === null) &&
    stringsIn(args).length === 0 &&
    isJsonArray(content) &&
    nouns.some((noun) => kinds.has(noun)) &&
    nouns.every((noun) => kinds.has(noun) || readingVerbs.has(noun) || noun === "all")
  );
}

/** The records of a list, without what stands inside them. */
function itemsOf(list: Json): readonly ResultRecord[] {
  return isJsonArray(list) ? list.flatMap((item) => recordsIn(item).slice(-1)) : [];
}

type Choice = { readonly measure: Measure; readonly nouns: readonly string[] };

function isExtreme(value: string, items: readonly ResultRecord[], { measure, nouns }: Choice): boolean {
  const measured = items.map((item) => ({ item, size: sizeOf(item, measure) }));
  if (measured.some(({ size }) => Number.isNaN(size))) return false;
  const [first, second] = measured.toSorted((a, b) => measure.sign * (b.size - a.size));
  return (
    first !== undefined &&
    second !== undefined &&
    first.size !== second.size &&
    first.item.fields.some(
      (field) => isIdField(field) && isIdOf(field.key, nouns) && field.values.join() === value,
    )
  );
}

function isIdOf(key: string, nouns: readonly string[]): boolean {
  const [noun = "", ...rest] = wordsOfName(key);
  return rest.length === 0 || nouns.includes(stem(noun));
}

/** What a record says that it measures; no number where it says none, or several. */
function sizeOf({ fields }: ResultRecord, { fields: keys }: Measure): number {
  const own = fields.filter(({ key }) => keys.has(key));
  const [text = ""] = own.flatMap(({ values }) => values);
  return own.length === 1 && own[0]?.values.length === 1 && /^\d+(?:\.\d+)?$/.test(text)
    ? Number(text)
    : Number.NaN;
}
