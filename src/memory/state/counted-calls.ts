import type { Database } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";

/** A number of calls that somebody may make within a turn and its sub-tasks: `holder` says who, `weight` how many a call is. */
export type CallCap = { readonly holder: string; readonly most: number; readonly weight: number };

/** The calls of tools that count, of the turns in which something limits them. */
export type CountedCalls = {
  /**
   * Counts a call in all of these caps at once, or gives the cap that does not hold it. `root` is the turn at the beginning, and `call` is another for each call in it; one that is
   * made again after a crash counts once.
   */
  readonly take: <Cap extends CallCap>(
    caps: readonly Cap[],
    call: { readonly root: string; readonly call: string },
  ) => Promise<Cap | null>;
};

/** The calls that count. They go once their turn is final. */
export const countedCallsTable = `
CREATE TABLE IF NOT EXISTS counted_calls (
  root TEXT NOT NULL, holder TEXT NOT NULL, call TEXT NOT NULL, weight INTEGER NOT NULL, PRIMARY KEY (root, holder, call)
) STRICT, WITHOUT ROWID;
`;

export function openCountedCalls(database: Database): CountedCalls {
  const usedBy = (root: string, holder: string, call: string): number => {
    const row = database.get(
      "SELECT coalesce(sum(weight), 0) AS used FROM counted_calls WHERE root = ? AND holder = ? AND call <> ?",
      root,
      holder,
      call,
    );
    return row === undefined ? 0 : integer(row, "used");
  };
  return {
    take: async (caps, { root, call }) =>
      database.transaction("unforced", () => {
        const full = caps.find(({ holder, most, weight }) => usedBy(root, holder, call) + weight > most);
        if (full !== undefined) return full;
        for (const { holder, weight } of caps)
          database.run(
            "INSERT OR REPLACE INTO counted_calls (root, holder, call, weight) VALUES (?, ?, ?, ?)",
            root,
            holder,
            call,
            weight,
          );
        return null;
      }),
  };
}

/** Removes the calls of turns that are over, as a part of the caller's transaction. */
export function dropCountedCalls(database: Database): void {
  database.run(
    "DELETE FROM counted_calls WHERE root NOT IN (SELECT id FROM turns WHERE state NOT IN ('answered', 'blocked', 'failed', 'stopped'))",
  );
}
