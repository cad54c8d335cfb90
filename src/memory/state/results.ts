import type { Clock } from "../../signal/clock.ts";
import type { ToolResult } from "../../signal/tool.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";
import { redactResult } from "./redact.ts";

/** Tool results under their ids, with their labels. Contents labelled secret are not kept: a marker is. */
export type Results = {
  readonly put: (result: ToolResult, turn?: string) => Promise<void>;
  readonly get: (id: string) => Promise<ToolResult | null>;
};

/** The results of a database. */
export function openResults(database: Database, clock: Clock): Results {
  return {
    put: async (result, turn) =>
      database.transaction("forced", () =>
        insertResult(database, { result, turn: turn ?? null, at: clock() }),
      ),
    get: async (id) => {
      const row = database.get("SELECT body FROM results WHERE id = ?", id);
      return row === undefined ? null : json<ToolResult>(row, "body");
    },
  };
}

/** Keeps a result, as a part of the transaction that it is called in. The same id again replaces it. */
export function insertResult(
  database: Database,
  kept: { readonly result: ToolResult; readonly turn: string | null; readonly at: number },
): void {
  database.run(
    "INSERT OR REPLACE INTO results (id, turn, at, slimmed, body) VALUES (?, ?, ?, 0, ?)",
    kept.result.id,
    kept.turn,
    kept.at,
    JSON.stringify(redactResult(kept.result)),
  );
}
