import assert from "node:assert/strict";
import { test } from "node:test";
import { commandUsages } from "../perceive/command-usages.ts";
import type { JsonObject } from "../text/json.ts";
import { openApp, painted, type ScriptedClient } from "./screen.fixture.ts";

const run = (cmd: string): JsonObject => ({
  target: "tool",
  payload: { tool: "shell", args: { cmd } },
  explanation: "to build",
});
const effects = [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }];
const asked = (token: string, more: JsonObject = {}): JsonObject => ({
  token,
  action: run("make install"),
  effects,
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
  workspace: "/home/ada/garden",
  ...more,
});
/** Longer than a decision waits for another key. */
const alone = 500;

type World = ReturnType<typeof openApp>;

async function shown({ terminal }: Pick<World, "terminal">): Promise<string> {
  await painted(terminal);
  return terminal.screen().join("\n");
}

function lastAnswer(client: ScriptedClient): JsonObject[string] | undefined {
  return client.sent.at(-1)?.["payload"];
}

/** A step of three calls, of which some are known to ask; the question of the first waits. */
function askThree({ turn }: World, asking = ["k1", "k2", "k3"]): ReturnType<World["turn"]> {
  const t1 = turn("t1");
  t1.thinking();
  for (const [id, cmd] of [
    ["k1", "make install"],
    ["k2", "make clean"],
    ["k3", "make test"],
  ] as const) {
    t1.proposed(id, run(cmd));
    if (asking.includes(id))
      t1.judged(id, { verdict: "ask", reason: "make is not proved harmless", effects });
  }
  t1.asks(asked("one"));
  return t1;
}

test("a call that was denied says so, and those behind it that they were not done", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = askThree(world);
  assert.match(await shown(world), /○ Run make install/);
  t1.thinking("Denied. Nothing was done. The agent is told, and goes on.", 1);
  const screen = await shown(world);
  assert.match(screen, /✗ Run make install +denied\n/);
  assert.match(screen, /✗ Run make clean +not done\n[\s\S]*✗ Run make test +not done\n/);
});

test("the no that ends a turn denies its call; a turn that is stopped, or whose question expires, did not do it", async (t) => {
  for (const [outcome, code, word] of [
    ["blocked", "denied", "denied"],
    ["blocked", "expired", "not done"],
    ["stopped", "stopped", "not done"],
  ] as const) {
    const world = openApp(t, { rows: 40 });
    const t1 = askThree(world);
    t1.send({ type: "response", payload: { action: "message", text: "It ends.", outcome, code } });
    const screen = await shown(world);
    assert.match(screen, new RegExp(`✗ Run make install +${word}\n`));
    assert.match(screen, /✗ Run make test +not done\n/);
  }
});

test("a call whose question was answered yes is neither denied nor given up while the daemon says a word", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = askThree(world);
  t1.thinking("This answer came late.", 0);
  assert.doesNotMatch(await shown(world), /denied|not done/);
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  t1.thinking("", 1);
  assert.match(await shown(world), /● Run make install[\s\S]*✗ Run make clean +not done/);
});

test("of a call whose end was not heard nothing is claimed", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = askThree(world);
  world.client.tell({ kind: "waiting", code: "lost", error: "", reason: "gone", milliseconds: 50 });
  t1.thinking("", 1);
  const screen = await shown(world);
  assert.match(screen, /○ Run make install/);
  assert.doesNotMatch(screen, /denied|not done/);
});

test("several calls of one step that ask are counted in the question", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = askThree(world);
  assert.match(await shown(world), /May I\? ─+ 1 of 3 in this step ─┐/);
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  t1.asks(asked("two", { action: run("make clean") }));
  assert.match(await shown(world), / 2 of 3 in this step ─┐/);
  world.turn("t2").asks(asked("other"));
  assert.match(await shown(world), / 2 of 3 in this step ─┐[\s\S]*1 of 2 waiting/);
});

