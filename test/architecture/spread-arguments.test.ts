import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findSpreadArguments } from "./find-spread-arguments.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("no list of any length becomes the arguments of a call, which throws beyond some 120,000", () => {
  const files = globSync(["src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.ts$/.test(file),
  );
  assert.ok(files.length > 500, "the sources were found");
  const found = files.flatMap((file) =>
    findSpreadArguments(readFileSync(join(root, file), "utf8"), file).map((text) => `${file}: ${text}`),
  );
  assert.equal(found.join("\n"), "");
});

for (const text of [
  "rows.push(...more)",
  "rows.push(first, ...more)",
  "Math.max(0, ...sizes)",
  "joinLabels(...all)",
])
  test(`${text} makes arguments of a list`, () => {
    assert.deepEqual(findSpreadArguments(`${text};`, "made.ts"), [text]);
  });

for (const text of ["rows.push([...more])", "database.run(sql, ...values)", 'say("push(...more)")'])
  test(`${text} makes none that can be long`, () => {
    assert.deepEqual(findSpreadArguments(`${text};`, "made.ts"), []);
  });
