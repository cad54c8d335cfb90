import assert from "node:assert/strict";
import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { found, makeWorld, open, put } from "./open-notes.fixture.ts";

for (const [what, harm] of [
  ["damaged", (file: string) => writeFileSync(file, Buffer.alloc(20_000, 7))],
  ["cut short", (file: string) => truncateSync(file, 5000)],
  ["missing", (file: string) => rmSync(file)],
] as const) {
  test(`an index that is ${what} is rebuilt`, async () => {
    const world = makeWorld({ "a.org": "* Anchor\n" });
    {
      await using notes = open(world);
      await notes.sync();
    }
    harm(world.file);
    await using notes = open(world);
    await notes.sync();
    assert.equal((await found(notes, "anchor")).length, 1);
    assert.equal(world.reports.length, what === "missing" ? 0 : 1);
  });
}

test("an index of another version is rebuilt, with a message, and gives the disk back what it took", async () => {
  const world = makeWorld({ "a.org": "* Anchor\n" });
  const { DatabaseSync } = await import("node:sqlite");
  const other = new DatabaseSync(world.file);
  other.exec(
    "CREATE TABLE nodes (x); INSERT INTO nodes VALUES (zeroblob(2000000)); PRAGMA user_version = 999999999; PRAGMA application_id = 1347447160",
  );
  other.close();
  await using notes = open(world);
  await notes.sync();
  assert.equal((await found(notes, "anchor")).length, 1);
  assert.match(world.reports.join(), /another version/);
  assert.ok(statSync(world.file).size < 1_000_000);
});

test("an index whose file is removed or replaced while it is open is reopened", async () => {
  const world = makeWorld({ "a.org": "* Anchor\n" });
  await using notes = open(world);
  await notes.sync();
  for (const end of ["", "-wal", "-shm"]) if (existsSync(world.file + end)) rmSync(world.file + end);
  put(world, "b.org", "* Buoy\n");
  await notes.sync();
  assert.equal((await found(notes, "buoy")).length, 1);
  assert.equal((await found(notes, "anchor")).length, 1);
});
