import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, type Row as Stored, text } from "../storage/rows.ts";
import { quoteTerm } from "./count-rows.ts";
import { expandTerms } from "./expand-terms.ts";
import { type Question, wordsThatName } from "./question.ts";
import type { WordReader } from "./read-words.ts";
import { type CandidateRow, type ScoringParts, scoreRows } from "./score-rows.ts";
import { titleWord } from "./title-word.ts";

/** The table to search, and how many rows to return. */
export type SearchTarget = {
  readonly database: Database;
  readonly name: string;
  readonly read: WordReader;
  /** The approximate number of rows with a term or phrase. */
  readonly count: (term: string) => number;
  readonly limit: number;
};

/** How many rows the index may rank. A more frequent word is used only beside rarer ones. */
const rankedRows = 600;
/** How many rows are scored in detail, and for how many the neighbours are scored too. */
const closeRows = 100;
const rowsWithNeighbours = 50;
const furthestNeighbour = 2;

/** The factor for a row next to a better one. */
const besideBetter = 0.9;

/** Finds the rows that answer a question best: the index selects rows with its rarer words by BM25, and these are scored again with the whole question. */
export function findRows(
  given: SearchTarget,
  question: Question,
): readonly { number: number; score: number }[] {
  const place = { ...given, count: countOnce(given.count) };
  const sought = withoutNames(place, question);
  const { count } = place;
  const found = candidates(place, sought);
  if (found.length === 0) return [];
  const rows = readRows(place, found);
  const all = sizeOf(place);
  const rarity = (term: string): number =>
    Math.log(1 + (all.number - count(term) + 0.5) / (count(term) + 0.5));
  const terms = [...sought.terms, ...sought.phrases, ...sought.required];
  const scoring: ScoringParts = {
    terms: new Map(terms.map((term) => [term, rarity(term)])),
    question,
    meanSize: Math.max(1, all.size / Math.max(1, all.number)),
  };
  const first = scoreRows(rows, scoring);
  const learned = expandTerms(first, { known: scoring.terms, count, rarity, rows: all.number });
  const scores = scoreRows(rows, { ...scoring, terms: new Map([...learned, ...scoring.terms]) }, first);
  const wanted = question.required.length === 0 ? null : new Set(found);
  const best = [...scores].filter(([{ number }, score]) => score > 0 && (wanted?.has(number) ?? true));
  return rankRows(best).slice(0, place.limit);
}

/** Counts each term only once. */
function countOnce(count: SearchTarget["count"]): SearchTarget["count"] {
  const known = new Map<string, number>();
  return (term) => {
    const counted = known.get(term) ?? count(term);
    known.set(term, counted);
    return counted;
  };
}

/** Sorts rows, best first. A row next to a better one says much the same, so it counts a little less. */
function rankRows(
  scores: readonly (readonly [CandidateRow, number])[],
): readonly { number: number; score: number }[] {
  const sorted = scores.toSorted(
    ([one, first], [other, second]) => second - first || other.number - one.number,
  );
  const taken = new Set<string>();
  return sorted
    .map(([{ number, group, position }, score]) => {
      const beside =
        position !== null && [position - 1, position + 1].some((place) => taken.has(`${place} ${group}`));
      taken.add(`${position} ${group}`);
      return { number, score: beside ? score * besideBetter : score };
    })
    .sort((one, other) => other.score - one.score || other.number - one.number);
}

/** Removes authors' names from a question that has other words: a name says whose words are meant, not which. */
function withoutNames({ database, name, read }: SearchTarget, question: Question): Question {
  const named = database
    .all(`SELECT name FROM ${name}_authors`)
    .flatMap((row) => wordsThatName(question, text(row, "name")));
  const names = new Set(read(named.join(" ")));
  const others = question.terms.filter((term) => !names.has(term));
  return others.length > 0 ? { ...question, terms: others } : question;
}