test("the place of a question is that of its call in the step, whichever was known to ask first", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = askThree(world, ["k2"]);
  assert.match(await shown(world), / 1 of 2 in this step ─┐/);
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  t1.asks(asked("two", { action: run("make clean") }));
  assert.match(await shown(world), / 2 of 2 in this step ─┐/);
});

test("calls that are judged again after a yes stay the same lines", async (t) => {
  const world = openApp(t, { rows: 60 });
  const t1 = askThree(world);
  for (const [id, cmd, verdict] of [
    ["k1", "make install", "pass"],
    ["k2", "make clean", "ask"],
    ["k3", "make test", "ask"],
  ] as const) {
    t1.proposed(id, run(cmd));
    t1.judged(id, { verdict, effects });
  }
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  t1.asks(asked("two", { action: run("make clean") }));
  assert.match(await shown(world), / 2 of 3 in this step ─┐/);
  t1.thinking("Denied.", 1);
  const screen = await shown(world);
  const calls = screen.split("\n").filter((row) => / Run make /.test(row));
  assert.deepEqual(
    calls.map((row) => row.trim().replaceAll(/ {2,}/g, " ")),
    ["● Run make install 0 lines", "✗ Run make clean denied", "✗ Run make test not done"],
  );
});

test("offers are chosen by their number, and any other key goes back", async (t) => {
  const world = openApp(t, { rows: 40 });
  const { terminal, client, turn, time } = world;
  turn("t1").asks(asked("one", { rule: "make in ~/garden", endorsable: ["bob@example.org"] }));
  assert.match(
    await shown(world),
    /a 1 {2}yes, and “bob@example\.org” counts as yours until this task ends +│\n│ a 2 {2}yes, and always in ~\/garden:/,
  );
  time.now += 1_000;
  const before = client.sent.length;
  for (const keys of ["ay", "a3", "aa", "a0"]) {
    for (const key of keys) {
      terminal.type(key);
      time.now += alone;
    }
    assert.equal(client.sent.length, before, keys);
  }
  terminal.type("a");
  time.now += alone;
  assert.match(await shown(world), /1 to 2: yes, with what stands beside the number/);
  terminal.type("1");
  time.now += alone;
  assert.deepEqual(lastAnswer(client), { action: "approve", token: "one", value: true });
  turn("t2").asks(asked("two", { rule: "make in ~/garden", endorsable: ["bob@example.org"] }));
  await painted(terminal);
  time.now += 1_000;
  terminal.type("a");
  time.now += alone;
  terminal.type("2");
  time.now += alone;
  assert.deepEqual(lastAnswer(client), { action: "always", token: "two", keep: true });
});

const changes = [
  {
    path: "/home/ada/garden/a.txt",
    change: "replace",
    added: 2,
    removed: 2,
    diff: "@@ -1 +1 @@\n-Friday\n+Saturday",
    left: 0,
  },
  {
    path: "/home/ada/garden/b.txt",
    change: "replace",
    added: 1,
    removed: 1,
    diff: "@@ -1 +1 @@\n-Fri\n+Sat",
    left: 0,
  },
  {
    path: "/home/ada/garden/old.md",
    change: "delete",
    added: 0,
    removed: 1,
    diff: "@@ -1 +0,0 @@\n-gone",
    left: 0,
  },
];
const writes = changes.map(({ path }) => ({
  kind: "write-path",
  change: "replace",
  target: path,
  reversal: "undoable",
}));

