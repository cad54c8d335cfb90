import type { ToolResult } from "../../signal/tool.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json } from "../storage/rows.ts";
import { redactResult } from "./redact.ts";
import type { TurnRows } from "./turn-rows.ts";

/** Tool results by id, with their labels. Secret contents are replaced by a marker. */
export type Results = {
  readonly put: (result: ToolResult, turn?: string) => Promise<void>;
  readonly get: (id: string) => Promise<ToolResult | null>;
};

/** The results of a database. */
export function openResults(database: Database, rows: TurnRows, clock: Clock): Results {
  return {
    put: async (result, turn) =>
      database.forced(() => insertResult(database, { result, turn: turn ?? null, at: clock(), place: null })),
    get: async (id) => {
      const row = database.get("SELECT body FROM results WHERE id = ?", id);
      if (row !== undefined) return json<ToolResult>(row, "body");
      const place = database.get("SELECT place FROM result_places WHERE id = ?", id);
      const message = place === undefined ? null : rows.messageAt(integer(place, "place"));
      return message?.role === "result" && message.result.id === id ? message.result : null;
    },
  };
}

/** Inserts or replaces a result, as a part of the caller's transaction. Where a message of its turn holds the result, only the place of that message is stored. */
export function insertResult(
  database: Database,
  kept: {
    readonly result: ToolResult;
    readonly turn: string | null;
    readonly at: number;
    readonly place: number | null;
  },
): void {
  if (kept.place !== null) {
    database.run(
      "INSERT OR REPLACE INTO result_places (id, place) VALUES (?, ?)",
      kept.result.id,
      kept.place,
    );
    return;
  }
  database.run(
    "INSERT OR REPLACE INTO results (id, turn, at, slimmed, body) VALUES (?, ?, ?, 0, ?)",
    kept.result.id,
    kept.turn,
    kept.at,
    JSON.stringify(redactResult(kept.result)),
  );
}
