import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("a restore that was killed between two renames is finished before the next command reads anything", async (t) => {
  const world = await makeWorld(t);
  const [from, to] = [join(world.home, "incoming"), join(world.home, "restored")];
  const pending = join(`${world.state}-restore`, "pending.json");
  mkdirSync(join(pending, ".."), { recursive: true });
  mkdirSync(from);
  writeFileSync(join(from, "file"), "kept");
  const moves = { version: 1, id: "20260101-000000", moves: [[from, to]], done: 0, exchanges: [] };
  writeFileSync(pending, JSON.stringify(moves));
  const { code, err } = await world.command(["config", "get", "MEMEX_ASSISTANT"]);
  assert.equal(code, 0, err);
  assert.equal(readFileSync(join(to, "file"), "utf8"), "kept");
  assert.deepEqual([existsSync(from), existsSync(pending)], [false, false]);
});
