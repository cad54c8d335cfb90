import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, type Finished, makeWorld, type Running } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { startDaemon } from "./daemon-process.ts";

/** One command after the other: its arguments, or what makes them of what was printed so far. */
type Commands = readonly (readonly [
  args: readonly string[] | ((printed: string) => readonly string[]),
  running?: Running,
])[];

/** What a command came to, with what differs from run to run taken out. */
type Seen = Finished & { readonly events: readonly unknown[] };

/** Runs the same commands against a daemon and without one, and gives what each was seen to do. */
async function both(
  t: TestContext,
  steps: readonly Step[],
  commands: Commands,
  settings: Readonly<Record<string, string>> = {},
): Promise<readonly [withDaemon: readonly Seen[], alone: readonly Seen[], worlds: readonly AgentWorld[]]> {
  const worlds = [await makeWorld(t, steps, settings), await makeWorld(t, steps, settings)] as const;
  for (const world of worlds) writeFileSync(world.path("a.txt"), "alpha\n");
  await startDaemon(t, worlds[0]);
  const [withDaemon, alone] = await Promise.all(worlds.map((world) => runAll(world, commands)));
  return [withDaemon ?? [], alone ?? [], worlds];
}

async function runAll(world: AgentWorld, commands: Commands): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  let printed = "";
  for (const [args, running] of commands) {
    const done = await world.run(typeof args === "function" ? args(printed) : args, running);
    printed += done.out;
    seen.push(seenOf(world, done));
  }
  return seen;
}

function seenOf(world: AgentWorld, { code, out, err }: Finished): Seen {
  const same = (text: string): string =>
    text
      .replaceAll(world.home, "HOME")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
      .replaceAll(/[\w-]{22}(?=[\s"])/g, "TOKEN")
      .replaceAll(/"expiresAt":\d+/g, '"expiresAt":0')
      .replaceAll(/approval [0-9a-f]{8}/g, "approval HASH")
      .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME");
  const json = out.startsWith("{");
  const events = json
    ? out
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(same(line)))
    : [];
  return { code, out: json ? "" : same(out), err: same(err), events };
}

const outside = (world: AgentWorld): string => `${world.home}/outside.txt`;
const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);
const tokenIn = (printed: string): string =>
  /\/approve ([\w-]+)|"token":"([\w-]+)"/
    .exec(printed)
    ?.slice(1)
    .find((found) => found !== undefined) ?? "";

test("ask prints the same answer, with the same exit code, through a daemon and without one", async (t) => {
  const [withDaemon, alone, worlds] = await both(
    t,
    [{ text: "Hello there." }, { text: "Heard." }],
    [[["ask", "hello"]], [["ask", "--quiet"], { input: "from standard input" }], [["ask"], { input: " \n" }]],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code, out }) => [code, out]),
    [
      [0, "Hello there.\n"],
      [0, "Heard.\n"],
      [2, ""],
    ],
  );
  for (const { provider } of worlds) assert.equal(provider.requests.length, 2);
});

test("ask --json prints the same events through a daemon and without one", async (t) => {
  const [withDaemon, alone] = await both(
    t,
    [
      calls(["read-file", { path: "a.txt" }], ["shell", { cmd: "wc -l a.txt" }]),
      calls(["read-file", { path: "missing.txt" }]),
      { text: ["It says ", "alpha."] },
    ],
    [[["ask", "--json", "what does it say"]]],
  );
  assert.deepEqual(withDaemon, alone);
  const names = withDaemon[0]?.events.map((event) => Object(event).event);
  assert.deepEqual(names?.slice(0, 2), ["accepted", "thinking"]);
  assert.equal(names?.filter((name) => name === "verdict").length, 3);
  assert.equal(names?.filter((name) => name === "outcome").length, 3);
  assert.equal(names?.at(-1), "answered");
});