/** Selects the rows to score: rows with rarer words by BM25; then, newest first, rows with all common words in the title, with all of them anywhere, with the two rarest, or with the rarest. */
function candidates(place: SearchTarget, { terms, phrases, required }: Question): readonly number[] {
  const { count, limit } = place;
  const wanted = Math.max(limit, closeRows);
  const rank = numbersBy(place, "rank", wanted);
  const newest = numbersBy(place, "rowid DESC", wanted);
  if (required.length > 0) {
    const few = required.some((phrase) => count(phrase) <= rankedRows);
    return (few ? rank : newest)(all(required));
  }
  const known = [...terms, ...phrases]
    .filter((term) => count(term) > 0)
    .sort((one, other) => count(one) - count(other));
  let ranked = 0;
  const rare = known.filter((term) => {
    ranked += count(term);
    return ranked <= rankedRows;
  });
  const found = new Set(rare.length > 0 ? rank(rare.map(quoteTerm).join(" OR ")) : []);
  const common = terms.filter((term) => known.includes(term) && !rare.includes(term));
  const rarest = known.filter((term) => common.includes(term));
  const commonMatches =
    common.length === 0
      ? []
      : [all(common.map(titleWord)), all(common), all(rarest.slice(0, 2)), all(rarest.slice(0, 1))];
  for (const match of commonMatches) {
    if (found.size >= wanted || (rare.length > 0 && common.length === 1)) break;
    for (const number of newest(match)) if (found.size < wanted) found.add(number);
  }
  return [...found];
}

function numbersBy(
  { database, name }: SearchTarget,
  order: "rank" | "rowid DESC",
  limit: number,
): (match: string) => readonly number[] {
  return (match) =>
    database
      .all(
        `SELECT rowid AS number FROM ${name} WHERE ${name} MATCH ? ORDER BY ${order} LIMIT ?`,
        match,
        limit,
      )
      .map((row) => integer(row, "number"));
}

function all(terms: readonly string[]): string {
  return terms.map(quoteTerm).join(" AND ");
}

/** Reads these rows, and the neighbours of the first ones. */
function readRows({ database, name }: SearchTarget, numbers: readonly number[]): readonly CandidateRow[] {
  const rows = database.all(
    `SELECT rows.* FROM json_each(?) JOIN ${name}_rows AS rows ON rows.number = value`,
    JSON.stringify(numbers),
  );
  const near = database.all(
    `SELECT DISTINCT near.* FROM json_each(?) JOIN ${name}_rows AS rows ON rows.number = value
       JOIN ${name}_rows AS near ON near.part_of = rows.part_of AND near.position BETWEEN rows.position - ? AND rows.position + ?`,
    JSON.stringify(numbers.slice(0, rowsWithNeighbours)),
    furthestNeighbour,
    furthestNeighbour,
  );
  const all = new Map([...rows, ...near].map((row) => [integer(row, "number"), row]));
  return [...all.values()].map(rowOf);
}

/** True if the table has no rows. */
export function isTableEmpty(place: SearchTarget): boolean {
  return sizeOf(place).number === 0;
}

function sizeOf({ database, name }: SearchTarget): { readonly number: number; readonly size: number } {
  const row = database.get(`SELECT number, size FROM ${name}_size`);
  if (row === undefined) throw new Error(`the text table ${name} has lost its size`);
  return { number: integer(row, "number"), size: integer(row, "size") };
}

function rowOf(stored: Stored): CandidateRow {
  return {
    number: integer(stored, "number"),
    columns: ["title", "text", "tags", "properties"].map((column) => text(stored, column).split(" ")),
    size: integer(stored, "size"),
    authors: text(stored, "author").split(" ").filter(Boolean),
    group: text(stored, "part_of"),
    position: integerOrNull(stored, "position"),
    asks: integer(stored, "asks") === 1,
    dated: integer(stored, "dated") === 1,
  };
}
