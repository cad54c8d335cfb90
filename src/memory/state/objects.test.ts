import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import fc from "fast-check";
import { bottomLabel } from "../../signal/label.ts";
import type { ObjectDraft } from "./memory-object.ts";
import { emptyRoot } from "./merkle-trie.ts";
import { openSampleState, sampleObject } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "objects-"));
const me = { turn: "t1", session: "s1" };
const other = { turn: "t2", session: "s2" };

test("an object comes back with its label and the hash of its content", async () => {
  await using state = await openSampleState(folder());
  const label = { integrity: "untrusted", secrecy: "private", sources: [{ id: "r1", path: "/a" }] } as const;
  const put = await state.objects.put(sampleObject("a", "text", { label, attributes: { due: "today" } }), me);
  assert.match(put.hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(await state.objects.get("own", "a"), put);
  assert.equal(await state.objects.get("files", "a"), null);
});

test("a secret object is kept as a marker", async () => {
  await using state = await openSampleState(folder());
  const label = { ...bottomLabel, secrecy: "secret" } as const;
  const put = await state.objects.put(sampleObject("a", "hunter2", { label }), me);
  assert.equal(put.content, "");
  assert.deepEqual(await state.objects.search("hunter2", 5), []);
});

test("the root depends on what is there, not on how it came", async () => {
  await using one = await openSampleState(folder());
  await using two = await openSampleState(folder());
  assert.equal(await one.objects.root("own"), emptyRoot);
  await one.objects.put(sampleObject("a", "1"), me);
  await one.objects.put(sampleObject("b", "2"), me);
  await two.objects.put(sampleObject("b", "old"), me);
  await two.objects.putAll(
    [sampleObject("c", "gone"), sampleObject("b", "2"), sampleObject("a", "1")],
    other,
  );
  assert.notEqual(await one.objects.root("own"), await two.objects.root("own"));
  assert.equal(await two.objects.remove("own", "c", me), true);
  assert.equal(await two.objects.remove("own", "c", me), false);
  assert.equal(await one.objects.root("own"), await two.objects.root("own"));
  assert.equal(await one.objects.root("files"), emptyRoot);
});

test("after any changes the root is the one of the same objects in a new state, and everything verifies", async () => {
  const change = fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    content: fc.option(fc.string({ maxLength: 3 }), { nil: null }),
    realm: fc.constantFrom("own" as const, "files" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      await using state = await openSampleState(folder());
      await using fresh = await openSampleState(folder());
      const kept = new Map<string, ObjectDraft>();
      for (const { id, content, realm } of changes) {
        if (content === null) {
          await state.objects.remove(realm, id, me);
          kept.delete(`${realm}/${id}`);
        } else {
          const draft = sampleObject(id, content, { realm });
          await state.objects.put(draft, me);
          kept.set(`${realm}/${id}`, draft);
        }
      }
      await fresh.objects.putAll([...kept.values()], me);
      for (const realm of ["own", "files"] as const) {
        assert.equal(await state.objects.root(realm), await fresh.objects.root(realm));
      }
      assert.deepEqual(await state.verify(), []);
    }),
    { numRuns: 15 },
  );
});

test("verify names what was changed behind the program's back", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await state.objects.putAll([sampleObject("a", "pay Ann"), sampleObject("b", "x")], me);
    const database = new DatabaseSync(join(place, "state.db"));
    database.exec("UPDATE object_versions SET body = replace(body, 'Ann', 'Eve') WHERE id = 'a'");
    database.close();
    assert.match((await state.verify()).join("\n"), /object own\/a does not have the content of its hash/);
  }
  const database = new DatabaseSync(join(place, "state.db"));
  database.exec("DELETE FROM objects WHERE id = 'b'");
  database.close();
  await using again = await openSampleState(place);
  assert.match((await again.verify()).join("\n"), /node own\/.* has another hash/);
});

test("the history of an object lists its versions, and each can be read", async () => {
  await using state = await openSampleState(folder());
  const first = await state.objects.put(sampleObject("a", "one"), me);
  const second = await state.objects.put(sampleObject("a", "two"), other);
  await state.objects.put(sampleObject("a", "two"), me);
  await state.objects.remove("own", "a", me);
  const history = await state.objects.history("own", "a");
  assert.deepEqual(
    history.map(({ before, after, session }) => [before, after, session]),
    [
      [null, first.hash, "s1"],
      [first.hash, second.hash, "s2"],
      [second.hash, null, "s1"],
    ],
  );
  assert.equal((await state.objects.version(first.hash))?.content, "one");
});

test("children are listed under their parent as they are now", async () => {
  await using state = await openSampleState(folder());
  await state.objects.putAll(
    [
      sampleObject("top", ""),
      sampleObject("b", "old", { parent: "top" }),
      sampleObject("a", "", { parent: "top" }),
    ],
    me,
  );
  await state.objects.put(sampleObject("b", "new", { parent: "top" }), me);
  await state.objects.put(sampleObject("a", "", { parent: "b" }), me);
  assert.deepEqual(
    (await state.objects.children("own", "top")).map(({ content }) => content),
    ["new"],
  );
  assert.deepEqual(
    (await state.objects.children("own", null)).map(({ id }) => id),
    ["top"],
  );
  assert.equal(await state.objects.count("own"), 3);
});