test("blocked, failed, over budget and without a provider end with the same exit codes and words", async (t) => {
  const shadow = (count: number): Step => calls(["read-file", { path: `/etc/shadow${"/".repeat(count)}` }]);
  const [withDaemon, alone] = await both(
    t,
    [shadow(0), shadow(1), shadow(2), { status: 400 }, { status: 401, repeat: true }],
    [
      [["ask", "read the passwords"]],
      [["ask", "one that is refused"]],
      [["ask", "one that no provider takes"]],
    ],
  );
  assert.deepEqual(withDaemon, alone);
  assert.equal(withDaemon[0]?.code, 3);
  assert.deepEqual(
    withDaemon.map(({ out }) => out),
    ["", "", ""],
  );
  const [poor, poorAlone] = await both(t, [{ text: "never" }], [[["ask", "hello"]]], {
    BUDGET_PER_DAY: "0",
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
  });
  assert.deepEqual(poor, poorAlone);
  assert.equal(poor[0]?.code, 5);
});

test("ask leaves a question open with exit code 4, and approve carries it out, through a daemon as without one", async (t) => {
  const [withDaemon, alone, worlds] = await both(
    t,
    [writesOutside, { text: "Made it." }],
    [
      [["ask", "make it"]],
      [(printed) => ["approve", tokenIn(printed)]],
      [(printed) => ["approve", tokenIn(printed)]],
    ],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 0, 1],
  );
  assert.equal(withDaemon[1]?.out, "Made it.\n");
  assert.match(withDaemon[2]?.err ?? "", /This token was used or has ended \(approved\)/);
  for (const world of worlds) assert.equal(readFileSync(outside(world), "utf8"), "made\n");
});

test("ask --json and approve --json have the same events through a daemon as without one", async (t) => {
  const [withDaemon, alone] = await both(
    t,
    [writesOutside, { text: "Made it." }],
    [[["ask", "--json", "make it"]], [(printed) => ["approve", "--json", tokenIn(printed)]]],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 0],
  );
});

test("deny says no, and a token that nobody knows is refused, through a daemon as without one", async (t) => {
  const [withDaemon, alone, worlds] = await both(
    t,
    [writesOutside],
    [
      [["ask", "make it"]],
      [(printed) => ["deny", tokenIn(printed)]],
      [(printed) => ["approve", tokenIn(printed)]],
      [["approve", "AAAAAAAAAAAAAAAAAAAAAA"]],
    ],
  );
  assert.deepEqual(withDaemon, alone);
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [4, 0, 1, 1],
  );
  for (const world of worlds) assert.equal(existsSync(outside(world)), false);
});

test("a conversation goes the same way through a daemon as without one", async (t) => {
  const talk = ["--session", "talk"];
  const [withDaemon, alone] = await both(
    t,
    [{ text: "Good morning." }, { text: "Again." }],
    [
      [talk, { input: "hello\n" }],
      [talk, { input: "/note Buy milk\n" }],
      [talk, { input: "/status\n" }],
      [talk, { input: "/nonsense\n" }],
      [["ask", "/approve x"]],
      [talk, { input: "/search milk\n/exit\n" }],
      [["ask", "--continue", "and again"]],
    ],
  );
  const heard = ({ out, ...rest }: Seen): Seen => ({ ...rest, out: out.replace(/^Passepartout .*\n/, "") });
  assert.deepEqual(withDaemon.map(heard), alone.map(heard));
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [0, 0, 0, 0, 1, 0, 0],
  );
  assert.match(withDaemon[0]?.out ?? "", /with the daemon [\s\S]*Good morning\./);
});

test("what only looks or checks works beside the daemon", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await startDaemon(t, world);
  await world.run(["ask", "hello"]);
  for (const args of [["journal", "verify"], ["journal", "replay"], ["memory", "verify"], ["doctor"]]) {
    const { code, err } = await world.run(args);
    assert.equal(code, 0, `${args.join(" ")}: ${err}`);
  }
});

test("Ctrl-C in ask stops the daemon's turn, with exit code 1, and the daemon goes on", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Here." }]);
  await startDaemon(t, world);
  const stopped = await world.run(["ask", "think for ever"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGINT")),
  });
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /Stopping\. Press Ctrl-C again to leave\.[\s\S]*stopped: Stopped\./);
  assert.equal((await world.run(["ask", "still there?"])).out, "Here.\n");
});
