import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { ledgerIndexes, schema } from "./schema.ts";

/** The indexes that a database of before has. */
const before = `DROP INDEX ledger_costs_by_time; DROP INDEX ledger_costs_by_turn;
  CREATE INDEX ledger_by_time ON ledger (at); CREATE INDEX ledger_by_session ON ledger (session)`;

test("what was spent is summed from indexes alone, in a new database and in one of before", () => {
  const database = openDatabase(":memory:", "write");
  const plansOf = (...wheres: readonly string[]): readonly string[] =>
    wheres.map((where) =>
      String(database.get(`EXPLAIN QUERY PLAN SELECT sum(cost) FROM ledger WHERE ${where}`)?.["detail"]),
    );
  const sums = ["at >= 1", "session = 's'", "session = 's' AND turn = 't'"];
  database.script(schema);
  const [byTime, bySession, byTurn] = plansOf(...sums);
  for (const plan of [byTime, bySession, byTurn]) assert.match(plan ?? "", /COVERING INDEX ledger_costs/);
  database.script(before);
  assert.doesNotMatch(plansOf(...sums).join("\n"), /COVERING/);
  database.script(ledgerIndexes);
  assert.deepEqual(plansOf(...sums), [byTime, bySession, byTurn]);
  database.close();
});
