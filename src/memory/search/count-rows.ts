import type { Database } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";

/** Size of the cache of counts, and how often a cached count is used before it is refreshed. */
const rememberedCounts = 20_000;
const givenBeforeAnew = 200;
/** Smaller counts are not cached. */
const leastRemembered = 100;

/** Makes a function that counts the rows with a term or phrase. Counting a common word takes milliseconds, so counts are cached for a while and may be slightly out of date. */
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
    // A rare word is cheap to count, and the next row may change its count much.
    if (count >= leastRemembered) known.set(term, { count, left: givenBeforeAnew });
    return count;
  };
}

/** A term or phrase in FTS5's syntax. */
export function quoteTerm(term: string): string {
  return `"${term}"`;
}
