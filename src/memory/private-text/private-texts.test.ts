import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { PrivateTexts, privateTextTables } from "./private-texts.ts";

const root = mkdtempSync(join(tmpdir(), "private-texts-"));
after(() => rmSync(root, { recursive: true, force: true }));

const seal = {
  seal: (bytes: Uint8Array) => bytes,
  open: (bytes: Uint8Array) => bytes,
  derive: async () => new Uint8Array(32).fill(7),
};

function makeDatabase() {
  const database = openDatabase(join(mkdtempSync(join(root, "a-")), "a.db"), "write");
  database.script(
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT; ${privateTextTables}`,
  );
  return database;
}

/** Words that no other text has. */
function manyWords(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `w${((at * 2654435761) >>> 0).toString(36)}`);
}

test("a very long private text takes little room, and its longer passages are withheld whole", async () => {
  const words = manyWords(500_000);
  const database = makeDatabase();
  const texts = new PrivateTexts(database, seal);
  const begun = performance.now();
  await texts.keep([words.join(" ")]);
  assert.ok(performance.now() - begun < 120_000);
  const kept = database.get("SELECT sum(length(sealed)) AS bytes FROM private_fingerprints")?.["bytes"];
  assert.ok(Number(kept) < 1_500_000, `${String(kept)} bytes`);
  const again = new PrivateTexts(database, seal);
  await again.ready();
  assert.ok(again.reach > 0);
  for (let from = 1000; from < words.length - 100; from += 9973) {
    const shown = again.withhold(`before. ${words.slice(from, from + 80).join(" ")}`);
    for (const word of words.slice(from, from + 80)) assert.ok(!shown.includes(word), `${from}: ${word}`);
  }
  database.close();
});

test("a text of usual length is known by every eight words of it, also across the parts it is read in", async () => {
  const words = manyWords(40_000);
  const texts = new PrivateTexts(makeDatabase(), seal);
  await texts.keep([words.join("\n"), "short words"]);
  assert.equal(texts.reach, 0);
  for (let from = 0; from + 8 <= words.length; from += 1)
    assert.equal(texts.find(words.slice(from, from + 8).join(" ")).length, 1, String(from));
});
