import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { cosine, makeVectorScan } from "./vector-scan.ts";
import { openVectorStores } from "./vector-store.ts";

const yieldToEventLoop = () => null;

function fileIn(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vector-store-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "vectors.db");
}

function openNotes(file: string, model: string) {
  const stores = openVectorStores({ file, model, yieldToEventLoop });
  return { ...stores.notes, close: () => stores[Symbol.dispose]() };
}

/** A store of three texts, two of which have a vector. */
async function someStore(file: string, model = "one") {
  const store = openNotes(file, model);
  await store.setTexts(new Map(["a", "b", "c"].map((id) => [id, `words of ${id}`] as const)));
  store.put([
    { words: "words of a", vector: Float32Array.of(1, 0, 0) },
    { words: "words of b", vector: Float32Array.of(0.6, 0.8, 0) },
  ]);
  return store;
}

const component = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 100);

test("the scan finds the same rows as an exact comparison, to the precision of a byte", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 13 }).chain((size) =>
        fc.array(fc.array(component, { minLength: size, maxLength: size }), {
          minLength: 2,
          maxLength: 200,
        }),
      ),
      fc.integer({ min: 1, max: 10 }),
      async (rows, limit) => {
        const [query = new Float32Array(), ...vectors] = rows.map((row) => Float32Array.from(row));
        const scan = makeVectorScan(query.length, yieldToEventLoop);
        for (const vector of vectors) scan.add(vector);
        const found = (await scan.nearest(query, limit)).hits;
        const exact = vectors.map((vector) => cosine(query, vector)).toSorted((one, other) => other - one);
        if (query.every((value) => value === 0)) return assert.deepEqual(found, []);
        assert.equal(found.length, Math.min(limit, vectors.length));
        for (const [rank, { row, score }] of found.entries()) {
          const vector = vectors[row] ?? new Float32Array();
          assert.ok(Math.abs(score - cosine(query, vector)) < 0.02, "the score is the cosine");
          assert.ok(Math.abs(score - (exact[rank] ?? 0)) < 0.02, "nothing nearer was passed over");
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("the nearest texts come first, and a copy of the same words is found too", async (t) => {
  const store = await someStore(fileIn(t));
  await store.setTexts(
    new Map([
      ["a", "words of a"],
      ["copy", "words of a"],
      ["b", "words of b"],
    ]),
  );
  const found = await store.nearest(Float32Array.of(0.9, 0.1, 0), 3);
  assert.deepEqual(
    found.map(({ id }) => id),
    ["a", "copy", "b"],
  );
  store.close();
});

test("words without a vector are pending, once for each hash, until they get one or are marked to have none", async (t) => {
  const store = await someStore(fileIn(t));
  await store.setTexts(
    new Map([
      ["c", "words of c"],
      ["copy", "words of c"],
      ["d", "words of d"],
    ]),
  );
  assert.deepEqual(store.pending(10, ""), [
    { id: "c", words: "words of c" },
    { id: "d", words: "words of d" },
  ]);
  store.put([
    { words: "words of c", vector: Float32Array.of(0, 0, 1) },
    { words: "words of d", vector: null },
  ]);
  assert.deepEqual(store.pending(10, ""), []);
  store.close();
});

test("vectors stay when the store is reopened with their model, and are deleted with another", async (t) => {
  const file = fileIn(t);
  (await someStore(file)).close();
  const again = openNotes(file, "one");
  assert.equal(again.isEmpty(), false);
  assert.equal((await again.nearest(Float32Array.of(0, 1, 0), 1))[0]?.id, "b");
  again.close();
  const other = openNotes(file, "two");
  assert.equal(other.isEmpty(), true);
  assert.equal(other.pending(10, "").length, 3);
  other.close();
});

test("added, removed and resized vectors are used by the next search", async (t) => {
  const store = await someStore(fileIn(t));
  const nearest = async (...query: number[]) =>
    (await store.nearest(Float32Array.from(query), 5)).map(({ id }) => id);
  assert.deepEqual(await nearest(0, 0, 1), ["a", "b"]);
  store.put([{ words: "words of c", vector: Float32Array.of(0, 0.1, 1) }]);
  assert.deepEqual(await nearest(0, 0, 1), ["c", "a", "b"]);
  await store.setTexts(new Map([["b", "words of b"]]));
  assert.deepEqual(await nearest(0, 0, 1), ["b"]);
  await store.setTexts(
    new Map([
      ["b", "words of b"],
      ["c", "words of c"],
    ]),
  );
  assert.deepEqual(
    store.pending(5, ""),
    [{ id: "c", words: "words of c" }],
    "what stands nowhere is forgotten",
  );
  await store.setTexts(new Map([["b", "words of b"]]));
  store.put([{ words: "words of x", vector: Float32Array.of(1, 1) }]);
  assert.deepEqual(store.pending(5, ""), [{ id: "b", words: "words of b" }]);
  assert.deepEqual(await nearest(0, 0, 1), []);
  store.close();
});

test("the sets of a file know nothing of each other, and another model empties both", async (t) => {
  const file = fileIn(t);
  const words = new Map([["a", "same words"]]);
  {
    using stores = openVectorStores({ file, model: "one", yieldToEventLoop });
    await stores.said.addTexts(words);
    await stores.notes.setTexts(words);
    stores.said.put([{ words: "same words", vector: Float32Array.of(1, 0) }]);
    assert.equal(stores.notes.pending(5, "").length, 1);
    await stores.notes.setTexts(new Map());
    assert.equal((await stores.said.nearest(Float32Array.of(1, 0), 5))[0]?.id, "a");
  }
  using stores = openVectorStores({ file, model: "two", yieldToEventLoop });
  assert.deepEqual([stores.said.isEmpty(), stores.said.pending(5, "").length], [true, 1]);
});

test("a file from before what was said had vectors keeps the vectors of the notes", async (t) => {
  const file = fileIn(t);
  (await someStore(file)).close();
  const older = new DatabaseSync(file);
  older.exec("DROP TABLE said_vectors; DROP TABLE said_places");
  older.close();
  using stores = openVectorStores({ file, model: "one", yieldToEventLoop });
  assert.equal(stores.notes.isEmpty(), false);
  assert.equal(stores.said.isEmpty(), true);
});

test("a damaged file is replaced", async (t) => {
  const file = fileIn(t);
  writeFileSync(file, "this is no database, and never was one".repeat(100));
  const store = await someStore(file);
  assert.equal(store.isEmpty(), false);
  store.close();
});
