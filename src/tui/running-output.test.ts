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
