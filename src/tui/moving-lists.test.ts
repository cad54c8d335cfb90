import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import { answers, asked, enter, lines, pageDown, pass, payloads, shell } from "./asking.fixture.ts";
import { answerRequest, openApp, painted } from "./screen.fixture.ts";

const [back, f2] = ["\u001b", "\u001bOQ"];
const [ctrlD, ctrlR] = ["\u0004", "\u0012"];

test("a question is not marked yes before its end was on the screen, whatever the filter hid meanwhile", async (t) => {
  const world = openApp(t);
  world.turn("t1").asks(asked("one", shell(lines(80))));
  world.turn("t2").asks(asked("two", shell("make clean")));
  await pass(world);
  world.terminal.type("l");
  await pass(world);
  world.terminal.type("/", ..."zzz");
  assert.match(await pass(world), /none has these words/);
  world.terminal.type(back, back);
  await pass(world);
  world.terminal.type("y");
  assert.match(await pass(world), /not marked: read its end first/);
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), []);
  for (let page = 0; page < 40; page += 1) {
    world.terminal.type(pageDown);
    await painted(world.terminal);
  }
  world.terminal.type("y");
  await pass(world);
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "approve", token: "one" }]);
});

test("the question in view stays in view when the one above it is answered elsewhere", async (t) => {
  const world = openApp(t);
  for (const name of ["one", "two", "three"]) world.turn(name).asks(asked(name, shell(`make ${name}`)));
  await pass(world);
  world.terminal.type("l");
  await pass(world);
  world.terminal.type("\t");
  await pass(world);
  world.turn("one").thinking();
  assert.match(await pass(world), /▌ \[ \] .*make two/);
  world.terminal.type("n");
  await pass(world);
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "two" }]);
});

test("a window too low for a question marks nothing yes", async (t) => {
  const world = openApp(t);
  world.turn("t1").asks(asked("one"));
  world.turn("t2").asks(asked("two", shell("make clean")));
  await pass(world);
  world.terminal.resize(80, 1);
  await pass(world);
  world.terminal.type("l");
  const low = await pass(world);
  for (let page = 0; page < 10; page += 1) {
    world.terminal.type(pageDown);
    await pass(world);
  }
  world.terminal.type("y");
  await pass(world);
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), []);
  assert.match(low, /Make the window taller/);
});

const moments: JsonObject[] = [
  { id: "t2", "at-ms": Date.UTC(2026, 10, 22, 8, 50), words: "and the tulips?", files: 0, commands: 0 },
  { id: "t1", "at-ms": Date.UTC(2026, 10, 22, 8, 40), words: "move the roses", files: 1, commands: 1 },
];

test("what a preview shows is taken back, and not what the filter chose since; a key from before the preview does nothing", async (t) => {
  const world = openApp(t);
  const { terminal, client } = world;
  await painted(terminal);
  terminal.type(back, back);
  answerRequest(client, "moments", { data: moments });
  terminal.type(enter);
  await pass(world);
  terminal.type(..."roses");
  answerRequest(client, "rewind", { text: "This would take back the words of 1 turn." });
  terminal.type("b");
  const asksFor = () => payloads(client, /"action":"rewind"/).slice(1);
  assert.deepEqual(asksFor(), [], "a word of the filter");
  assert.match(await pass(world), /b both/);
  terminal.type("b");
  answerRequest(client, "moments", { code: "moment", text: "and the tulips?", data: {} });
  assert.deepEqual(asksFor(), [{ action: "rewind", turn: "t2", what: "all" }]);
});

const listed = (id: string, title: string): JsonObject => ({
  id,
  title,
  workspace: "/home/ada/garden",
  "used-at-ms": Date.UTC(2026, 10, 22, 8, 50),
  turns: 3,
  "cost-microdollars": 0,
  questions: 0,
  unseen: 0,
});

test("the session that was named is deleted or renamed, and not the one that took its row since", async (t) => {
  const before = { data: [listed("s1", "boat one"), listed("s2", "boat two"), listed("s3", "car")] };
  const after = { data: [listed("s1", "trash"), listed("s2", "boat two"), listed("s3", "car")] };
  for (const [keys, shown, end, sent] of [
    [[ctrlD], /Delete “boat one”/, "y", { action: "delete-session", id: "s1" }],
    [
      [ctrlR, ..."hull"],
      /new name of “boat one”: hull/,
      enter,
      { action: "rename-session", id: "s1", name: "hull" },
    ],
  ] as const) {
    const world = openApp(t);
    const { terminal, client } = world;
    terminal.type(f2);
    answerRequest(client, "sessions", before);
    terminal.type(..."boat", ctrlR, ..."trash", enter);
    await pass(world);
    terminal.type(...keys);
    assert.match(await pass(world), shown);
    answerRequest(client, "rename-session", { text: "Named." });
    answerRequest(client, "sessions", after);
    assert.match(await pass(world), shown);
    terminal.type(end);
    await pass(world);
    assert.deepEqual(payloads(client, /"(?:delete|rename)-session"/).at(-1), sent);
  }
});

test("sessions in which a question waits stand first, and are found by that", async (t) => {
  const world = openApp(t);
  world.terminal.type(f2);
  await pass(world);
  const listed = (id: string, title: string, questions: number): JsonObject => ({ id, title, questions });
  const data = [
    listed("s1", "move the roses", 0),
    listed("s2", "taxes", 1),
    listed("s3", "wait for mail", 0),
  ];
  answerRequest(world.client, "sessions", { data });
  assert.match(await pass(world), /taxes .*1 waiting[\s\S]*move the roses[\s\S]*wait for mail/);
  world.terminal.type(..."waiting");
  const left = await pass(world);
  assert.match(left, /filter: waiting.* 1 of 3[\s\S]*taxes/);
});
