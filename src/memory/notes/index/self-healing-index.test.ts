import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { file } from "./note-index.fixture.ts";
import { SelfHealingIndex } from "./self-healing-index.ts";

test("requests that find the same damage at once replace the file once, and each is answered", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "self-healing-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = join(folder, "index.db");
  const told: string[] = [];
  let emptied = 0;
  const open = () =>
    new SelfHealingIndex({
      file: place,
      clock: Date.now,
      report: (message) => told.push(message),
      emptied: () => {
        emptied += 1;
      },
    });
  const first = open();
  const notes = Array.from({ length: 200 }, (_, at) => file(`/n/${at}.org`, `* Note ${at}\nwords ${at}\n`));
  await first.replace(notes);
  await first.close();
  // The head and the schema stay: the damage shows once rows are read.
  const bytes = readFileSync(place);
  writeFileSync(place, bytes.fill(0x5a, 8192));
  const index = open();
  const [found, files, again, count, node] = await Promise.all([
    index.search("words", 5),
    index.files(),
    index.search("words", 5),
    index.count(),
    index.node("none"),
  ]);
  assert.deepEqual([found, files, again, count, node], [[], [], [], 0, null]);
  assert.deepEqual([told.length, emptied], [1, 1], told.join("\n"));
  await index.replace(notes.slice(0, 1));
  assert.equal((await index.search("words", 5)).length, 1);
  await index.close();
});
