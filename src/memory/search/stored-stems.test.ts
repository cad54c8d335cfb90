import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Database, openDatabase } from "../storage/database.ts";
import { openTextTable, type RowForm, type TextRow, type TextTable, textTableSchema } from "./text-table.ts";

type Opened = { readonly database: Database; readonly table: TextTable };

function openTable(form: RowForm): Opened {
  const database = openDatabase(":memory:", "write");
  database.script(textTableSchema("words", form));
  return { database, table: openTextTable(database, { name: "words", form, clock: () => 0 }) };
}

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom("running", "Donaudampfschiff", "train", "2026-03-12", "猫が好き", "readFile", "é"),
      {
        maxLength: 12,
      },
    )
    .map((all) => all.join(" ")),
);

const rows: fc.Arbitrary<readonly Omit<TextRow, "number">[]> = fc.array(
  fc.record({
    title: words,
    text: words,
    tags: words,
    properties: words,
    days: fc.constantFrom("", "2024-05-02", "nothing"),
    author: fc.constantFrom("", "Anna Berg"),
    group: fc.constantFrom("a", "b"),
    position: fc.constantFrom(null, null, 1),
  }),
  { minLength: 1, maxLength: 12 },
);

test("packed rows are found as plain ones are, with the same scores, and leave no word behind when they are removed", async () => {
  await fc.assert(
    fc.asyncProperty(rows, words, async (all, query) => {
      const both = [openTable("plain"), openTable("packed")] as const;
      for (const { table } of both) {
        for (const [at, row] of all.entries()) table.put({ ...row, number: at + 1 });
        // The first row is replaced by the last one.
        table.put({ ...(all.at(-1) ?? assert.fail()), number: 1 });
      }
      for (const question of [query, `"${query}"`, all[0]?.title ?? "", "2024-05-02", "schiff run"]) {
        const [plain, packed] = await Promise.all(both.map(({ table }) => table.search(question, 5)));
        assert.deepEqual(packed, plain);
      }
      for (const { table, database } of both) {
        for (const at of all.keys()) table.remove(at + 1);
        assert.deepEqual(database.all("SELECT term FROM words_terms"), []);
        assert.deepEqual(database.all("SELECT number FROM words_rows"), []);
        assert.equal(database.get("SELECT size FROM words_size")?.["size"], 0);
        database.close();
      }
    }),
    { numRuns: 15 },
  );
});
