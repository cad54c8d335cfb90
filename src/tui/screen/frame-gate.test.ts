import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp, painted } from "../screen.fixture.ts";

test("while nobody can see the screen a streaming answer writes nothing; its end is painted, and a key brings the whole screen", async (t) => {
  const state = { hidden: true };
  const world = openApp(t, { columns: 80, rows: 24, isHidden: async () => state.hidden });
  const { terminal, turn } = world;
  const t1 = turn("t1");
  t1.thinking();
  await painted(terminal);
  const before = terminal.written.length;
  for (let line = 0; line < 200; line += 1) {
    t1.chunk(`line ${line}\n\n`);
    if (line % 50 === 0) await painted(terminal);
  }
  await painted(terminal);
  assert.equal(terminal.written.length, before, "nothing is written");
  terminal.type("x");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /line 199[\s\S]*› x/);
  assert.equal(terminal.written.slice(before).filter((bytes) => bytes.includes("\u001b[2J")).length, 1);
});

test("what a turn came to is painted, seen or not", async (t) => {
  const world = openApp(t, { columns: 80, rows: 24, isHidden: async () => true });
  const { terminal, turn } = world;
  const t1 = turn("t1");
  t1.thinking();
  await painted(terminal);
  t1.chunk("The roses");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /The roses/);
  t1.answered("The roses are watered.");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /The roses are watered\./);
});

test("a screen that comes into view again is painted as a whole, once", async (t) => {
  const state = { hidden: true };
  const world = openApp(t, { columns: 80, rows: 24, isHidden: async () => state.hidden });
  const { terminal, turn } = world;
  turn("t1").thinking();
  await painted(terminal);
  turn("t1").chunk("The roses");
  await painted(terminal);
  const before = terminal.written.length;
  state.hidden = false;
  while (!terminal.screen().join("\n").includes("The roses")) await painted(terminal);
  assert.equal(terminal.written.slice(before).filter((bytes) => bytes.includes("\u001b[2J")).length, 1);
});
