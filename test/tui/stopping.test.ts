import assert from "node:assert/strict";
import { test } from "node:test";
import { isMissing, makeWorld } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { openTerminal } from "../open-terminal.ts";

const columns = 80;

/** The modes of the terminal that were switched on last and not off again: alternate screen, mouse, focus, bracketed paste. */
function modesLeftOn(bytes: string): readonly string[] {
  const modes = new Map<string, string>();
  for (const sequence of bytes.split("\u001b[?")) {
    const [, names = "", how = ""] = /^([\d;]+)([hl])/.exec(sequence) ?? [];
    for (const name of names.split(";")) modes.set(name, how);
  }
  // 25 shows the cursor, and 7 wraps long lines: both are on in a terminal that nobody changed.
  return [...modes]
    .filter(([name, how]) => how === (name === "25" || name === "7" ? "l" : "h"))
    .map(([name]) => name);
}

test("whatever signal ends it, the terminal is left as it was found, and the answer comes to the next conversation", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const gate = Promise.withResolvers<void>();
  const world = await makeWorld(t, [{ text: "It is done now.", after: gate.promise }]);
  await startDaemon(t, world);
  for (const signal of ["SIGTERM", "SIGQUIT", "SIGHUP"] as const) {
    await using terminal = await openTerminal(world, ["tui"], { columns });
    await terminal.shows(/^ › *$/m);
    if (signal === "SIGHUP") {
      terminal.type("do it");
      terminal.press("Enter");
      await world.provider.reached(1);
    }
    process.kill(terminal.pid(), signal);
    await terminal.shows(/left with 0/);
    assert.deepEqual(modesLeftOn(terminal.rawBytes()), [], signal);
  }
  gate.resolve();
  await using next = await openTerminal(world, ["tui", "--continue"], { columns });
  await next.shows(/› do it\n[\s\S]*It is done now\./);
});

for (const [signal, how] of [
  ["SIGTSTP", "as a shell stops a job"],
  ["SIGSTOP", "as nobody can catch it"],
] as const)
  test(`a conversation that is stopped ${how} has its whole screen again when it goes on`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const gate = Promise.withResolvers<void>();
    const world = await makeWorld(t, [{ text: "Done while it stood still.", after: gate.promise }]);
    await startDaemon(t, world);
    await using terminal = await openTerminal(world, ["tui"], { columns, inShell: true });
    await terminal.shows(/^ › *$/m);
    terminal.type("do it");
    terminal.press("Enter");
    await world.provider.reached(1);
    process.kill(terminal.pid(), signal);
    await terminal.shows(/Stopped/);
    if (signal === "SIGTSTP") {
      assert.deepEqual(
        modesLeftOn(terminal.rawBytes()).filter((mode) => mode !== "2004"),
        [],
      );
      terminal.type("echo the shell $((6*7))");
      terminal.press("Enter");
      await terminal.shows(/^the shell 42$/m);
      assert.doesNotMatch(terminal.screen(), / › do it/);
    }
    gate.resolve();
    terminal.type("fg");
    terminal.press("Enter");
    const screen = await terminal.shows(/› do it\n[\s\S]*Done while it stood still\./);
    assert.doesNotMatch(screen, /Stopped|fg$/m);
    terminal.type("still typed");
    await terminal.shows(/^ › still typed *$/m);
    terminal.press("C-u");
    terminal.press("C-d");
    await terminal.shows(/Go on with: \S*passepartout --session\s+[\w-]{36}\s+\$/);
  });
