import type { Database } from "../storage/database.ts";
import { integerOrNull, json } from "../storage/rows.ts";

/**
 * Milliseconds by which a clock may be ahead of what was known before, and for which it must go on before it
 * is believed: a day.
 */
const day = 86_400_000;
/** Milliseconds of progress that are not written down. */
const step = 3_600_000;

const key = "deleting-clock";
/**
 * `trusted`: the last time that was believed. `doubted`: the earliest time that was seen since and is too
 * far ahead of it.
 */
type Kept = { readonly version: 1; readonly trusted: number; readonly doubted: number | null };

/**
 * The time by which history may be deleted because it is old. A clock that is more than a day ahead of the
 * last time that was believed is believed once it went on for a day; until then the time stands still, and
 * nothing is lost to a clock that shows the future for a while. Unix milliseconds.
 */
export function timeForDeleting(database: Database, now: number): number {
  return database.transaction("unforced", () => {
    const { trusted, doubted } = read(database) ?? begin(database, now);
    const isConfirmed = doubted !== null && now >= doubted + day;
    if (now <= trusted + day || isConfirmed) {
      if (doubted !== null || Math.abs(now - trusted) > step)
        write(database, { trusted: now, doubted: null });
      return now;
    }
    if (doubted === null || now < doubted) write(database, { trusted, doubted: now });
    return trusted;
  });
}

function read(database: Database): Kept | null {
  const row = database.get("SELECT value FROM meta WHERE key = ?", key);
  const kept = row === undefined ? null : json<Kept>(row, "value");
  return kept?.version === 1 ? kept : null;
}

/** The first time: what was last said is believed. */
function begin(database: Database, now: number): Omit<Kept, "version"> {
  const row = database.get("SELECT max(updated) AS last FROM turns");
  const first = { trusted: (row && integerOrNull(row, "last")) ?? now, doubted: null };
  write(database, first);
  return first;
}

function write(database: Database, times: Omit<Kept, "version">): void {
  const kept: Kept = { version: 1, ...times };
  database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, JSON.stringify(kept));
}
