import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../src/machine/digest.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { sampleRecord, sampleSignal } from "../../src/memory/state/samples.fixture.ts";
import type { Effect } from "../../src/signal/effect.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import type { FileChange } from "../../src/signal/tool.ts";
import { type AgentWorld, explanation, makeWorld } from "../agent-world.ts";
import { makeReviewWorld } from "../review/review-world.ts";
import { readDisk } from "./disk.ts";

const source =
  "#+begin_src sh :tangle a.sh\necho a\n#+end_src\n#+begin_src sh :tangle b.sh\necho b\n#+end_src\n#+begin_src sh :tangle c.sh\necho c\n#+end_src\n";
/** What the three files held before the call, and what it writes. */
const before = { "a.sh": "echo old\n", "b.sh": null, "c.sh": "echo old\n" } as const;
const after = { "a.sh": "echo a\n", "b.sh": "echo b\n", "c.sh": "echo c\n" } as const;
const names = ["a.sh", "b.sh", "c.sh"] as const;

const shown = (world: AgentWorld): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    names.map((name) => [name, existsSync(world.path(name)) ? readFileSync(world.path(name), "utf8") : null]),
  );

/** Leaves what a process leaves that was killed while a call wrote these files: the first ones are written, and the contents before them are kept. */
async function cutOff(world: AgentWorld, written: number, effects: readonly Effect[] = []): Promise<string> {
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  writeFileSync(world.path("all.org"), source);
  for (const name of names) if (before[name] !== null) writeFileSync(world.path(name), before[name]);
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
  const { turn } = await state.accept(sampleSignal({ session, text: "tangle all.org" }), 50);
  const digest = "d".repeat(64);
  const changes = names.map((name): FileChange => {
    const old = before[name];
    return { path: world.path(name), before: old === null ? null : sha256(old), after: sha256(after[name]) };
  });
  const args = { path: "all.org", overwrite: true };
  const action = { target: "tool", payload: { tool: "tangle", args }, explanation };
  const judging = { ...turn, state: "judging" as const, pending: [{ id: "call-1", action }] };
  await state.commit({ turn: judging });
  await state.journal.append(sampleRecord({ turn: turn.id, session, digest, changes, effects }), {
    forced: true,
  });
  await state.commit({
    turn: { ...judging, state: "acting", running: digest },
    changes: changes.map((change, index) => ({
      ...change,
      turn: turn.id,
      session,
      sequence: 100 + index,
      kind: "file",
      preImage: change.before,
      mode: null,
      undone: false,
    })),
  });
  for (const name of names.slice(0, written)) {
    const old = before[name];
    await state.changes.storePreImage(old === null ? null : Buffer.from(old), {
      secrecy: "public",
      path: world.path(name),
      drops: [],
      always: true,
      after: { bytes: Buffer.from(after[name]), secrecy: "public" },
    });
    writeFileSync(world.path(name), after[name]);
  }
  return turn.id;
}

for (const written of [0, 1, 2, 3])
  test(`a call that a kill cut off after ${written} of its three files is made as a whole after the restart, and undone as a whole`, async (t) => {
    const world = await makeWorld(t, [{ text: "Tangled." }]);
    const turn = await cutOff(world, written);
    const warned: string[] = [];
    await using daemon = await world.open({}, { warn: (message) => warned.push(message) });
    await daemon.whenSettled(turn);
    assert.deepEqual(shown(world), after);
    assert.deepEqual(warned, []);
    assert.doesNotMatch((await daemon.untold("")).join("\n"), /not repeated/);
    assert.equal(readDisk(world.state).turns[0]?.text, "Tangled.");
    const session = readDisk(world.state).turns[0]?.session ?? "";
    await daemon.say({ session, text: "/undo", source: "cli" });
    assert.deepEqual(shown(world), before);
  });

const reach: Effect = {
  kind: "reach-host",
  target: "example.org",
  scheme: "https",
  port: 443,
  addresses: [],
  label: bottomLabel,
  reversal: "final",
};

test("where somebody changed one of the files since, or the call did more than write files, nothing is taken back, and it is said which file is how", async (t) => {
  for (const [edit, effects] of [
    ["mine\n", []],
    [null, [reach]],
  ] as const) {
    const world = await makeWorld(t, [{ text: "I see." }]);
    const turn = await cutOff(world, 1, effects);
    if (edit !== null) writeFileSync(world.path("c.sh"), edit);
    await using daemon = await world.open();
    await daemon.whenSettled(turn);
    assert.deepEqual(shown(world), { ...before, "a.sh": after["a.sh"], "c.sh": edit ?? before["c.sh"] });
    const notices = (await daemon.untold("")).join("\n");
    assert.match(notices, /it is not repeated/);
    assert.match(notices, /a\.sh is changed/);
    assert.match(notices, edit === null ? /c\.sh is as it was before/ : /c\.sh was changed by somebody else/);
  }
});

const garden =
  "* Garden\n** DONE Plant the beech\nCLOSED: [2026-01-05 Mon 10:00]\n:PROPERTIES:\n:ID: beech\n:END:\nquokkaberry\n** TODO Water it\n";

/** Kills `org archive` right after it changed a file. */
async function killAfter(
  t: TestContext,
  changed: "garden.org_archive" | "garden.org" | "review.org",
): Promise<void> {
  const world = await makeReviewWorld(t, { "garden.org": garden });
  const hold = () => (existsSync(`${world.notes}/${changed}`) ? world.read(changed) : "");
  const isChanged = {
    "garden.org_archive": () => hold() !== "",
    "garden.org": () => !hold().includes("quokkaberry"),
    "review.org": () => hold().includes("* DONE Archive"),
  }[changed];
  let ended = false;
  const whenChanged = async (): Promise<void> => {
    while (!ended && !isChanged()) await setImmediate();
  };
  const accepting = world.run(["org", "archive", "beech"], {
    begun: ({ signal }) => {
      void whenChanged().then(() => signal("SIGKILL"));
    },
  });
  await accepting.then(() => {
    ended = true;
  });
  await using daemon = await world.open();
  await daemon.whenIdle();
  assert.doesNotMatch(world.read("garden.org"), /quokkaberry/);
  assert.equal(world.read("garden.org_archive").match(/quokkaberry/g)?.length, 1);
  assert.match(world.read("review.org"), /^\* DONE Archive a done tree of garden\.org$/m);
}

for (const file of ["garden.org_archive", "garden.org", "review.org"] as const)
  test(`kill -9 right after accepting an archive changed ${file} leaves the tree once, in the archive`, (t) =>
    killAfter(t, file));
