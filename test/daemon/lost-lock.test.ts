import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";

test("a daemon whose lock was removed ends in words, and leaves alone what the next one noted", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const daemon = await startDaemon(t, world, { settings: { HEARTBEAT_INTERVAL: "1" } });
  rmSync(join(world.state, "lock"));
  writeFileSync(join(world.state, "lock"), "");
  writeFileSync(join(world.state, "lock.pid"), "4711\n");
  const { code, said } = await daemon.end;
  assert.equal(code, 1, said);
  assert.match(said, /The lock of the state folder \S+ was removed or replaced.*Start Passepartout again/);
  assert.equal(readFileSync(join(world.state, "lock.pid"), "utf8"), "4711\n");
  assert.equal((await world.command(["ask", "hello"])).out, "Hello.\n");
  assert.equal((await world.command(["journal", "verify"])).code, 0);
});

test("a process that died is not said to hold the state, and whoever waits for its successor is answered", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  assert.equal((await world.command(["ask", "hello"])).code, 0);
  const lock = new DatabaseSync(join(world.state, "lock"));
  lock.exec("BEGIN EXCLUSIVE");
  // More than the largest id of a process.
  writeFileSync(join(world.state, "lock.pid"), "99999999\n");
  const refused = await world.command(["ask", "hello"]);
  lock.close();
  assert.equal(refused.code, 1);
  assert.match(refused.err, /in use by another process, which starts or ends now/);
  assert.doesNotMatch(refused.err, /99999999/);
  assert.equal(existsSync(join(world.state, "state.db")), true);
  assert.equal((await world.command(["ask", "hello"])).out, "Hello.\n");
});
