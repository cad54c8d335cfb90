import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { measureSets, setsToDrop } from "./prune-sets.ts";

test("overlays and probes of processes that are gone are removed, those of running ones and sets under way stay", async (context) => {
  const folder = await makeScratchFolder(context);
  const gone = spawnSync("/bin/true").pid;
  const kept = [`overlay-${process.pid}-a`, `probe-${process.pid}-b`, "set", "unfinished-set"].sort();
  for (const name of [`overlay-${gone}-c`, `probe-${gone}-d`, "overlay-older", ...kept.slice(0, 3)])
    mkdirSync(join(folder, name, "upper"), { recursive: true });
  mkdirSync(join(folder, "overlay-older/upper/closed"), { mode: 0 });
  for (const name of ["unfinished-set", "unfinished-set.new"]) writeFileSync(join(folder, name), "{}");
  await measureSets(folder);
  assert.deepEqual(readdirSync(folder).sort(), kept);
});

test("what is dropped at the limits is what nothing needs, then the oldest, and no more than makes room for a while", () => {
  const sets = Array.from({ length: 16 }, (_, at) => ({ set: `set-${at}`, at, bytes: 10 }));
  const isNeeded = (set: string): boolean => set !== "set-9";
  assert.deepEqual(setsToDrop(sets, isNeeded, { sets: 17, bytes: 1_000 }), []);
  assert.deepEqual(setsToDrop(sets, isNeeded, { sets: 16, bytes: 1_000 }), ["set-9"]);
  assert.deepEqual(setsToDrop(sets, isNeeded, { sets: 17, bytes: 150 }), ["set-9", "set-0"]);
});
