import assert from "node:assert/strict";
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "./database.ts";
import { text } from "./rows.ts";

const root = mkdtempSync(join(tmpdir(), "database-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

function openNotes(): { readonly database: Database; readonly reader: Database } {
  const file = join(mkdtempSync(join(root, "notes-")), "notes.db");
  const database = openDatabase(file, "write");
  database.script("PRAGMA journal_mode = WAL; CREATE TABLE notes (body TEXT NOT NULL UNIQUE) STRICT");
  return { database, reader: openDatabase(file, "read") };
}

function add(database: Database, body: string): void {
  database.run("INSERT INTO notes (body) VALUES (?)", body);
}

function bodies(database: Database): readonly string[] {
  return database.all("SELECT body FROM notes ORDER BY rowid").map((row) => text(row, "body"));
}

test("deferred work is seen by its own connection at once, and by others with the next transaction", () => {
  const { database, reader } = openNotes();
  database.transaction("deferred", () => add(database, "later"));
  assert.deepEqual([bodies(database), bodies(reader)], [["later"], []]);
  database.transaction("forced", () => add(database, "now"));
  assert.deepEqual(bodies(reader), ["later", "now"]);
});

test("deferred work that no transaction follows is committed within a moment", async () => {
  const { database, reader } = openNotes();
  database.transaction("deferred", () => add(database, "later"));
  for (let waited = 0; bodies(reader).length === 0 && waited < 2000; waited += 10) await pause(10);
  assert.deepEqual(bodies(reader), ["later"]);
});

test("deferred work is committed when the database is closed", () => {
  const { database, reader } = openNotes();
  database.transaction("deferred", () => add(database, "later"));
  database.close();
  assert.deepEqual(bodies(reader), ["later"]);
});

test("a transaction that throws leaves nothing of itself and all that was deferred before it", () => {
  const { database, reader } = openNotes();
  database.transaction("deferred", () => add(database, "kept"));
  for (const durability of ["forced", "unforced", "deferred"] as const) {
    const failing = () =>
      database.transaction(durability, () => {
        add(database, "half");
        add(database, "kept");
      });
    assert.throws(failing, /UNIQUE/);
  }
  database.flushDeferred();
  assert.deepEqual(bodies(reader), ["kept"]);
});

test("deferred work is done again where the transaction that it became a part of cannot be committed", () => {
  const { database, reader } = openNotes();
  database.script(
    `CREATE TABLE parents (id TEXT PRIMARY KEY) STRICT;
     CREATE TABLE children (parent TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT`,
  );
  database.transaction("deferred", () => add(database, "kept"));
  const failing = () =>
    database.transaction("forced", () => database.run("INSERT INTO children (parent) VALUES ('nobody')"));
  assert.throws(failing, /FOREIGN KEY/);
  assert.deepEqual([bodies(database), bodies(reader)], [[], []]);
  database.transaction("unforced", () => add(database, "next"));
  assert.deepEqual(bodies(reader), ["kept", "next"]);
});

test("commits that wait together share a flush, and each resolves only after one that began behind it", async () => {
  const flushes: { readonly ended: PromiseWithResolvers<void> }[] = [];
  const real = fs.fdatasync;
  Object.assign(fs, {
    fdatasync: (file: number, done: (error: Error | null) => void) => {
      const flush = { ended: Promise.withResolvers<void>() };
      flushes.push(flush);
      void flush.ended.promise.then(() => real(file, done));
    },
  });
  syncBuiltinESMExports();
  try {
    const { database, reader } = openNotes();
    database.transaction("forced", () => add(database, "opens the log"));
    const done: string[] = [];
    const force = (body: string): Promise<void> =>
      database.forced(() => add(database, body)).then(() => void done.push(body));
    const first = force("a");
    while (flushes.length === 0) await pause(1);
    const others = [force("b"), force("c")];
    assert.deepEqual(
      [flushes.length, bodies(reader).length, done],
      [1, 4, []],
      "committed, and not on the disk",
    );
    flushes[0]?.ended.resolve();
    await first;
    assert.deepEqual(done, ["a"], "its flush began before the others were committed");
    while (flushes.length === 1) await pause(1);
    database.close();
    flushes[1]?.ended.resolve();
    await Promise.all(others);
    assert.deepEqual(
      [flushes.length, done],
      [2, ["a", "b", "c"]],
      "also where the database is closed meanwhile",
    );
  } finally {
    Object.assign(fs, { fdatasync: real });
    syncBuiltinESMExports();
  }
});

test("work that throws is not forced, and says why", async () => {
  const { database } = openNotes();
  await database.forced(() => add(database, "once"));
  await assert.rejects(
    database.forced(() => add(database, "once")),
    /UNIQUE/,
  );
  assert.deepEqual(bodies(database), ["once"]);
});

test("work within a transaction is a part of it", () => {
  const { database, reader } = openNotes();
  const failing = () =>
    database.transaction("forced", () => {
      database.transaction("forced", () => add(database, "inner"));
      throw new Error("the outer one fails");
    });
  assert.throws(failing, /the outer one fails/);
  assert.deepEqual([bodies(database), bodies(reader)], [[], []]);
});