test("a search finds words in content and attributes, the better match first", async () => {
  await using state = await openSampleState(folder());
  await state.objects.putAll(
    [
      sampleObject("a", "buy milk and bread and cheese and much more for the week"),
      sampleObject("b", "milk milk"),
      sampleObject("c", "nothing", { attributes: { tag: "milk" } }),
      sampleObject("d", "Café Zürich"),
    ],
    me,
  );
  const ids = async (query: string, limit = 10): Promise<readonly string[]> =>
    (await state.objects.search(query, limit)).map(({ id }) => id);
  assert.equal((await ids("milk"))[0], "b");
  assert.deepEqual((await ids("milk")).toSorted(), ["a", "b", "c"]);
  assert.equal((await ids("bread milk"))[0], "a");
  assert.deepEqual(await ids("cafe zurich"), ["d"]);
  assert.equal((await ids("milk", 1)).length, 1);
  assert.deepEqual(await ids("milk", 0), []);
});

test("a search finds only what an object says now", async () => {
  await using state = await openSampleState(folder());
  const snapshot = await state.objects.snapshot("before");
  await state.objects.put(sampleObject("a", "elephant"), me);
  await state.objects.put(sampleObject("a", "giraffe"), me);
  assert.deepEqual(await state.objects.search("elephant", 5), []);
  assert.equal((await state.objects.search("giraffe", 5)).length, 1);
  await state.objects.rollback(snapshot.id, me);
  assert.deepEqual(await state.objects.search("giraffe", 5), []);
});

test("no text is a query that throws", async () => {
  await using state = await openSampleState(folder());
  await state.objects.put(sampleObject("a", "AND or NOT near"), me);
  const queries = [
    "",
    '"',
    "AND",
    "NOT",
    "a*",
    "(",
    "content:x",
    "NEAR(a b)",
    "-x",
    "^a",
    "\u0000",
    "𝕏 ÷",
    "'",
  ];
  for (const query of queries) await state.objects.search(query, 5);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (query) => {
      await state.objects.search(query, 5);
    }),
    { numRuns: 200 },
  );
  assert.equal((await state.objects.search("NOT", 5)).length, 1);
});

test("a rollback restores the objects of its snapshot and can itself be undone", async () => {
  await using state = await openSampleState(folder());
  await state.objects.putAll([sampleObject("a", "1"), sampleObject("b", "2")], me);
  const root = await state.objects.root("own");
  const snapshot = await state.objects.snapshot("good");
  await state.objects.put(sampleObject("a", "changed"), me);
  await state.objects.put(sampleObject("a", "changed again"), other);
  await state.objects.remove("own", "b", other);
  await state.objects.put(sampleObject("c", "new"), other);
  const later = await state.objects.root("own");
  const rollback = await state.objects.rollback(snapshot.id, me);
  assert.ok(rollback.ok);
  assert.equal(rollback.restored, 3);
  assert.equal(await state.objects.root("own"), root);
  assert.equal((await state.objects.get("own", "b"))?.content, "2");
  assert.equal(await state.objects.get("own", "c"), null);
  assert.ok((await state.objects.rollback(rollback.undo.id, me)).ok);
  assert.equal(await state.objects.root("own"), later);
  assert.deepEqual(await state.verify(), []);
});

test("a rollback says beforehand and afterwards what of which session it takes back", async () => {
  await using state = await openSampleState(folder());
  const snapshot = await state.objects.snapshot("start");
  await state.objects.put(sampleObject("a", "1"), me);
  await state.objects.put(sampleObject("a", "2"), other);
  await state.objects.put(sampleObject("b", "3"), other);
  const expected = [
    { session: "s1", changes: 1, objects: ["own/a"] },
    { session: "s2", changes: 2, objects: ["own/a", "own/b"] },
  ];
  assert.deepEqual(await state.objects.previewRollback(snapshot.id), expected);
  const rollback = await state.objects.rollback(snapshot.id, me);
  assert.deepEqual(rollback.ok && rollback.sessions, expected);
  assert.deepEqual(
    (await state.objects.snapshots()).map(({ note }) => note),
    [`before the rollback to snapshot ${snapshot.id}`, "start"],
  );
});

test("a rollback to a snapshot that does not exist changes nothing and says so", async () => {
  await using state = await openSampleState(folder());
  await state.objects.put(sampleObject("a", "1"), me);
  assert.equal(await state.objects.previewRollback(99), null);
  assert.deepEqual(await state.objects.rollback(99, me), {
    ok: false,
    code: "unknown-snapshot",
    reason: "there is no snapshot 99",
  });
  assert.equal((await state.objects.snapshots()).length, 0);
});

test("taking a turn back leaves alone what another turn changed since, and what others did", async () => {
  await using state = await openSampleState(folder());
  await state.objects.putAll([sampleObject("a", "0"), sampleObject("b", "0")], other);
  await state.objects.putAll([sampleObject("a", "1"), sampleObject("b", "1"), sampleObject("c", "1")], me);
  await state.objects.put(sampleObject("a", "2"), me);
  await state.objects.put(sampleObject("b", "theirs"), other);
  await state.objects.put(sampleObject("d", "theirs"), other);
  const { reverted, conflicts } = await state.objects.revertTurn("t1", { turn: null, session: "s1" });
  assert.deepEqual(
    reverted.map(({ id }) => id),
    ["a", "c"],
  );
  assert.deepEqual(
    conflicts.map(({ id }) => id),
    ["b"],
  );
  const content = async (id: string) => (await state.objects.get("own", id))?.content;
  assert.deepEqual(
    [await content("a"), await content("b"), await content("c"), await content("d")],
    ["0", "theirs", undefined, "theirs"],
  );
  assert.deepEqual(await state.verify(), []);
});
