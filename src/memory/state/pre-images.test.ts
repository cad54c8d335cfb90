import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sha256 } from "../../machine/digest.ts";
import { openDatabase } from "../storage/database.ts";
import { integer } from "../storage/rows.ts";
import { openSampleState, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(root, "pre-images-"));
const noon = Date.UTC(2026, 6, 1, 12);

/** A change of a file by a turn of a session, as the loop makes it: planned, recorded, kept. */
async function change(
  state: State,
  {
    path,
    bytes,
    session = "session-1",
    secrecy = "public",
  }: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly session?: string;
    readonly secrecy?: "public" | "secret";
  },
): Promise<{ readonly id: string; readonly asked: readonly string[]; readonly kept: boolean }> {
  const asked = (await state.changes.planPreImage({ bytes, path, session })).flatMap(({ paths }) => paths);
  const id = sha256(bytes);
  if (asked.length > 0) return { id, asked, kept: false };
  const { turn } = await state.accept(sampleSignal({ session, at: noon }), 50);
  const record = { session, sequence: 1, kind: "file", path, before: id, after: "after" } as const;
  await state.commit({
    turn,
    durability: "forced",
    changes: [{ ...record, turn: turn.id, preImage: id, mode: null, undone: false }],
  });
  const { kept } = await state.changes.storePreImage(bytes, { path, secrecy });
  return { id, asked, kept };
}

/** Bytes that the store counts. */
function storedBytes(place: string): number {
  const database = openDatabase(join(place, "state.db"), "read");
  const row = database.get("SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE bytes IS NOT NULL");
  database.close();
  return row === undefined ? 0 : integer(row, "bytes");
}

/** A large file after `count` small edits, each at another place. */
function* edits(size: number, count: number): Generator<Buffer> {
  const text = randomBytes(size);
  for (let round = 0; round < count; round += 1) {
    yield Buffer.from(text);
    text.write(`edit ${round}`, Math.floor((size / (count + 1)) * (round + 1)));
  }
}

for (const secrecy of ["public", "secret"] as const) {
  test(`small edits of a large ${secrecy} file cost about their own size, and each version comes back`, async () => {
    const place = folder();
    await using state = await openSampleState(place);
    const versions = [...edits(1_000_000, 30)];
    const ids: string[] = [];
    for (const bytes of versions) ids.push((await change(state, { path: "/log", bytes, secrecy })).id);
    assert.ok(storedBytes(place) < 1_020_000, `${storedBytes(place)} bytes`);
    for (const [index, id] of ids.entries()) {
      const found = await state.changes.preImage(id);
      assert.ok(found.status === "kept" && versions[index]?.equals(found.bytes), `version ${index}`);
    }
  });
}

test("versions whose first and last line differ cost about their own size, too", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const body = randomBytes(500_000);
  for (let round = 0; round < 20; round += 1) {
    const bytes = Buffer.concat([Buffer.from(`first ${round}\n`), body, Buffer.from(`\nlast ${round}`)]);
    await change(state, { path: "/log", bytes });
  }
  assert.ok(storedBytes(place) < 520_000, `${storedBytes(place)} bytes`);
});

test("a forgotten file takes nothing away from another file that had the same contents", async () => {
  await using state = await openSampleState(folder());
  const versions = [...edits(50_000, 4)];
  for (const bytes of versions) await change(state, { path: "/one", bytes });
  const [, , shared] = versions;
  assert.ok(shared !== undefined);
  const later = Buffer.concat([shared, Buffer.from("more")]);
  await change(state, { path: "/two", bytes: shared });
  await change(state, { path: "/two", bytes: later });
  await state.forget(
    { id: "none", files: ["/one"], versions: [], edits: [], grown: null },
    { turn: null, session: "session-1" },
  );
  const found = await state.changes.preImage(sha256(later));
  assert.ok(found.status === "kept" && later.equals(found.bytes));
  assert.equal((await state.changes.preImage(sha256(shared))).status, "evicted");
});

test("a session that used up its share asks, names its own files, and leaves the others room", async () => {
  await using state = await openSampleState(folder(), {
    quotas: { blobBytes: 100_000, sessionBlobBytes: 40_000 },
  });
  await change(state, { path: "/diary", bytes: randomBytes(5000), session: "other" });
  for (const name of ["1", "2", "3"])
    assert.deepEqual((await change(state, { path: `/big-${name}`, bytes: randomBytes(13_000) })).asked, []);
  const { asked } = await change(state, { path: "/big-4", bytes: randomBytes(13_000) });
  assert.deepEqual(asked, ["/big-1", "/big-2"]);
  assert.deepEqual(
    (await change(state, { path: "/notes", bytes: randomBytes(13_000), session: "other" })).asked,
    [],
  );
});

