import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findSpreadLiterals } from "./find-spread-literals.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("no source spreads an object or array literal to save lines", () => {
  const files = globSync(["{src,test,bench,scripts}/**/*.ts", "packages/*/{src,test,bench}/**/*.ts"], {
    cwd: root,
  });
  assert.ok(files.length > 500, "the sources were found");
  const found = files.flatMap((file) =>
    findSpreadLiterals(readFileSync(join(root, file), "utf8"), file).map((text) => `${file}: ${text}`),
  );
  assert.equal(found.join("\n"), "");
});

for (const text of ["{ ...{ a, b }, c }", '[...["x", "y"], z]', '[...(["x"] as const), z]', "f(...[a, b])"]) {
  test(`${text} spreads a literal`, () => {
    assert.equal(findSpreadLiterals(`export const made = (${text});`, "made.ts").length, 1);
  });
}

for (const text of ["{ ...given, c }", "[...given, z]", "{ ...(on ? { a } : {}) }", '["...[", z]']) {
  test(`${text} spreads no literal`, () => {
    assert.deepEqual(findSpreadLiterals(`export const made = (${text});`, "made.ts"), []);
  });
}
