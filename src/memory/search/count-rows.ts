import type { Database } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";

/** How many counts are remembered, and how many times each is given before it is taken again. */
const rememberedCounts = 20_000;
const givenBeforeAnew = 200;
/** Rows from which on a count is remembered. */
const leastRemembered = 100;

/** Counts the rows of a text table that have a term or phrase. Counting a common word takes milliseconds, so a count is remembered for a while: it is about right. */
export function makeRowCounter(database: Database, name: string): (term: string) => number {
  const known = new Map<string, { readonly count: number; left: number }>();
  return (term) => {
    const remembered = known.get(term);
    if (remembered !== undefined && remembered.left > 0) {
      remembered.left -= 1;
      return remembered.count;
    }
    const row = term.includes(" ")
      ? database.get(`SELECT count(*) AS count FROM ${name} WHERE ${name} MATCH ?`, quoteTerm(term))
      : database.get(`SELECT doc AS count FROM ${name}_terms WHERE term = ?`, term);
    const count = row === undefined ? 0 : integer(row, "count");
    if (known.size >= rememberedCounts) known.clear();
    // A rare word is counted in no time, and may be in the next row that is put.
    if (count >= leastRemembered) known.set(term, { count, left: givenBeforeAnew });
    return count;
  };
}

/** A term or phrase in FTS5's syntax. */
export function quoteTerm(term: string): string {
  return `"${term}"`;
}