test("where many sessions used up all, a change of any of them asks; the oldest of the largest session goes", async () => {
  await using state = await openSampleState(folder(), {
    quotas: { blobBytes: 100_000, sessionBlobBytes: 40_000 },
  });
  await change(state, { path: "/diary", bytes: randomBytes(1000), session: "owner" });
  for (const session of ["s1", "s2", "s3"])
    for (const name of ["1", "2", "3"])
      await change(state, { path: `/${session}-${name}`, bytes: randomBytes(11_000), session });
  const { asked } = await change(state, { path: "/x", bytes: randomBytes(3000), session: "s4" });
  assert.deepEqual(asked, ["/s1-1"]);
});

test("a pre-image that an undo stores is kept where all is used up, and drops nothing", async () => {
  await using state = await openSampleState(folder(), { quotas: { blobBytes: 20_000 } });
  const first = await change(state, { path: "/a", bytes: randomBytes(15_000) });
  const bytes = randomBytes(15_000);
  assert.equal((await state.changes.storePreImage(bytes)).kept, false);
  assert.equal((await state.changes.storePreImage(bytes, { always: true })).kept, true);
  assert.equal((await state.changes.preImage(first.id)).status, "kept");
  await state.prune();
  assert.equal((await state.changes.preImage(first.id)).status, "kept");
});

test("the contents after a change cost their differences, and become the pre-image of the next change", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const [first, second] = [...edits(200_000, 2)];
  assert.ok(first !== undefined && second !== undefined);
  await change(state, { path: "/log", bytes: first });
  const kept = { bytes: second, secrecy: "secret" } as const;
  await state.changes.storePreImage(first, { path: "/log", after: kept });
  assert.ok(storedBytes(place) < 201_000, `${storedBytes(place)} bytes`);
  const found = await state.changes.preImage(sha256(second));
  assert.ok(found.status === "kept" && second.equals(found.bytes));
  assert.equal((await change(state, { path: "/log", bytes: second })).kept, true);
  assert.ok(storedBytes(place) < 201_000, `${storedBytes(place)} bytes`);
});

test("the contents after changes go first where there is no more room, and never make a change ask", async () => {
  await using state = await openSampleState(folder(), {
    quotas: { blobBytes: 100_000, sessionBlobBytes: 90_000 },
  });
  const spares: string[] = [];
  const first = await change(state, { path: "/first", bytes: randomBytes(1000) });
  for (const name of ["1", "2", "3", "4", "5", "6"]) {
    const after = { bytes: randomBytes(20_000), secrecy: "public" } as const;
    spares.push(sha256(after.bytes));
    const { id, kept } = await state.changes.storePreImage(null, { path: `/new-${name}`, after });
    assert.deepEqual([id, kept], [null, true]);
  }
  const fates = async () =>
    Promise.all(spares.map(async (id) => (await state.changes.preImage(id)).status === "kept"));
  assert.deepEqual(await fates(), [false, false, true, true, true, true]);
  const large = await change(state, { path: "/large", bytes: randomBytes(70_000) });
  assert.deepEqual([large.asked, large.kept], [[], true]);
  assert.deepEqual(await fates(), [false, false, false, false, false, true]);
  for (const { id } of [first, large]) assert.equal((await state.changes.preImage(id)).status, "kept");
});

test("what a forgotten file held after a change is forgotten too", async () => {
  await using state = await openSampleState(folder());
  const after = { bytes: Buffer.from("after"), secrecy: "public" } as const;
  const record = { session: "session-1", sequence: 1, kind: "file", path: "/a", before: null } as const;
  const { turn } = await state.accept(sampleSignal({ at: noon }), 50);
  const made = { turn: turn.id, after: sha256(after.bytes), preImage: null, mode: null, undone: false };
  await state.commit({ turn, durability: "forced", changes: [{ ...record, ...made }] });
  await state.changes.storePreImage(null, { path: "/a", after });
  assert.equal((await state.changes.preImage(made.after)).status, "kept");
  await state.forget(
    { id: "none", files: ["/a"], versions: [], edits: [], grown: null },
    { turn: null, session: "session-1" },
  );
  assert.equal((await state.changes.preImage(made.after)).status, "evicted");
});

test("a state of version 2 keeps its pre-images, and later versions of the same file become differences", async () => {
  const place = folder();
  const [old, newer] = [...edits(100_000, 2)];
  assert.ok(old !== undefined && newer !== undefined);
  {
    await using state = await openSampleState(place);
    await change(state, { path: "/log", bytes: old });
  }
  const database = openDatabase(join(place, "state.db"), "write");
  database.script(
    "DROP TABLE blob_deltas; DROP TABLE trusted_folders; DROP TABLE unproved_sessions; DROP INDEX changes_by_path; PRAGMA user_version = 2",
  );
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 2/);
  const found = await state.changes.preImage(sha256(old));
  assert.ok(found.status === "kept" && old.equals(found.bytes));
  await change(state, { path: "/log", bytes: newer });
  assert.ok(storedBytes(place) < 101_000, `${storedBytes(place)} bytes`);
});
