import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { type Comparable, runWithAndWithoutDaemon } from "./compare-with-daemon.ts";
import { serveDaemon } from "./serve-daemon.ts";

test("ask prints the same answer, with the same exit code, through a daemon and without one", async (t) => {
  const [withDaemon, alone, worlds] = await runWithAndWithoutDaemon(
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
  const [withDaemon, alone] = await runWithAndWithoutDaemon(
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
  const [withDaemon, alone] = await runWithAndWithoutDaemon(
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
  const [poor, poorAlone] = await runWithAndWithoutDaemon(t, [{ text: "never" }], [[["ask", "hello"]]], {
    BUDGET_PER_DAY: "0",
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
  });
  assert.deepEqual(poor, poorAlone);
  assert.equal(poor[0]?.code, 5);
});

test("a conversation goes the same way through a daemon as without one", async (t) => {
  const talk = ["--session", "talk"];
  const [withDaemon, alone] = await runWithAndWithoutDaemon(
    t,
    [{ text: "Good morning." }, { text: "Again." }],
    [
      [talk, { input: "hello\n" }],
      [["ask", ...talk, "/note Buy milk"]],
      [["ask", ...talk, "/status"]],
      [["ask", ...talk, "/nonsense"]],
      [talk, { input: "/note Buy milk\n" }],
      [["ask", "/approve x"]],
      [["ask", ...talk, "/search milk"]],
      [talk, { input: "/exit\n" }],
      [["ask", "--continue", "and again"]],
    ],
  );
  const heard = ({ out, ...rest }: Comparable): Comparable => ({
    ...rest,
    out: out.replace(/, with the daemon \S+\./, "."),
  });
  assert.deepEqual(withDaemon.map(heard), alone.map(heard));
  assert.deepEqual(
    withDaemon.map(({ code }) => code),
    [0, 0, 0, 2, 0, 1, 0, 0, 0],
  );
  assert.match(withDaemon[0]?.out ?? "", /with the daemon [\s\S]*Good morning\./);
});

test("what only looks or checks works beside the daemon", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await serveDaemon(world);
  await world.command(["ask", "hello"]);
  for (const args of [["journal", "verify"], ["journal", "replay"], ["memory", "verify"], ["doctor"]]) {
    const { code, err } = await world.command(args);
    assert.equal(code, 0, `${args.join(" ")}: ${err}`);
  }
});

test("Ctrl-C in ask stops the daemon's turn, with exit code 1, and the daemon goes on", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }, { text: "Here." }]);
  await serveDaemon(world);
  const stopped = await world.run(["ask", "think for ever"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGINT")),
  });
  assert.equal(stopped.code, 1);
  assert.match(stopped.err, /Stopping\. Press Ctrl-C again to leave\.[\s\S]*stopped: Stopped\./);
  assert.equal((await world.command(["ask", "still there?"])).out, "Here.\n");
});
