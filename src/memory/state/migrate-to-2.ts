import type { Turn } from "../../signal/turn.ts";
import { isFinal } from "../../signal/turn.ts";
import { privateTextTables } from "../private-text/private-texts.ts";
import type { Database } from "../storage/database.ts";
import { integer, json } from "../storage/rows.ts";
import type { MigrationStep } from "./migrate.ts";
import { turnTables } from "./schema.ts";
import { TurnRows } from "./turn-rows.ts";

/** The tables of version 1 that have other columns or indexes in version 2. */
const changed = ["outbox", "results", "ledger", "turns"];

/** Version 1 kept each turn with all its messages in one row, and each result a second time. */
export const migrationTo2: MigrationStep = {
  from: 1,
  apply(database) {
    for (const table of changed)
      database.script(`CREATE TABLE old_${table} AS SELECT * FROM ${table}; DROP TABLE ${table}`);
    database.script(turnTables);
    database.script(privateTextTables);
    const shared = "id, session, turn, state, text, at, delivered";
    database.script(
      `INSERT INTO outbox (number, ${shared}) SELECT number, ${shared} FROM old_outbox ORDER BY number`,
    );
    const columns = "id, turn, session, provider, model, state, reserved, cost, input, output, reason, at";
    database.script(`INSERT INTO ledger (${columns}) SELECT ${columns} FROM old_ledger`);
    database.script(
      "INSERT INTO results (id, turn, at, slimmed, body) SELECT id, turn, at, slimmed, body FROM old_results",
    );
    moveTurns(database);
    for (const table of changed) database.script(`DROP TABLE old_${table}`);
  },
};

function moveTurns(database: Database): void {
  const rows = new TurnRows(database);
  for (const { number } of database.all("SELECT number FROM old_turns ORDER BY number")) {
    const row = database.get("SELECT * FROM old_turns WHERE number = ?", number ?? null);
    if (row === undefined) throw new Error("a turn is gone while it is migrated");
    const turn = json<Turn>(row, "body");
    rows.insert(turn, integer(row, "number"));
    database.run(
      "UPDATE turns SET updated = ?, slimmed = ?, compacted = ?, filed = ? WHERE number = ?",
      integer(row, "updated"),
      integer(row, "slimmed"),
      integer(row, "compacted"),
      isFinal(turn.state) ? 1 : 0,
      integer(row, "number"),
    );
  }
}
