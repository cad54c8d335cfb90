import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { TestOutcome } from "../scripts/outcome.ts";
import { checkParity } from "../scripts/parity.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const record = process.env["PASSEPARTOUT_TEST_OUTCOMES"] ?? "";
const inCi = process.env["CI"] === "true";

test("every row of docs/parity.md that claims to be done has its file and a test that ran and passed", {
  skip: record === "" && !inCi ? "it reads the outcomes of all other tests: run npm test" : false,
}, () => {
  const outcomes = readFileSync(record, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): TestOutcome => JSON.parse(line));
  const problems = checkParity({
    table: readFileSync(join(root, "docs", "parity.md"), "utf8"),
    outcomes,
    fileExists: (path) => existsSync(join(root, path)),
    allowSkipped: !inCi,
  });
  assert.deepEqual(problems, []);
});
