import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { databaseVersion } from "../../src/memory/state/schema.ts";
import { type AgentWorld, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

/** A world whose state has had a turn. */
async function usedWorld(t: Parameters<typeof makeWorld>[0]): Promise<AgentWorld> {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await using agent = await world.open();
  await (await talkTo(agent)).say("hello");
  return world;
}

const bytesOf = (world: AgentWorld): string =>
  createHash("sha256")
    .update(readFileSync(join(world.state, "state.db")))
    .digest("hex");

/** The files of the state, without those that SQLite adds while it reads. */
const filesOf = (world: AgentWorld): readonly string[] =>
  readdirSync(world.state).filter((name) => !/-(?:wal|shm)$/.test(name));

test("update check says that there is no state yet, and makes none", async (t) => {
  const world = await makeWorld(t);
  const { code, out } = await world.command(["update", "check"]);
  assert.deepEqual([code, out], [0, "There is no state yet.\n"]);
});

test("update check says which version the state has, and leaves nothing of its trial", async (t) => {
  const world = await usedWorld(t);
  const before = [bytesOf(world), filesOf(world)];
  const { code, out } = await world.command(["update", "check", "--json"]);
  const text = `The state has version ${databaseVersion}, which this program writes.`;
  assert.deepEqual([code, JSON.parse(out)], [0, { ok: true, text }]);
  assert.deepEqual([bytesOf(world), filesOf(world)], before);
});

test("update check migrates a copy of an older state, and says why one cannot be migrated; the state stays as it is", async (t) => {
  const world = await usedWorld(t);
  onDatabase(world, "PRAGMA user_version = 16");
  const older = bytesOf(world);
  const { code, out } = await world.command(["update", "check"]);
  assert.equal(code, 0);
  assert.match(
    out,
    /A copy of the state was migrated from version 16 to \d+ and checked\. The state itself was left/,
  );
  assert.equal(bytesOf(world), older);
  onDatabase(world, "DROP TABLE job_runs");
  onDatabase(world, "PRAGMA user_version = 10");
  const broken = bytesOf(world);
  const refused = await world.command(["update", "check"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /job_runs/);
  assert.equal(bytesOf(world), broken);
});

test("update check refuses a state of a newer version in words", async (t) => {
  const world = await usedWorld(t);
  onDatabase(world, `PRAGMA user_version = ${databaseVersion + 1}`);
  const { code, err } = await world.command(["update", "check"]);
  assert.equal(code, 1);
  assert.match(err, /this program knows versions up to \d+\. It was left as it is/);
});
