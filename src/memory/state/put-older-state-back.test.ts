import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { migrate } from "./migrate.ts";
import { putOlderStateBack, versionOfState } from "./put-older-state-back.ts";

const root = mkdtempSync(join(tmpdir(), "older-state-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** A state that was migrated from version 0 to 1, and took one turn since. */
function migratedState(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const file = join(folder, "state.db");
  const database = openDatabase(file, "write");
  database.script(
    "PRAGMA journal_mode = WAL; CREATE TABLE turns (id TEXT); INSERT INTO turns VALUES ('old')",
  );
  migrate(database, file, 1, [
    { from: 0, apply: (to) => to.script("ALTER TABLE turns ADD COLUMN more TEXT") },
  ]);
  database.script("INSERT INTO turns VALUES ('new', 'x')");
  database.close();
  return folder;
}

const turnsIn = (file: string): readonly unknown[] => {
  const database = openDatabase(file, "read");
  const rows = database.all("SELECT id FROM turns ORDER BY id").map(({ id }) => id);
  database.close();
  return rows;
};

test("the state from before a migration is put back, and the newer one is kept beside it with the turns that only it has", () => {
  const folder = migratedState("back");
  const { from, aside, turns } = putOlderStateBack(folder, 0);
  assert.equal(versionOfState(folder), 0);
  assert.deepEqual(turnsIn(join(folder, "state.db")), ["old"]);
  assert.deepEqual([turnsIn(aside), turns], [["new", "old"], 1]);
  assert.deepEqual(turnsIn(from), ["old"]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /wal|shm|older/.test(name)),
    [],
  );
});

test("without a copy of that version nothing is changed", () => {
  const folder = migratedState("none");
  rmSync(join(folder, "backup-0.db"));
  assert.throws(
    () => putOlderStateBack(folder, 0),
    (error) => error instanceof StateProblem && /nothing was changed/.test(error.message),
  );
  assert.deepEqual([versionOfState(folder), turnsIn(join(folder, "state.db"))], [1, ["new", "old"]]);
});
