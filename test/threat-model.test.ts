import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test("every test that the threat model names exists under this name", () => {
  const model = readFileSync(join(root, "docs", "threat-model.md"), "utf8");
  const named = [...model.matchAll(/`([^`]+?\.test\.ts) › ([^`]+)`/g)];
  assert.ok(named.length > 50, "the threat model names tests");
  const missing = named.filter(([, file = "", name = ""]) => {
    const path = join(root, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(JSON.stringify(name));
  });
  assert.deepEqual(
    missing.map(([words]) => words),
    [],
  );
});
