import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { calls, makeWorld } from "../agent-world.ts";

/** Says something in a session and approves what it asks. */
async function say(agent: Agent, session: string, text: string): Promise<void> {
  let token = "";
  const stop = agent.subscribe((event) => {
    if (event.session === session && event.type === "approval-required") token = event.token ?? "";
  });
  const said = await agent.say({ session, text, source: "cli" });
  if (said.kind === "turn") await agent.whenSettled(said.turn);
  if (token !== "") await agent.runCommand({ kind: "approve", token }, session);
  if (token !== "" && said.kind === "turn") await agent.whenSettled(said.turn);
  stop();
}

/** A world with a session in the folder `old`, in which the agent changed a file. */
async function withSession(t: TestContext) {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "plan.txt", content: "new\n" }]),
    { text: "Written." },
  ]);
  const [old, moved] = [join(world.home, "old"), join(world.home, "moved")];
  mkdirSync(old);
  writeFileSync(join(old, "plan.txt"), "first\n");
  await using agent = await world.open({}, { cwd: old });
  const session = await agent.openSession({ name: "garden", latest: false, source: "cli" });
  await say(agent, session, "Change the plan.");
  assert.equal(readFileSync(join(old, "plan.txt"), "utf8"), "new\n");
  return { world, old, moved, session };
}

for (const wanted of [
  { name: null, latest: true },
  { name: "garden", latest: false },
]) {
  const how = wanted.latest ? "--continue" : "--session";
  test(`${how} in a folder that was renamed goes on with its session there, and an undo reaches what it changed before`, async (t) => {
    const { world, old, moved, session } = await withSession(t);
    renameSync(old, moved);
    mkdirSync(old);
    world.provider.add(calls(["write-file", { path: "more.txt", content: "more\n" }]), { text: "Done." });
    await using agent = await world.open({}, { cwd: moved });
    assert.equal(await agent.openSession({ ...wanted, source: "cli" }), session);
    await say(agent, session, "Write more.");
    assert.deepEqual(readdirSync(moved).toSorted(), ["more.txt", "plan.txt"]);
    await agent.runCommand({ kind: "undo" }, session);
    await agent.runCommand({ kind: "undo" }, session);
    assert.deepEqual(readdirSync(moved), ["plan.txt"]);
    assert.equal(readFileSync(join(moved, "plan.txt"), "utf8"), "first\n");
    assert.deepEqual(readdirSync(old), [], "the new folder of the old name is another one");
  });
}

test("a session whose folder is gone says so, and nothing makes a folder of that name", async (t) => {
  const { world, old, session } = await withSession(t);
  rmSync(old, { recursive: true });
  world.provider.add(
    calls(["write-file", { path: "more.txt", content: "more\n" }]),
    calls(["shell", { cmd: "ls" }]),
    calls(["shell", { cmd: "mkdir -p deep" }]),
    { text: "I cannot." },
  );
  await using agent = await world.open();
  assert.equal(await agent.openSession({ name: "garden", latest: false, source: "cli" }), session);
  await say(agent, session, "Write more.");
  assert.equal(existsSync(old), false);
  const told = world.provider.requests.at(-1)?.body ?? "";
  assert.equal(told.split(`${old}, is not there: it was renamed, moved or deleted`).length - 1, 3);
  assert.doesNotMatch(told, /ENOENT|unshare/);
});

test("where the folder of a session is not there, nothing is undone and no undo is used up", async (t) => {
  const { world, old, moved, session } = await withSession(t);
  await using agent = await world.open();
  assert.equal(await agent.openSession({ name: "garden", latest: false, source: "cli" }), session);
  renameSync(old, moved);
  for (const kind of ["undo", "redo"] as const) {
    const said = await agent.runCommand({ kind }, session);
    assert.match(
      said.kind === "turn" ? "" : said.text,
      kind === "undo" ? /old, is not there.*Nothing was done/ : /nothing to redo/,
    );
    assert.equal(existsSync(old), false);
  }
  renameSync(moved, old);
  await agent.runCommand({ kind: "undo" }, session);
  assert.equal(readFileSync(join(old, "plan.txt"), "utf8"), "first\n");
  renameSync(old, moved);
  const redone = await agent.runCommand({ kind: "redo" }, session);
  assert.match(redone.kind === "turn" ? "" : redone.text, /old, is not there.*Nothing was done/);
});

test("a session stays with its path where the folder was made anew, and belongs to no other folder", async (t) => {
  const { world, old, moved, session } = await withSession(t);
  rmSync(old, { recursive: true });
  for (const folder of [old, moved]) mkdirSync(folder);
  await using agent = await world.open({}, { cwd: moved });
  assert.notEqual(await agent.openSession({ name: null, latest: true, source: "cli" }), session);
  await using other = await world.open({}, { cwd: old });
  assert.equal(await other.openSession({ name: null, latest: true, source: "cli" }), session);
});
