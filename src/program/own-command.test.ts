import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownCommand } from "./own-command.ts";

test("who goes on in a clone is told the clone's launcher, and everybody else the installed command", (t) => {
  const root = mkdtempSync(join(tmpdir(), "clone-"));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "dist"));
  const main = join(root, "dist", "main.js");
  assert.equal(ownCommand(root, main), "passepartout");
  writeFileSync(join(root, "passepartout"), "");
  assert.equal(ownCommand(root, main), "./passepartout");
  assert.equal(ownCommand("/", main), join(root, "passepartout"));
});
