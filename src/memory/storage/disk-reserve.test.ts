import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "./database.ts";
import { openDiskReserve } from "./disk-reserve.ts";
import { integer } from "./rows.ts";
import { StateProblem } from "./state-problem.ts";

const root = mkdtempSync(join(tmpdir(), "disk-reserve-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const megabyte = 1_048_576;

/** A disk of 1 GB with as many free bytes as `free` has; what the reserve takes or frees is not counted. */
function diskWith(disk: { free: number }) {
  return async () => ({ ...(await statfs(root)), bsize: 1024, blocks: megabyte, bavail: disk.free / 1024 });
}

test("a reserve is made where there is room for it and new work, and new work is refused where there is not", async () => {
  const file = join(root, "reserve");
  const disk = { free: 9 * megabyte - 1024 };
  const reserve = openDiskReserve(file, diskWith(disk));
  await reserve.refill();
  assert.equal(statSync(file, { throwIfNoEntry: false }), undefined);
  assert.match((await reserve.findLack()) ?? "", /^No room is left on the disk of \S+, .* Free 1 kB or more/);
  disk.free += 1024;
  await reserve.refill();
  assert.equal(statSync(file).size, 8 * megabyte);
  disk.free = megabyte;
  assert.equal(await reserve.findLack(), null);
  await reserve.requireRoom();
  disk.free -= 1024;
  await assert.rejects(reserve.requireRoom(), { code: "full-disk" });
});

test("a reserve is freed in parts that grow with each try, until nothing is left", async () => {
  const file = join(root, "parts");
  const reserve = openDiskReserve(file, diskWith({ free: 20 * megabyte }));
  assert.equal(reserve.release(0), false);
  await reserve.refill();
  assert.equal(reserve.release(0), true);
  assert.equal(statSync(file).size, 8 * megabyte - 65_536);
  let tries = 1;
  while (reserve.release(tries)) tries += 1;
  assert.equal(statSync(file).size, 0);
  assert.ok(tries <= 9, `${tries} tries`);
});

test("a disk that tells no size always has room", async () => {
  const reserve = openDiskReserve(join(root, "unknown"), async () => ({
    ...(await statfs(root)),
    blocks: 0,
    bavail: 0,
  }));
  await reserve.requireRoom();
  await reserve.refill();
  await reserve.makeRoom(megabyte);
  assert.equal(await reserve.findLack(), null);
});

test("a transaction that finds no room is done again with what the reserve frees, and fails where nothing is left", () => {
  const file = join(root, "full.db");
  const freed: number[] = [];
  const database = openDatabase(file, "write", {
    release(tries) {
      freed.push(tries);
      database.script(`PRAGMA max_page_count = ${12 + 3 * freed.length}`);
      return tries <= 3;
    },
  });
  database.script(
    "PRAGMA journal_mode = WAL; CREATE TABLE notes (body TEXT) STRICT; PRAGMA max_page_count = 12",
  );
  const add = (bytes: number): number =>
    database.transaction("forced", () => database.run("INSERT INTO notes VALUES (?)", "x".repeat(bytes)));
  database.transaction("deferred", () => database.run("INSERT INTO notes VALUES ('kept')"));
  assert.equal(add(60_000), 1);
  assert.deepEqual(freed, [0, 1]);
  assert.throws(
    () => add(megabyte),
    (error) => error instanceof StateProblem && error.code === "full-disk",
  );
  const count = integer(database.get("SELECT count(*) AS count FROM notes") ?? {}, "count");
  assert.equal(count, 2, "nothing of what failed, and all that was before it");
  database.close();
});

test("the write-ahead log goes back to 4 MB after a transaction that needed more", () => {
  const file = join(root, "log.db");
  const database = openDatabase(file, "write");
  database.script("PRAGMA journal_mode = WAL; CREATE TABLE notes (body TEXT) STRICT");
  const add = (bytes: number): number =>
    database.transaction("forced", () => database.run("INSERT INTO notes VALUES (?)", "x".repeat(bytes)));
  add(16 * megabyte);
  assert.ok(statSync(`${file}-wal`).size > 16 * megabyte);
  add(1);
  add(1);
  assert.ok(statSync(`${file}-wal`).size <= 4 * megabyte, `${statSync(`${file}-wal`).size}`);
  database.close();
});
