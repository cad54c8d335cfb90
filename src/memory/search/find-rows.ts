import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, type Row as Stored, text } from "../storage/rows.ts";
import { type Concept, readConcepts } from "./concepts.ts";
import { quoteTerm } from "./count-rows.ts";
import { expandTerms } from "./expand-terms.ts";
import { type Question, wordsThatName } from "./question.ts";
import type { WordReader } from "./read-words.ts";
import { type CandidateRow, neighbours, relevanceOf, type ScoringParts, scoreRows } from "./score-rows.ts";
import { loadStemmers } from "./stemmers.ts";
import { storedStems } from "./stored-stems.ts";
import type { SynonymFinder } from "./synonyms.ts";
import { titleWord } from "./title-word.ts";
import { isPlainTerm, openVocabulary, type Vocabulary } from "./vocabulary.ts";

/** The table to search, and how many rows to return. */
export type SearchTarget = {
  readonly database: Database;
  readonly name: string;
  readonly read: WordReader;
  /** The approximate number of rows with a term or phrase. */
  readonly count: (term: string) => number;
  readonly synonyms: SynonymFinder;
  readonly limit: number;
  /** Takes rows out of the search: nothing is found in them, and nothing is learned from them. Null to search all. */
  readonly filter: RowFilter | null;
};

/** Gives those of some rows that may be searched, in their order. */
export type RowFilter = (numbers: readonly number[]) => Promise<readonly number[]>;

/** A row that was found. */
export type FoundRow = {
  readonly number: number;
  readonly score: number;
  /** How much of the question it has itself, from 0 to 1. */
  readonly relevance: number;
  /**
   * True for a row that has nothing of the question, and stands beside rows that have or shares words with
   * them. The row behind a question that has something of it is its answer, and no context.
   */
  readonly isContext: boolean;
};

/** How many rows the index may rank. A more frequent word is used only beside rarer ones. */
const rankedRows = 600;
/** How many rows are scored in detail, and for how many the neighbours are scored too. */
const closeRows = 100;
/** How many rows may be looked up by learned words. */
const learnedRows = 2000;
const rowsWithNeighbours = 50;
const furthestNeighbour = 2;
/** How many times the wanted rows are looked through where a filter takes some of them out. */
const lookedThrough = 10;

/** The factor for a row next to a better one. */
const besideBetter = 0.9;

/**
 * Finds the rows that answer a question best: the index selects rows with its rarer words by BM25, and these are scored with the whole question. Words that the best of them share are looked up too, and all are scored again.
 */
export async function findRows(given: SearchTarget, question: Question): Promise<readonly FoundRow[]> {
  const place = { ...given, count: countOnce(given.count) };
  const { count, limit } = place;
  const sought = withoutNames(place, question);
  const all = sizeOf(place);
  const rarityOf = (rows: number): number =>
    Math.log(1 + (all.number - Math.min(rows, all.number) + 0.5) / (rows + 0.5));
  const vocabulary = readOnce(openVocabulary(place.database, place.name, count));
  const stemmers = await loadStemmers([...question.plain]);
  const concepts = readConcepts({ vocabulary, synonyms: place.synonyms, stemmers, rarityOf }, sought);
  const found = await candidates(place, sought, concepts);
  if (found.length === 0) return [];
  const scoring: ScoringParts = {
    concepts,
    learned: new Map(),
    question,
    meanSize: Math.max(1, all.size / Math.max(1, all.number)),
  };
  const first = scoreRows(await readRows(place, found), scoring);
  const known = new Set(concepts.flatMap(({ terms }) => [...terms.keys()]));
  const learned = expandTerms(first, {
    known,
    count,
    rarity: (term) => rarityOf(count(term)),
    rows: all.number,
  });
  const further = question.required.length > 0 ? [] : await rowsWith(place, [...learned.keys()]);
  const rows = await readRows(place, [...new Set([...found, ...further])], [...first.keys()]);
  const scores = scoreRows(rows, { ...scoring, learned }, first);
  const wanted = question.required.length === 0 ? null : new Set(found);
  const best = [...scores].filter(([{ number }, score]) => score > 0 && (wanted?.has(number) ?? true));
  const before = neighbours(rows);
  const share = (row: CandidateRow | undefined): number =>
    row === undefined ? 0 : relevanceOf(row, concepts);
  return rankRows(best)
    .slice(0, limit)
    .map(({ row, score }) => {
      const relevance = share(row);
      const asked = before(row, -1);
      return {
        number: row.number,
        score,
        relevance: question.isSmallTalk ? 0 : relevance,
        isContext: relevance === 0 && !(asked?.asks === true && share(asked) > 0),
      };
    });
}

/** Reads each part of the vocabulary only once. */
function readOnce(vocabulary: Vocabulary): Vocabulary {
  const known = new Map<string, readonly string[]>();
  const once = (key: string, read: () => readonly string[]): readonly string[] => {
    const terms = known.get(key) ?? read();
    known.set(key, terms);
    return terms;
  };
  return {
    count: vocabulary.count,
    beginning: (prefix, limit) =>
      once(`${prefix}* ${limit}`, () => vocabulary.beginning(prefix, limit).filter(isPlainTerm)),
    ending: (suffix, limit) => once(`*${suffix} ${limit}`, () => vocabulary.ending(suffix, limit)),
    between: (from, to) => once(`${from} ${to}`, () => vocabulary.between(from, to)),
  };
}