test("a command that was kept shows its files as an edit does, and by a key what it changed in them", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = world.turn("t1");
  t1.thinking();
  t1.proposed("k1", run("sed -i s/Friday/Saturday/ *.txt"));
  t1.judged("k1", { effects: writes });
  const result = { stdout: "three files\n", stderr: "", exitCode: 0 };
  t1.send({
    type: "event",
    payload: { sensor: "tool-output", "call-id": "k1", tool: "shell", result, changes },
  });
  t1.answered("Done.");
  const folded = await shown(world);
  assert.match(
    folded,
    /● Run sed -i s\/Friday\/Saturday\/ … +3 files \+3 −4, 1 deleted · can be undone\n|● Run sed -i [^\n]* 3 files \+3 −4, 1 deleted · can be undone\n/,
  );
  assert.match(folded, /│ a\.txt \+2 −2\n {3}│ b\.txt \+1 −1\n {3}│ old\.md \+0 −1, deleted\n/);
  assert.doesNotMatch(folded, /- Friday|three files/);
  world.terminal.type("\u000f");
  assert.match(await shown(world), /│ a\.txt \+2 −2\n {3}│ - Friday\n {3}│ \+ Saturday\n[\s\S]*three files/);
});

test("a trial says in its question what it would change, and shows it by a key", async (t) => {
  const world = openApp(t, { rows: 40 });
  const { terminal, turn, time } = world;
  turn("t1").asks(asked("one", { changes, effects: writes }));
  const folded = await shown(world);
  assert.match(folded, /│ Tried in a copy: it would change 3 files \(\+3 −4, 1 deleted\) +d: show them │\n/);
  assert.match(folded, /│ • replace a\.txt +│\n/);
  assert.doesNotMatch(folded, /Friday/);
  time.now += 1_000;
  terminal.type("d");
  assert.match(await shown(world), /│ │ - Friday +│\n│ │ \+ Saturday /);
});

for (const columns of [40, 80, 200]) {
  test(`the help of all commands stands in a column of its own at ${columns} columns`, async (t) => {
    const world = openApp(t, { columns, rows: 150 });
    const data = commandUsages.map((command) => ({ ...command }));
    world.client.message({
      type: "response",
      payload: { action: "message", outcome: "said", code: "help", text: "in words", data },
    });
    const rows = (await shown(world)).split("\n");
    const begin = columns < 60 ? 5 : 27;
    for (const { usage, help } of commandUsages.filter(({ usage }) => usage.length < columns - 4)) {
      const at = rows.findIndex((row) => `${row.trim()}  `.startsWith(`${usage}  `));
      assert.notEqual(at, -1, usage);
      const isBeside = begin > usage.length + 4 && columns > 60;
      assert.ok(
        rows[at + (isBeside ? 0 : 1)]?.slice(begin).startsWith(help.slice(0, 12)),
        rows.slice(at, at + 2).join("\n"),
      );
    }
    assert.equal(
      rows.some((row) => row.includes("in words")),
      false,
    );
  });
}

test("a list is counted and shown by its entries, not by the keys of its form", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = world.turn("t1");
  t1.thinking();
  const given = (id: string, tool: string, result: JsonObject): void => {
    t1.proposed(id, { target: "tool", payload: { tool, args: { path: "." } }, explanation: "to see" });
    t1.send({
      type: "event",
      payload: { sensor: "tool-output", "call-id": id, tool, result, "duration-ms": 3 },
    });
  };
  given("k1", "list-files", { path: ".", entries: ["a.txt", "b.txt", "sub/", "sub/c.txt"], leftOut: [] });
  given("k2", "search-files", {
    matches: [
      { path: "a.txt", line: 2, text: "roses" },
      { path: "b.txt", line: 7, text: "roses" },
    ],
    searched: 4,
  });
  given("k3", "search-files", { matches: [], searched: 4 });
  const folded = await shown(world);
  assert.match(folded, /● List \. +4 lines/);
  assert.match(folded, /2 lines[\s\S]*nothing found/);
  world.terminal.type("\u000f");
  const unfolded = await shown(world);
  assert.match(unfolded, /│ a\.txt\n +│ b\.txt\n +│ sub\//);
  assert.match(unfolded, /│ b\.txt:7: roses/);
  assert.doesNotMatch(unfolded, /searched|entries|leftOut/);
});
