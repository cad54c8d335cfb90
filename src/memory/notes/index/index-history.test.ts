import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MemoryNoteIndex } from "./memory-note-index.fixture.ts";
import { collect, file, implementations } from "./note-index.fixture.ts";

const heading = fc.record({
  stars: fc.integer({ min: 1, max: 3 }),
  todo: fc.constantFrom("", "TODO ", "DONE "),
  title: fc.constantFrom("One", "Two", "One~2", "a/b", "Three :project:", "Secret :crypt:"),
  id: fc.constantFrom("", "", "x", "y", "a.org::One"),
  origin: fc.constantFrom("", "", "untrusted", "agent"),
  body: fc.constantFrom("", "some words\n", "[[id:x]] and more\n"),
});
const text = fc.array(heading, { maxLength: 6 }).map((headings) =>
  headings
    .map(({ stars, todo, title, id, origin, body }) => {
      const mark = origin === "" ? "" : `:ORIGIN: ${origin}\n`;
      const drawer = id === "" ? "" : `:PROPERTIES:\n:ID: ${id}\n${mark}:END:\n`;
      return `${"*".repeat(stars)} ${todo}${title}\n${drawer}${body}`;
    })
    .join(""),
);
const path = fc.constantFrom("a.org", "b.org", "c/d.org");
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ replace: fc.array(fc.tuple(path, text), { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ remove: path }) },
);

test("an index with any history equals a new one over the same files, in both implementations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const indexes = implementations.map(([, make]) => make());
      const files = new Map<string, string>();
      for (const one of steps) {
        if ("remove" in one) files.delete(one.remove);
        else for (const [name, words] of one.replace) files.set(name, words);
        for (const index of indexes) {
          if ("remove" in one) await index.remove([one.remove]);
          else await index.replace(one.replace.map(([name, words]) => file(name, words)));
        }
      }
      const fresh = new MemoryNoteIndex();
      await fresh.replace([...files].map(([name, words]) => file(name, words)));
      const wanted = await collect(fresh);
      for (const index of indexes) {
        assert.deepEqual(await collect(index), wanted);
        assert.equal(await index.root(), await fresh.root());
        assert.deepEqual(await index.linksTo("id", "x"), await fresh.linksTo("id", "x"));
        await index.close();
      }
    }),
    { numRuns: 60 },
  );
});
