import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, useUtc, work } from "./golden.fixture.ts";
import { hostileSequences } from "./hostile-text.fixture.ts";
import { type HeadlessTerminal, looked, openApp, painted } from "./screen.fixture.ts";

const screen = { place: "main", mouse: "scroll" } as const;
/** Longer than a decision waits for another key. */
const alone = 60;

type World = ReturnType<typeof openApp>;

/** What stands above the rule of the prompt: the conversation. */
function conversationIn(terminal: HeadlessTerminal): string {
  const rows = terminal.everything();
  return rows
    .slice(
      0,
      rows.findLastIndex((row) => /^─{5,}$/.test(row)),
    )
    .join("\n")
    .trimEnd();
}

const count = (text: string, words: string): number => text.split(words).length - 1;

async function longer({ turn, terminal }: World, name: string, lines: number): Promise<void> {
  const t1 = turn(name);
  t1.thinking();
  for (let line = 1; line <= lines; line += 1) t1.chunk(`Line ${line} of ${name}.\n\n`);
  await painted(terminal);
  t1.answered(Array.from({ length: lines }, (_, line) => `Line ${line + 1} of ${name}.\n\n`).join(""));
  await painted(terminal);
}

test("the main screen is only appended to: what was said stays as it is, above what changes", async (t) => {
  useUtc(t);
  const world = openApp(t, { columns: 80, rows: 24, screen });
  const { terminal, time } = world;
  await looked(world.app);
  const stood: string[] = [];
  const check = (): void => {
    const now = conversationIn(terminal);
    assert.ok(
      now.startsWith(stood.at(-1) ?? ""),
      `what stood is there no more:\n${stood.at(-1)}\n---\n${now}`,
    );
    stood.push(now);
  };
  await work(world);
  check();
  await longer(world, "t5", 60);
  check();
  await ask(world);
  assert.match(terminal.screen().join("\n"), /May I\?[\s\S]*y yes[\s\S]*1 question waits/);
  time.now += 1000;
  terminal.type("n");
  await new Promise((resolve) => setTimeout(resolve, alone));
  world.turn("t2").thinking("Denied. Nothing was done.", 1);
  world.turn("t2").answered("Then not.");
  await painted(terminal);
  check();
  const all = stood.at(-1) ?? "";
  for (const words of [
    "the roses: move watering",
    "● Edit plan.txt",
    "Line 1 of t5.",
    "Line 60 of t5.",
    "Then not.",
  ])
    assert.equal(count(all, words), 1, words);
  assert.equal(count(terminal.everything().join("\n"), "/ commands · ? keys"), 1, "the hints stand once");
  assert.equal(count(all, "May I?"), 0, "the question is gone");
  const bytes = terminal.written.join("");
  for (const never of ["\u001b[3J", "\u001b[2J", "\u001b[H", "\u001b[?1049", "\u001b[?1000", "\u001bc"])
    assert.ok(!bytes.includes(never), JSON.stringify(never));
});

test("after any resize each word stands once, and the prompt once", async (t) => {
  const world = openApp(t, { columns: 80, rows: 24, screen });
  const { terminal } = world;
  await looked(world.app);
  await longer(world, "t1", 30);
  terminal.type(..."half a thought");
  await painted(terminal);
  for (const [columns, rows] of [
    [60, 24],
    [120, 30],
    [40, 24],
    [80, 24],
    [30, 24],
    [200, 50],
  ] as const) {
    terminal.resize(columns, rows);
    await painted(terminal);
    const all = terminal.everything().join("\n");
    for (const words of ["half a thought", "Line 1 of t1.", "Line 30 of t1."])
      assert.equal(count(all, words), 1, `${words} at ${columns} x ${rows}:\n${all}`);
    assert.equal(all.match(/^─{5,}$/gm)?.length, 1, `${columns} x ${rows}`);
  }
  assert.ok(!terminal.written.join("").includes("\u001b[3J"));
});

test("browsing opens a screen of its own, and goes back to a main screen as it was", async (t) => {
  const world = openApp(t, { columns: 80, rows: 24, screen });
  const { terminal } = world;
  await looked(world.app);
  await longer(world, "t1", 30);
  const before = terminal.everything();
  terminal.type("\u0014");
  await painted(terminal);
  assert.equal(terminal.xterm.buffer.active.type, "alternate");
  assert.match(terminal.screen().join("\n"), /Line 1 of t1[\s\S]*↑↓ move/);
  await longer(world, "t2", 2);
  terminal.type("\u001b");
  await painted(terminal);
  assert.equal(terminal.xterm.buffer.active.type, "normal");
  const after = terminal.everything().join("\n");
  assert.equal(count(after, "Line 30 of t1."), 1);
  assert.equal(count(after, "Line 2 of t2."), 1);
  assert.ok(after.startsWith(before.slice(0, 40).join("\n")));
});

test("on a main screen, hostile text of a whole session moves nothing, and nothing is written while nothing happens", async (t) => {
  const world = openApp(t, { columns: 80, rows: 24, screen, bells: "off" });
  const { terminal, turn, app } = world;
  await looked(app);
  app.conversation.addWords("w", hostileSequences.join(" x "));
  for (const sequence of hostileSequences) turn("t1").chunk(`a${sequence}b\n\n`);
  turn("t1").answered(hostileSequences.map((sequence) => `a${sequence}b\n\n`).join(""));
  await painted(terminal);
  const rest = terminal.written.join("").replaceAll(own, "");
  assert.doesNotMatch(rest, /[\p{Cc}\p{Bidi_Control}]/u);
  const written = terminal.written.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(terminal.written.length, written);
});

/** All that this program writes to a main screen. */
const own = new RegExp(
  [
    "\u001b\\[\\d{1,3}(?:;\\d{1,3}){0,4}m",
    "\u001b\\[(?:2K|J|\\d{1,3}[ABC])",
    "\u001b\\[\\?(?:2026|25|7)[hl]",
    "\u001b\\]11;\\?\u0007",
    "\r\n?",
  ].join("|"),
  "g",
);
