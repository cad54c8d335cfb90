import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findSteppedPatterns } from "./find-stepped-patterns.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("no source steps through a text with a pattern that is global and reads whole characters", () => {
  const files = globSync(["src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  assert.ok(files.length > 400, "the sources were found");
  const found = files.flatMap((file) =>
    findSteppedPatterns(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  assert.equal(found.join("\n"), "");
});

for (const source of [
  "const word = /\\p{L}+/gu;\nword.lastIndex = 3;\nword.exec(text);",
  'const word = new RegExp(letters, "gv");\nwhile (word.test(text)) found += 1;',
  "const rules = [{ why, pattern: /[/]\\p{L}/giu }];",
  "step(/\\p{L}/gu, text);",
  "const all = text.match(word);\nconst word = /a/vg;\nword.exec(all);",
]) {
  test(`${JSON.stringify(source)} steps`, () => {
    assert.equal(findSteppedPatterns(source).length, 1);
  });
}

for (const source of [
  "const word = /\\p{L}+/gu;\nfor (const match of text.matchAll(word)) use(match, other.word);",
  "const word = /\\p{L}+/uy;\nword.lastIndex = 3;",
  "const word = /\\w+/g;\nword.exec(text);",
  "text.replaceAll(/\\p{C}/gu, '').split(/ /u)",
  "const half = (a + b) / 2; const name = 'gu' / c;",
]) {
  test(`${JSON.stringify(source)} steps through nothing`, () => {
    assert.deepEqual(findSteppedPatterns(source), []);
  });
}
