import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fingerprintOf } from "../../src/act/trial/fingerprint.ts";
import { beginSet, type ChangeSet, writeSet } from "../../src/act/trial/set-files.ts";
import { makeWorld } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";

test("a daemon that takes back many changes of a killed command tells how far it is", async (t) => {
  const world = await makeWorld(t);
  const place = join(world.state, "commands", "set");
  await beginSet(place, { what: "keep", folder: world.workspace });
  const exchanges: ChangeSet["exchanges"] = [];
  for (let index = 0; index < 1_200; index += 1) {
    const path = world.path(`file-${index}`);
    const incoming = join(place, `in-${index}`);
    // The last one was not made yet.
    const there = index === 1_199 ? incoming : path;
    writeFileSync(there, "made");
    const left = await fingerprintOf(there);
    exchanges.push({ path, was: null, becomes: "file", incoming, aside: null, source: null, left });
  }
  await writeSet(place, { version: 2, exchanges, modes: [], times: [] });
  const daemon = await startDaemon(t, world);
  daemon.signal("SIGTERM");
  const { said } = await daemon.end;
  const progress = said.split("\n").filter((line) => line.includes("Taking back"));
  assert.equal(progress.length, 10, said);
  assert.ok(
    progress[1]?.includes(`Taking back what a command was changing in ${world.workspace}: 120 of 1,200.`),
  );
  assert.match(said, /nothing of the command is left/);
  assert.deepEqual(readdirSync(world.workspace), []);
});
