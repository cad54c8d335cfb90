import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answers,
  asked,
  backspace,
  enter,
  openQuestion,
  pageDown,
  pass,
  said,
  second,
  shell,
} from "../asking.fixture.ts";
import { ask, work } from "../golden.fixture.ts";
import { openApp, painted } from "../screen.fixture.ts";

test("no and say why sends the reason; the prompt is empty then", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("w");
  await pass(world);
  world.terminal.type(..."use the package", enter);
  const screen = await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one", reason: "use the package" }]);
  assert.match(screen, /\n › *\n/);
});

test("a reason goes with a no to its own question alone, and not to the next one of the turn", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("w");
  await pass(world);
  world.terminal.type(..."too big");
  world.turn("t1").thinking();
  world.turn("t1").asks(asked("two", shell("make clean")));
  world.terminal.type(enter);
  const screen = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.match(screen, /answered meanwhile[\s\S]*make clean[\s\S]*› too big/);
});

test("a reason goes with a no to its question where a new daemon asked it anew", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("w");
  await pass(world);
  world.terminal.type(..."too big");
  world.turn("t1").asks(asked("anew"));
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "anew", reason: "too big" }]);
});

test("n because … at the prompt is a no with its reason to the question in view, where it was read before", async (t) => {
  const world = await openQuestion(t);
  world.turn("t2").asks(asked("two", shell("make clean")));
  await pass(world);
  world.terminal.type(..."n because it is late", enter);
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one", reason: "it is late" }]);
  assert.deepEqual(said(world), []);
  world.terminal.type(..."n because", enter);
  await pass(world);
  assert.equal(said(world).length, 1, "these are words");
});

test("n because … that was begun before its question could be read answers nothing and stays at the prompt", async (t) => {
  const world = openApp(t);
  world.terminal.type(..."n because ");
  world.turn("t1").asks(asked("one"));
  await pass(world);
  world.terminal.type(..."it is late", enter);
  assert.match(await pass(world), /came while you typed[\s\S]*› n because it is late/);
  assert.deepEqual([answers(world), said(world)], [[], []]);
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one", reason: "it is late" }]);
});

test("several questions wait in one dialog, each answered by its own token", async (t) => {
  const world = await openQuestion(t);
  world.turn("t2").asks(asked("two", shell("make clean")));
  assert.match(await pass(world), /1 of 2 waiting/);
  world.terminal.type("\t");
  await painted(world.terminal);
  assert.match(world.terminal.screen().join("\n"), /make clean[\s\S]*2 of 2 waiting/);
  world.time.now += 299;
  world.terminal.type("n");
  await pass(world);
  assert.deepEqual(answers(world), [], "the next question has a guard of its own");
  world.terminal.type(backspace);
  await pass(world);
  world.terminal.type("n");
  assert.match(await pass(world), /make install/);
  await pass(world);
  world.terminal.type("y");
  await pass(world);
  assert.deepEqual(answers(world), [
    { action: "deny", token: "two" },
    { action: "approve", token: "one" },
  ]);
});

test("a question that was answered elsewhere goes away, and a key that was held answers nothing", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("y");
  world.turn("t1").thinking();
  const screen = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.doesNotMatch(screen, /May I/);
  assert.match(screen, /\n › *\n/);
});

test("another question in the place of the one that a key was typed for is not answered by it, and the key stands at the prompt", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("y");
  world.time.now += 200;
  world.turn("t1").asks(asked("new", { ...shell("rm -rf ~"), "expires-at-ms": Date.UTC(2026, 10, 24) }));
  const screen = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.ok(screen.includes("\n › y"), screen);
});

test("a rule is kept only by a second key", async (t) => {
  const world = await openQuestion(t, { rule: "make in ~/garden" });
  world.terminal.type("a");
  assert.match(await pass(world), /a again or 1: keep this rule, and say yes/);
  assert.deepEqual(answers(world), []);
  world.terminal.type("a");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "always", token: "one", keep: true }]);
});

test("the details of a question come into view by their key at once, and go by it", async (t) => {
  const world = openApp(t, { columns: 80, rows: 18 });
  const { terminal, time } = world;
  await work(world);
  await ask(world);
  await pass(world);
  terminal.type("d");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /\+ Water the roses on Saturday\.[\s\S]*more rows[\s\S]*/);
  time.now += second;
  terminal.type("d");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /│ Run this/);
  time.now += second;
  terminal.type("d", pageDown);
  const screen = await pass(world);
  assert.ok(screen.includes("› or type to say something else"), "a key that moves leaves the details");
});
