import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { databaseTables } from "./database-tables.ts";
import { lostRows } from "./lost-rows.ts";

const begin = `create table notes (id integer primary key, body text);
  create table "tags of" (name text primary key, note integer) without rowid;
  create virtual table found using fts5(body, content='notes', content_rowid='id');
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
    insert into notes select i, 'the note ' || i || ' says much' from n;
  insert into "tags of" select 'tag ' || id, id from notes where id < 300;
  insert into found(found) values('rebuild');`;

/** What a database loses by statements; `change` has its path and that of the changed one instead. */
async function lostBy(t: TestContext, change: string | ((before: string, after: string) => void), how = "") {
  const folder = await makeScratchFolder(t);
  for (const name of ["work", "upper"]) mkdirSync(join(folder, name));
  const [path, incoming] = [join(folder, "work/notes.db"), join(folder, "upper/notes.db")];
  const run = (file: string, statements: string): void => {
    const database = new DatabaseSync(file);
    database.exec(statements);
    database.close();
  };
  run(path, `${how}; ${begin}`);
  copyFileSync(path, incoming);
  if (typeof change === "string") run(incoming, change);
  else change(path, incoming);
  const exchange = { path, was: "file", incoming, becomes: "file" } as const;
  const log = { path: `${path}-wal`, was: null, incoming: `${incoming}-wal`, becomes: "file" } as const;
  const exchanges = existsSync(log.incoming) ? [log] : [exchange];
  return lostRows({ exchanges }, join(folder, "work"));
}

for (const how of [
  "",
  "pragma encoding = 'utf-16be'; pragma page_size = 512",
  "pragma page_size = 65536; pragma auto_vacuum = full",
])
  test(`a database loses its rows by whatever takes them, and by nothing else${how && `: ${how}`}`, async (t) => {
    const ways = [
      "delete from notes",
      "pragma secure_delete = off; delete from notes",
      "delete from notes where id > 3",
      "drop table notes; vacuum",
      "update notes set body = ''",
      "alter table notes drop column body",
      "drop table notes; create table notes (id, body)",
    ];
    for (const way of ways) {
      const expected = [{ path: "notes.db", tables: ["notes"], rows: 500 }];
      assert.deepEqual(await lostBy(t, way, how), expected, way);
    }
    const tags = [{ path: "notes.db", tables: ["tags of"], rows: 299 }];
    assert.deepEqual(await lostBy(t, 'delete from "tags of"', how), tags);
    const honest = [
      "insert into notes(body) values ('one more')",
      "delete from notes where id > 400; vacuum",
      "update notes set body = upper(body)",
      "create table n (id integer primary key, body text, at text); insert into n select id, body, '' from notes; drop table notes; alter table n rename to notes",
      "insert into found(found) values('optimize')",
      "create index bodies on notes(body); pragma page_size = 4096; vacuum",
    ];
    for (const way of honest) assert.deepEqual(await lostBy(t, way, how), [], way);
  });

test("a database that cannot be read, or has a log beside it, counts as lost", async (t) => {
  const unknown = [{ path: "notes.db", tables: [], rows: null }];
  const spoilt = (text: (bytes: Buffer) => Buffer) => (before: string, after: string) =>
    writeFileSync(after, text(readFileSync(before)));
  assert.deepEqual(
    await lostBy(
      t,
      spoilt(() => Buffer.from("gone")),
      "",
    ),
    unknown,
  );
  assert.deepEqual(
    await lostBy(
      t,
      spoilt((bytes) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(8192)])),
    ),
    unknown,
  );
  const log = (start: number) => (_: string, after: string) =>
    writeFileSync(`${after}-wal`, Buffer.alloc(40, start));
  assert.deepEqual(await lostBy(t, log(7)), unknown);
  assert.deepEqual(await lostBy(t, log(0)), [], "a log that SQLite is done with");
  const round = (bytes: Buffer): Buffer => {
    const looped = Buffer.from(bytes);
    const root = looped.subarray(4096);
    root.writeUInt32BE(2, 8);
    return looped;
  };
  assert.deepEqual(await lostBy(t, spoilt(round)), unknown, "a tree that holds itself");
});

test("no bytes make the reader of a database throw or wait", async (t) => {
  const folder = await makeScratchFolder(t);
  const [path, odd] = [join(folder, "a.db"), join(folder, "odd.db")];
  const database = new DatabaseSync(path);
  database.exec(begin);
  database.close();
  const bytes = readFileSync(path);
  for (let at = 0; at < 400; at += 1) {
    const changed = Buffer.from(bytes.subarray(0, at % 7 === 0 ? at * 31 : bytes.length));
    for (let place = at; place < changed.length; place += 61 + at) changed[place] = (at * 37) % 256;
    changed.write("SQLite format 3\0", "latin1");
    writeFileSync(odd, changed);
    await databaseTables(odd);
  }
  rmSync(odd);
});
