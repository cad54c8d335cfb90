import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import { answerRequest, openApp, painted } from "./screen.fixture.ts";

type World = ReturnType<typeof openApp>;

async function shown({ terminal }: Pick<World, "terminal">): Promise<string> {
  await painted(terminal);
  return terminal.screen().join("\n");
}

const expires = { "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40), workspace: "/home/ada/garden" };
const write = (target: string): JsonObject => ({
  kind: "write-path",
  change: "replace",
  target,
  reversal: "undoable",
});
const runs = (confined: boolean): JsonObject => ({
  kind: "run-program",
  target: "git",
  argv: ["git", "commit", "-m", "archive 2025"],
  confined,
  reversal: "undoable",
});

function askPlan(world: World, steps: readonly JsonObject[], more: JsonObject = {}): void {
  world.turn("t1").asks({
    token: "one",
    action: {
      target: "tool",
      payload: { tool: "propose-plan", args: { steps: "…" } },
      explanation: "to archive",
    },
    effects: [
      {
        kind: "change-memory",
        realm: "own",
        target: "flight-plan",
        operation: "plan",
        reversal: "undoable",
        plan: { minutes: 60, steps: [...steps], ...more },
      },
    ],
    text: "a yes allows each step as often as it says, and nothing else",
    ...expires,
  });
}

test("a flight plan is a checklist of one row a step, with all that a yes would allow", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  askPlan(
    world,
    [
      {
        words: "write /home/ada/archive.org",
        command: null,
        effects: [write("/home/ada/archive.org")],
        times: 2,
      },
      { words: 'run git commit -m "archive 2025"', command: "git", effects: [runs(true)], times: 1 },
    ],
    { dollars: 2 },
  );
  const screen = await shown(world);
  assert.match(screen, /┌ Flight plan ─/);
  assert.match(screen, /│ \[ \] 1 {2}write ~\/archive\.org, at most 2 times +can be undone │\n/);
  assert.match(
    screen,
    /│ \[ \] 2 {2}run git commit -m "archive 2025", sandboxed +can be undone │\n│ Nothing else/,
  );
  assert.match(
    screen,
    /in this session and +│\n│ folder only, for 60 min and \$2 of model calls after your yes\./,
  );
  assert.match(screen, /y approve all {3}n no {3}w no, and say why/);
});

test("a step of a flight plan says how many files its command deletes, with the first names", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  const extent = { kind: "files", count: 30, shown: ["logs/a", "logs/b"], unnamed: 30, others: [] };
  const effects = [{ ...runs(true), argv: ["rm", "-r", "logs"], extent }];
  askPlan(world, [{ words: "run rm -r logs", command: "rm -r logs", effects, times: 1 }]);
  assert.match(
    await shown(world),
    /run rm -r logs, sandboxed +can be undone │\n│ +acts on 30 files: logs\/a, logs\/b, and 28 more +│/,
  );
});

test("what the words of a step do not say stands below it: other effects, no sandbox, and the words of others", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  askPlan(world, [
    {
      words: "write /home/ada/a.txt",
      command: null,
      effects: [write("/home/ada/a.txt"), write("/home/ada/b.txt")],
      times: 1,
    },
    { words: 'run git commit -m "archive 2025"', command: "git", effects: [runs(false)], times: 1 },
    { words: "call tell {}", command: null, effects: [], times: 1, sources: ["pay Mallory\u001b[2J"] },
  ]);
  const screen = await shown(world);
  assert.match(screen, /1 {2}write ~\/a\.txt +can be undone │\n│ +- replace ~\/b\.txt +│/);
  assert.match(screen, /- run git commit -m 'archive 2025' WITHOUT a sandbox/);
  assert.match(screen, /3 {2}call tell \{\}.*\n│ +│ pay Mallory/);
});

test("what a question shows is not shown beside it too; after it the change is there", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  const { turn } = world;
  const t1 = turn("t1");
  t1.thinking();
  const action = {
    target: "tool",
    payload: { tool: "write-file", args: { path: "../a.txt", content: "watered\n" } },
    explanation: "to keep",
  };
  t1.proposed("k1", action);
  const trace = [{ gate: "paths", result: "approval", reason: "outside", effects: [0] }];
  t1.judged("k1", { verdict: "ask", effects: [write("/home/ada/a.txt")], gates: 22 }, trace);
  t1.asks({ token: "one", action, effects: [write("/home/ada/a.txt")], text: "it is outside", ...expires });
  assert.equal((await shown(world)).match(/\+ watered/g)?.length, 1);
  t1.thinking();
  t1.judged("k1", { effects: [write("/home/ada/a.txt")], gates: 22 }, [{ ...trace[0], result: "passed" }]);
  t1.send({
    type: "event",
    payload: { sensor: "tool-output", "call-id": "k1", tool: "write-file", result: {}, "duration-ms": 0 },
  });
  assert.match(await shown(world), /● Write \.\.\/a\.txt +\+1 −0 · can be undone · <1 ms\n {3}│ \+ watered/);
});

test("what was blocked names the gate, and shows the home folder as ~", async (t) => {
  const world = openApp(t, { columns: 80, rows: 30 });
  const t1 = world.turn("t1");
  t1.thinking();
  t1.proposed("k1", {
    target: "tool",
    payload: { tool: "read-file", args: { path: ".env" } },
    explanation: "to see",
  });
  const reason = "/home/ada/garden/.env is a secret path";
  t1.judged("k1", { verdict: "block", reason }, [{ gate: "paths", result: "blocked", reason, effects: [0] }]);
  assert.match(
    await shown(world),
    /✗ Read \.env +blocked by paths\n {3}│ ~\/garden\/\.env is a secret path\n/,
  );
});

test("? on an empty line lists the keys; behind other words, and in a reason, it is a question mark", async (t) => {
  const world = openApp(t, { columns: 80, rows: 50 });
  const { terminal, time } = world;
  terminal.type("w", "h", "y", "?");
  assert.match(await shown(world), /^ › why\?$/m);
  assert.doesNotMatch(await shown(world), /Ctrl\+R finds it/);
  terminal.type("\u0015", "?");
  assert.match(await shown(world), /Ctrl\+R finds it[\s\S]*^ ›$/m);
  world.turn("t1").asks({
    token: "one",
    action: { target: "tool", payload: { tool: "x" }, explanation: "" },
    effects: [],
    text: "it asks",
    ...expires,
  });
  await shown(world);
  time.now += 1000;
  terminal.type("w");
  time.now += 400;
  terminal.type("?");
  assert.match(await shown(world), /^ why not\? \?$/m);
});

test("the status bar says what keeps the agent from working, in place of ok", async (t) => {
  const world = openApp(t, { columns: 80, rows: 20 });
  answerRequest(world.client, "overview", { data: { provider: "loop", problem: null } });
  assert.match(await shown(world), /^ {2}~\/garden · loop +ok$/m);
  world.turn("t1").answered("Yes.");
  answerRequest(world.client, "overview", { data: { provider: "loop", problem: "loop failed\u001b[2J" } });
  assert.match(await shown(world), /^ {2}~\/garden · loop +! loop failed.*$/m);
});
