import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { openTerminal } from "../open-terminal.ts";
import { startDaemon } from "./daemon-process.ts";
import { serveDaemon } from "./serve-daemon.ts";

const draft = `\`\`\`org
#+TITLE: Dice
#+TRIGGER_WORDS: dice

#+begin_prompt
Say which dice were thrown.
#+end_prompt
\`\`\`
`;

const file = (world: AgentWorld): string => join(world.configuration, "skills/dice.org");
const draftOf = (world: AgentWorld): string => join(world.configuration, "skills/drafts/dice.org");
const booked = (world: AgentWorld) =>
  onDatabase(world, "SELECT job, state FROM ledger").map((row) => ({ ...row }));

/** A terminal in which a skill is drafted, and what is on it once it asks. */
async function drafting(t: TestContext, steps: readonly Step[], withDaemon: boolean) {
  const world = await makeWorld(t, steps);
  if (withDaemon) await serveDaemon(world);
  const terminal = await openTerminal(world, ["skill", "new", "dice", "'throw dice'"], { columns: 120 });
  return { world, terminal };
}

for (const withDaemon of [false, true]) {
  const how = withDaemon ? "through a daemon" : "without a daemon";
  test(`at a terminal a draft is in force after a yes, and a file that is not in force after a no, ${how}`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    for (const [word, code] of [
      ["y", 0],
      ["n", 1],
    ] as const) {
      const { world, terminal: opened } = await drafting(t, [{ text: draft }], withDaemon);
      await using terminal = opened;
      const asked = await terminal.shows(/Put the skill dice in force\? \[y\/N\]/);
      assert.match(asked, /│ #\+TRIGGER_WORDS: dice/);
      assert.equal(existsSync(file(world)), false, "nothing is in force before the answer");
      terminal.type(word);
      terminal.press("Enter");
      const left = await terminal.shows(/left with \d/);
      assert.match(left, new RegExp(`left with ${code}`));
      assert.match(
        left,
        code === 0 ? /is in force from the next turn on/ : /is not in force\. To look at it/,
      );
      assert.deepEqual([existsSync(file(world)), existsSync(draftOf(world))], [code === 0, code !== 0]);
      const listed = await world.command(["skill", "list"]);
      assert.match(listed.out, code === 0 ? /^dice +Org +in force$/m : /^dice +Org +draft$/m);
      assert.deepEqual(booked(world), [{ job: "skill-new", state: "settled" }]);
    }
  });

  test(`Ctrl-C while a model drafts ends the request: nothing is written or in force, nothing runs on, and what was spent is booked, ${how}`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const never = Promise.withResolvers<void>();
    t.after(() => never.resolve());
    const { world, terminal: opened } = await drafting(
      t,
      [{ text: draft, after: never.promise }],
      withDaemon,
    );
    await using terminal = opened;
    await world.provider.reached(1);
    const pid = terminal.pid();
    terminal.press("C-c");
    const left = await terminal.shows(/left with \d+/);
    assert.match(left, /No draft of dice was made: .*Nothing was written\./);
    assert.match(left, /left with 1\b/);
    assert.throws(() => process.kill(pid, 0), /ESRCH/, "the process is gone");
    assert.deepEqual([existsSync(file(world)), existsSync(draftOf(world))], [false, false]);
    const rows = booked(world);
    assert.deepEqual([rows.length, rows[0]?.["job"]], [1, "skill-new"]);
    assert.notEqual(rows[0]?.["state"], "reserved");
    const [turn] = onDatabase(world, "SELECT state FROM turns");
    assert.equal(turn?.["state"], "stopped");
    // The name is free again.
    world.provider.add({ text: draft });
    assert.match((await world.command(["skill", "new", "dice", "throw dice"])).out, /TRIGGER_WORDS: dice/);
  });
}

test("after kill -9 while a model drafts, its request is not made again: the owner is told that nothing was written, once, and can ask anew", async (t) => {
  const never = Promise.withResolvers<void>();
  t.after(() => never.resolve());
  const world = await makeWorld(t, [{ text: draft, after: never.promise }]);
  const daemon = await startDaemon(t, world);
  const drafted = world.command(["skill", "new", "dice", "throw dice"]);
  await world.provider.reached(1);
  daemon.signal("SIGKILL");
  await daemon.end;
  const { code, err } = await drafted;
  assert.notEqual(code, 0);
  assert.match(err, /the daemon/i);
  world.provider.add({ text: "Hello." });
  const next = await world.command(["ask", "hello"]);
  assert.match(next.err, /ended while a model drafted the skill dice\. Nothing was written/);
  assert.match(next.out, /Hello\./);
  assert.equal(world.provider.requests.length, 2, "the draft was not asked for again");
  assert.doesNotMatch((await world.command(["ask", "/session"])).err, /ended while a model drafted/);
  assert.equal(existsSync(draftOf(world)), false);
  assert.ok(booked(world).every(({ state }) => state !== "reserved"));
  world.provider.add({ text: draft });
  assert.match((await world.command(["skill", "new", "dice", "throw dice"])).out, /TRIGGER_WORDS: dice/);
  assert.match(readFileSync(draftOf(world), "utf8"), /TITLE: Dice/);
});
