import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp, painted } from "../screen.fixture.ts";

test("a question shows the blanks of a command as blanks, and counts those that would push what follows out of its row", async (t) => {
  const { terminal, turn } = openApp(t, { rows: 40 });
  const blanks = (count: number): string => " ".repeat(count);
  const cmd = `cat > a.txt <<E\nname${blanks(50)}size\n\tmake\nls${blanks(90)}; rm -r a\nE`;
  turn("t1").asks({
    token: "one",
    action: { target: "shell", payload: { cmd }, explanation: "to list it" },
    effects: [],
    text: "not proved harmless",
    "expires-at-ms": 9_000_000,
    workspace: "/home/ada/garden",
  });
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(shown, /│ name {50}size/);
  assert.match(shown, /│ {5}make/);
  assert.match(shown, /│ ls\\u\{20\}×90; rm -r a/);
});

test("a question that cannot be undone says why, once for each reason", async (t) => {
  const network = { kind: "reach-host", target: "a.example", scheme: "https", port: 443, reversal: "final" };
  const outside = { kind: "write-path", target: "/home/ada/else.txt", change: "create", reversal: "final" };
  const kept = { ...outside, target: "/home/ada/garden/a.txt", reversal: "undoable" };
  const unkept = { ...kept, change: "replace", reversal: "final" };
  for (const [effects, words] of [
    [[kept], "Can be undone."],
    [[kept, network, network], "Cannot be undone: it reaches the network."],
    [[outside, network], "Cannot be undone: it changes what is outside of the workspace, and it"],
    [[unkept], "Cannot be undone: no earlier version of what it changes is kept."],
  ] as const) {
    const { terminal, turn } = openApp(t, { rows: 40 });
    turn("t1").asks({
      token: "one",
      action: { target: "shell", payload: { cmd: "make" }, explanation: "to build it" },
      effects: [...effects],
      text: "not proved harmless",
      "expires-at-ms": 9_000_000,
      workspace: "/home/ada/garden",
    });
    await painted(terminal);
    assert.ok(terminal.screen().join("\n").includes(`│ ${words}`), words);
  }
});