/** Rows with the rarer ones of these terms. */
async function rowsWith(place: SearchTarget, terms: readonly string[]): Promise<readonly number[]> {
  const rare = rarestOf(place, terms, learnedRows);
  return rare.length === 0 ? [] : await numbersBy(place, "rank", closeRows)(rare.map(quoteTerm).join(" OR "));
}

/** The rarer ones of these terms, which are in so many rows together at most. */
function rarestOf(
  { count }: Pick<SearchTarget, "count">,
  terms: readonly string[],
  most: number,
): readonly string[] {
  let sum = 0;
  return terms
    .filter((term) => count(term) > 0)
    .sort((one, other) => count(one) - count(other))
    .filter((term) => {
      sum += count(term);
      return sum <= most;
    });
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
): readonly { readonly row: CandidateRow; readonly score: number }[] {
  const sorted = scores.toSorted(
    ([one, first], [other, second]) => second - first || other.number - one.number,
  );
  const taken = new Set<string>();
  return sorted
    .map(([row, score]) => {
      const { group, position } = row;
      const beside =
        position !== null && [position - 1, position + 1].some((place) => taken.has(`${place} ${group}`));
      taken.add(`${position} ${group}`);
      return { row, score: beside ? score * besideBetter : score };
    })
    .sort((one, other) => other.score - one.score || other.row.number - one.row.number);
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
async function candidates(
  place: SearchTarget,
  { terms, required }: Question,
  concepts: readonly Concept[],
): Promise<readonly number[]> {
  const { count, limit } = place;
  const wanted = Math.max(limit, closeRows);
  const rank = numbersBy(place, "rank", wanted);
  const newest = numbersBy(place, "rowid DESC", wanted);
  if (required.length > 0) {
    const few = required.some((phrase) => count(phrase) <= rankedRows);
    return (few ? rank : newest)(all(required));
  }
  const sought = [...new Set(concepts.flatMap((concept) => [...concept.terms.keys()]))];
  const known = sought.filter((term) => count(term) > 0).sort((one, other) => count(one) - count(other));
  const rare = rarestOf(place, known, rankedRows);
  const found = new Set(rare.length > 0 ? await rank(rare.map(quoteTerm).join(" OR ")) : []);
  const common = terms.filter((term) => known.includes(term) && !rare.includes(term));
  const rarest = known.filter((term) => common.includes(term));
  const commonMatches =
    common.length === 0
      ? []
      : [all(common.map(titleWord)), all(common), all(rarest.slice(0, 2)), all(rarest.slice(0, 1))];
  for (const match of commonMatches) {
    if (found.size >= wanted || (rare.length > 0 && common.length === 1)) break;
    for (const number of await newest(match)) if (found.size < wanted) found.add(number);
  }
  return [...found];
}

function numbersBy(
  { database, name, filter }: SearchTarget,
  order: "rank" | "rowid DESC",
  limit: number,
): (match: string) => Promise<readonly number[]> {
  const select = `SELECT rowid AS number FROM ${name} WHERE ${name} MATCH ? ORDER BY ${order} LIMIT ?`;
  const first = (match: string, most: number): readonly number[] =>
    database.all(select, match, most).map((row) => integer(row, "number"));
  return async (match) => {
    const numbers = first(match, limit);
    if (filter === null) return numbers;
    const left = await filter(numbers);
    if (left.length === numbers.length || numbers.length < limit) return left;
    return (await filter(first(match, limit * lookedThrough))).slice(0, limit);
  };
}

function all(terms: readonly string[]): string {
  return terms.map(quoteTerm).join(" AND ");
}

/** Reads these rows, and the neighbours of the first ones. */
async function readRows(
  { database, name, filter }: SearchTarget,
  numbers: readonly number[],
  known: readonly CandidateRow[] = [],
): Promise<readonly CandidateRow[]> {
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
  const beside = near.map((row) => integer(row, "number"));
  const visible = new Set([...numbers, ...(filter === null ? beside : await filter(beside))]);
  const all = new Map(known.map((row) => [row.number, row]));
  for (const row of [...rows, ...near]) {
    const number = integer(row, "number");
    if (visible.has(number) && !all.has(number)) all.set(number, rowOf(row));
  }
  return [...all.values()];
}

/** True if the table has no rows. */
export function isTableEmpty(database: Database, name: string): boolean {
  return sizeOf({ database, name }).number === 0;
}

function sizeOf({ database, name }: Pick<SearchTarget, "database" | "name">): {
  readonly number: number;
  readonly size: number;
} {
  const row = database.get(`SELECT number, size FROM ${name}_size`);
  if (row === undefined) throw new Error(`the text table ${name} has lost its size`);
  return { number: integer(row, "number"), size: integer(row, "size") };
}

function rowOf(stored: Stored): CandidateRow {
  return {
    number: integer(stored, "number"),
    columns: storedStems(stored).map((column) => column.split(" ")),
    size: integer(stored, "size"),
    authors: text(stored, "author").split(" ").filter(Boolean),
    group: text(stored, "part_of"),
    position: integerOrNull(stored, "position"),
    asks: integer(stored, "asks") === 1,
    dated: integer(stored, "dated") === 1,
  };
}
