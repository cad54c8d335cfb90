import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { sha256 } from "../../src/machine/digest.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { sampleRecord, sampleSignal } from "../../src/memory/state/samples.fixture.ts";
import { type AgentWorld, explanation, makeWorld } from "../agent-world.ts";
import { readDisk } from "./disk.ts";

/** Leaves the state of a process that was killed between recording a file change and making it; gives the turn's id. */
async function cutOff(world: AgentWorld, path: string, content: string): Promise<string> {
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  await using state = await openState({
    folder: world.state,
    clock: Date.now,
    gates: "g".repeat(64),
    access: "write",
  });
  const { id: session } = await state.sessions.open({
    name: null,
    workspace: world.workspace,
    source: "cli",
  });
  const { turn } = await state.accept(sampleSignal({ session }), 50);
  const digest = "d".repeat(64);
  const change = {
    path: world.path(path),
    before: sha256(readFileSync(world.path(path))),
    after: sha256(content),
  };
  const action = { target: "tool", payload: { tool: "write-file", args: { path, content } }, explanation };
  const judging = { ...turn, state: "judging" as const, pending: [{ id: "call-1", action }] };
  await state.commit({ turn: judging });
  await state.journal.append(sampleRecord({ turn: turn.id, session, digest, changes: [change] }), {
    forced: true,
  });
  const record = { ...change, turn: turn.id, session, sequence: 100, kind: "file" as const };
  await state.commit({
    turn: { ...judging, state: "acting", running: digest },
    changes: [{ ...record, preImage: change.before, mode: null, undone: false }],
  });
  return turn.id;
}

test("a file change that a kill cut off before it was made is made after the restart, once more judged", async (t) => {
  const world = await makeWorld(t, [{ text: "Changed it." }]);
  writeFileSync(world.path("old.txt"), "before\n");
  const turn = await cutOff(world, "old.txt", "after\n");
  const warned: string[] = [];
  await using daemon = await world.open({}, { warn: (message) => warned.push(message) });
  await daemon.whenSettled(turn);
  const [ended] = readDisk(world.state).turns;
  assert.equal(ended?.text, "Changed it.");
  assert.equal(readFileSync(world.path("old.txt"), "utf8"), "after\n");
  assert.deepEqual(warned, []);
});

test("a draft that a kill left beside its file is removed at the restart, and nothing else is", async (t) => {
  const world = await makeWorld(t, [{ text: "Changed it." }]);
  writeFileSync(world.path("old.txt"), "before\n");
  writeFileSync(world.path(".passepartout-f755d41e-2b97-45aa-8af9-40cdf14a32c5.tmp"), "aft");
  writeFileSync(world.path(".passepartout-mine.tmp"), "a person's\n");
  const turn = await cutOff(world, "old.txt", "after\n");
  await using daemon = await world.open();
  await daemon.whenSettled(turn);
  assert.deepEqual(readdirSync(world.workspace).sort(), [".passepartout-mine.tmp", "old.txt"]);
});

test("where the file of a change that was cut off cannot be read any more, the program starts and says that it is not known", async (t) => {
  const world = await makeWorld(t, [{ text: "I see." }]);
  writeFileSync(world.path("old.txt"), "before\n");
  const turn = await cutOff(world, "old.txt", "after\n");
  rmSync(world.path("old.txt"));
  mkdirSync(world.path("old.txt"));
  await using daemon = await world.open();
  await daemon.whenSettled(turn);
  const [ended] = readDisk(world.state).turns;
  assert.equal(ended?.text, "I see.");
  assert.match((await daemon.untold("")).join("\n"), /It may have been done, and it is not repeated/);
});
