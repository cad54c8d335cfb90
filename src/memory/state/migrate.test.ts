import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { type Database, openDatabase } from "../storage/database.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { type MigrationStep, migrate, versionOf } from "./migrate.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const renames: MigrationStep = {
  from: 0,
  apply: (database) => database.script("ALTER TABLE notes RENAME COLUMN words TO body"),
};
const counts: MigrationStep = {
  from: 1,
  apply: (database) =>
    database.script("ALTER TABLE notes ADD COLUMN length INTEGER; UPDATE notes SET length = length(body)"),
};
const fails: MigrationStep = {
  from: 1,
  apply: (database) => {
    database.script("DELETE FROM notes");
    throw new Error("broken step");
  },
};

function oldDatabase(): { readonly file: string; readonly database: Database } {
  const file = join(mkdtempSync(join(root, "migrate-")), "state.db");
  const database = openDatabase(file, "write");
  database.script(
    "PRAGMA journal_mode = WAL; CREATE TABLE notes (words TEXT); INSERT INTO notes VALUES ('abc')",
  );
  return { file, database };
}

test("an older database goes through all steps after a verified copy was made", () => {
  const { file, database } = oldDatabase();
  const reports = migrate(database, file, 2, [counts, renames]);
  assert.match(
    reports.join(),
    /was migrated from version 0 to 2\. A copy of the older state is in .*backup-0\.db/,
  );
  assert.equal(versionOf(database), 2);
  assert.deepEqual({ ...database.get("SELECT * FROM notes") }, { body: "abc", length: 3 });
  const copy = openDatabase(file.replace("state.db", "backup-0.db"), "read");
  assert.deepEqual({ ...copy.get("SELECT * FROM notes") }, { words: "abc" });
  assert.deepEqual(migrate(database, file, 2, []), []);
});

test("a step that fails does so on a copy, and leaves the older state as it was", () => {
  const { file, database } = oldDatabase();
  const bytes = readFileSync(file);
  assert.throws(
    () => migrate(database, file, 2, [renames, fails]),
    (error) =>
      error instanceof StateProblem &&
      error.code === "failed-migration" &&
      /tried on a copy first and failed \(broken step\).*passepartout update back/.test(error.message),
  );
  assert.deepEqual(readFileSync(file), bytes);
  assert.deepEqual(
    readdirSync(dirname(file)).filter((name) => name.includes("trial")),
    [],
  );
  assert.equal(versionOf(database), 0);
  assert.deepEqual({ ...database.get("SELECT * FROM notes") }, { words: "abc" });
  migrate(database, file, 2, [renames, counts]);
  assert.ok(existsSync(file.replace("state.db", "backup-0-2.db")));
});

test("a gap in the steps is a fault before anything is done", () => {
  const { file, database } = oldDatabase();
  assert.throws(() => migrate(database, file, 2, [renames]), /no migration leads from version 1/);
  assert.equal(existsSync(file.replace("state.db", "backup-0.db")), false);
});

test("a newer database is refused in words", () => {
  const { file, database } = oldDatabase();
  database.script("PRAGMA user_version = 9");
  assert.throws(
    () => migrate(database, file, 2, []),
    (error) =>
      error instanceof StateProblem && error.code === "newer-version" && /version 9/.test(error.message),
  );
});
