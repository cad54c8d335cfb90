import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { sha256 } from "../../src/machine/digest.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { sampleRecord, sampleSignal } from "../../src/memory/state/samples.fixture.ts";
import { type AgentWorld, explanation, makeWorld } from "../agent-world.ts";
import { readDisk } from "../kill/disk.ts";
import { describeSessionKills, killSessions } from "./kill-sessions.ts";

test("kill -9 while four sessions write notes at once loses none that was accepted, and makes none twice", async (t) => {
  const report = await killSessions({ kills: 2, seed: 3 });
  for (const line of describeSessionKills(report).split("\n")) t.diagnostic(line);
  const { missing, doubled, unknown } = report;
  assert.deepEqual({ missing, doubled, unknown }, { missing: [], doubled: [], unknown: [] });
  assert.ok(report.accepted > 0, "no note was accepted before a kill");
});

test("where several sessions write into one file at once, each intent names the contents that it really changes, and /undo takes its own note alone", async (t) => {
  const world = await makeWorld(t);
  await using agent = await world.open();
  const names = ["one", "two", "three", "four"];
  const sessions = await Promise.all(
    names.map((name) => agent.openSession({ name, latest: false, source: "cli" })),
  );
  const turns = await Promise.all(
    sessions.map((session, at) => agent.say({ session, text: `/note of ${names[at]}`, source: "cli" })),
  );
  for (const said of turns) if (said.kind === "turn") await agent.whenSettled(said.turn);
  const changes = readDisk(world.state).journal.flatMap((entry) =>
    entry.kind === "intent" ? entry.changes : [],
  );
  assert.equal(changes.length, 4);
  assert.deepEqual(
    changes.slice(1).map(({ before }) => before),
    changes.slice(0, -1).map(({ after }) => after),
  );
  const said: string[] = [];
  for (const at of [1, 3])
    said.push(JSON.stringify(await agent.say({ session: sessions[at] ?? "", text: "/undo", source: "cli" })));
  assert.deepEqual(notesOf(world), ["of one", "of three"].toSorted(), said.join("\n"));
});

const notesOf = (world: AgentWorld): readonly string[] =>
  [...readFileSync(`${world.home}/memex/inbox.org`, "utf8").matchAll(/^\* (.*)$/gm)]
    .map(([, title = ""]) => title)
    .toSorted();

const noted = "12345678-1234-8123-8123-123456789abc";
const before = "#+TITLE: Inbox\n";
const entry = `* Milk\n:PROPERTIES:\n:ID:       ${noted}\n:END:\n`;

/**
 * Leaves what a process leaves that was killed in the middle of a note, and an inbox that another program
 * has written since.
 */
async function cutOff(world: AgentWorld, inbox: string): Promise<string> {
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  mkdirSync(`${world.home}/memex`);
  const path = `${world.home}/memex/inbox.org`;
  writeFileSync(path, inbox);
  const about = { folder: world.state, clock: Date.now, gates: "g".repeat(64), access: "write" } as const;
  await using state = await openState(about);
  const { id: session } = await state.sessions.open({ name: "cut", workspace: null, source: "cli" });
  const { turn } = await state.accept(sampleSignal({ session, text: "/note Milk" }), 50);
  const digest = "d".repeat(64);
  const change = { path, before: sha256(before), after: sha256(before + entry), adds: noted };
  const action = { target: "tool", payload: { tool: "remember", args: { text: "Milk" } }, explanation };
  const judging = { ...turn, state: "judging" as const, pending: [{ id: "call-1", action }] };
  await state.commit({ turn: judging });
  const intent = sampleRecord({
    turn: turn.id,
    session,
    digest,
    changes: [change],
    effects: [],
    detail: { tool: "remember", resumes: true },
  });
  await state.journal.append(intent, { forced: true });
  await state.commit({
    turn: { ...judging, state: "acting", running: digest },
    changes: [
      {
        ...change,
        turn: turn.id,
        session,
        sequence: 1,
        kind: "file",
        preImage: change.before,
        mode: null,
        undone: false,
      },
    ],
  });
  return turn.id;
}

/** Starts again on what a kill left and gives the notes, then those after an `/undo` of the cut note. */
async function takenUp(t: TestContext, inbox: string) {
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }]);
  const turn = await cutOff(world, inbox);
  await using agent = await world.open();
  await agent.whenSettled(turn);
  assert.deepEqual(await agent.untold(""), [
    'Passepartout ended in the middle of "/note Milk" (session cut). What it was doing was not done yet, or not all of it. It is done now.',
  ]);
  const made = notesOf(world);
  const session = await agent.openSession({ name: "cut", latest: false, source: "cli" });
  await agent.say({ session, text: "/undo", source: "cli" });
  return { made, undone: notesOf(world) };
}

test("a note that a kill cut off is made after the start, whatever another program wrote into the inbox since, and undone alone", async (t) => {
  assert.deepEqual(await takenUp(t, `${before}* Bread\n`), { made: ["Bread", "Milk"], undone: ["Bread"] });
});
