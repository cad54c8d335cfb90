import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp, painted } from "./screen.fixture.ts";

test("a command that runs shows the last lines of what it printed, and nothing that tells the terminal what to do", async (t) => {
  const world = openApp(t, { rows: 40 });
  const t1 = world.turn("t1");
  t1.thinking();
  t1.proposed("k1", {
    target: "tool",
    payload: { tool: "shell", args: { cmd: "make test" } },
    explanation: "to build",
  });
  t1.judged("k1");
  t1.printed("k1", Array.from({ length: 9 }, (_, at) => `test ${at} \u001b[31mpassed`).join("\n"));
  await painted(world.terminal);
  const screen = world.terminal.screen().join("\n");
  assert.match(screen, /○ Run make test/);
  assert.match(screen, /│ test 4 ␛\[31mpassed\n.*\n.*\n.*\n +│ test 8 ␛\[31mpassed/);
  assert.doesNotMatch(screen, /test 3/);
  t1.output("k1", "shell", { stdout: "all passed\n", stderr: "", exitCode: 0 });
  await painted(world.terminal);
  assert.doesNotMatch(world.terminal.screen().join("\n"), /test 8/);
});

test("the last rows of what a model thinks stand above the prompt while it thinks, and go when it answers or acts", async (t) => {
  const world = openApp(t);
  const t1 = world.turn("t1");
  t1.thinking();
  const shows = async () => {
    await painted(world.terminal);
    return world.terminal.screen().join("\n");
  };
  t1.thought("a first line\n\nthe roses\nthe pond \u001b[31m\nthe shed");
  assert.match(
    await shows(),
    / {3}the roses\n.* {3}the pond ␛\[31m\n.* {3}the shed\n.*thinking … · Esc stops/,
  );
  assert.doesNotMatch(await shows(), /a first line/);
  t1.chunk("They are watered.");
  assert.doesNotMatch(await shows(), /the shed/);
  t1.thought("what comes late");
  assert.doesNotMatch(await shows(), /comes late/);
});
