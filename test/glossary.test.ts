import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);

test("each file that the glossary names exists, and no word is explained twice", () => {
  const rows = readFileSync(new URL("src/signal/GLOSSARY.md", root), "utf8").matchAll(
    /^\| (?!word|-)([^|]+?) +\| [^|]+\| `([^`]+)` +\|$/gm,
  );
  const words = [...rows].map(([, word = "", file = ""]) => ({ word, file }));
  assert.ok(words.length > 50);
  assert.deepEqual(
    words.filter(({ file }) => !existsSync(new URL(file, root))),
    [],
  );
  assert.equal(new Set(words.map(({ word }) => word)).size, words.length);
});
