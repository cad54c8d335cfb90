import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isJsonObject } from "../../text/json.ts";
import {
  answers,
  asked,
  backspace,
  enter,
  lines,
  openQuestion,
  pageDown,
  pass,
  payloads,
  said,
  second,
  shell,
  typeApart,
} from "../asking.fixture.ts";
import { openApp, openSession, painted } from "../screen.fixture.ts";

test("an answer is one key with nothing behind it", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("y");
  world.time.now += 399;
  assert.deepEqual(answers(world), []);
  await painted(world.terminal);
  assert.match(world.terminal.screen().join("\n"), /y: yes …/, "it is told that it will be");
  world.time.now += 1;
  assert.deepEqual(answers(world), [{ action: "approve", token: "one" }]);
});

for (const [words, gap] of [
  ["clean up", 120],
  ["clean up", 0],
  ["yes, and tell me why", 390],
  ["install x", 200],
  ["no", 399],
  ["don't", 300],
  ["will you", 150],
  ["always", 150],
  ["yy", 30],
] as const) {
  test(`${JSON.stringify(words)}, a key each ${gap} ms, answers nothing and stands at the prompt whole`, async (t) => {
    const world = await openQuestion(t, { rule: "make in ~/garden" });
    typeApart(world, gap, ...words);
    const screen = await pass(world);
    assert.deepEqual(answers(world), []);
    assert.ok(screen.includes(`\n › ${words}`), screen);
    assert.match(screen, /May I\?[\s\S]*Your keys go to the prompt below/);
    assert.doesNotMatch(screen, /d hide/);
    world.terminal.type(enter);
    world.time.now += second;
    assert.deepEqual(said(world), [{ sensor: "user-input", text: words }]);
    assert.deepEqual(answers(world), []);
  });
}

test("a key that Enter follows at once is words, and so is one that a paste follows", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("y");
  world.time.now += 380;
  world.terminal.type(enter);
  world.time.now += second;
  assert.deepEqual(answers(world), []);
  assert.deepEqual(said(world), [{ sensor: "user-input", text: "y" }]);
  world.time.now += second;
  world.terminal.type("y", "\u001b[200~es\u001b[201~");
  const screen = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.ok(screen.includes("\n › yes"), screen);
});

test("nothing that is pasted answers, and Enter alone neither", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("\u001b[200~y\u001b[201~");
  await pass(world);
  world.terminal.type("\u0003");
  world.time.now += second;
  world.terminal.type(enter);
  await pass(world);
  assert.deepEqual(answers(world), []);
});

test("no key counts in the first 300 ms of a question: it goes to the prompt", async (t) => {
  const world = openApp(t);
  world.time.now += 10 * second;
  world.turn("t1").asks(asked("one"));
  await painted(world.terminal);
  world.time.now += 299;
  world.terminal.type("y");
  const screen = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.ok(screen.includes("\n › y"), screen);
});

test("a question takes the keyboard a second after the last key at the prompt, and only where the prompt is empty", async (t) => {
  const world = openApp(t);
  world.terminal.type("x", backspace);
  world.turn("t1").asks(asked("one"));
  await pass(world, 999);
  world.terminal.type("y");
  await pass(world, 10 * second);
  assert.deepEqual(answers(world), [], "one millisecond before, it is typing");
  world.terminal.type("n");
  await pass(world, 10 * second);
  assert.deepEqual(answers(world), [], "something stands at the prompt");
  world.terminal.type(backspace, backspace);
  const screen = await pass(world);
  assert.match(screen, /│ y yes {3}n no/);
  world.terminal.type("n");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one" }]);
});

test("a question of another session is one line above the prompt, and takes no key ever", async (t) => {
  const world = openApp(t, { open: false });
  const other = { meta: { "session-id": "s2", "turn-id": "t9" } };
  openSession(world.client);
  world.turn("t9").send({
    type: "event",
    level: "approval-required",
    payload: { sensor: "approval-required", ...asked("other") },
    ...other,
  });
  const screen = await pass(world, 10 * second);
  assert.match(screen, /\n 1 question waits in another conversation: F2\n─+\n ›\n/);
  assert.doesNotMatch(screen, /May I|make install|1 question waits {2}/);
  world.terminal.type("y");
  await pass(world);
  world.terminal.type("\u0003");
  typeApart(world, 600, ..."clean up");
  assert.deepEqual(answers(world), []);
  assert.ok((await pass(world)).includes("\n › clean up"));
  openSession(world.client, {}, "s2");
  world.terminal.type("\u0003");
  assert.match(await pass(world), /May I\?[\s\S]*make install/, "there it is a question");
});

test("a question taller than the screen is approved only after its last row was on the screen", async (t) => {
  const world = await openQuestion(t, shell(`${lines(52)}\nrm -rf ~/garden`), { columns: 60, rows: 20 });
  world.terminal.type("y");
  const refused = await pass(world);
  assert.deepEqual(answers(world), []);
  assert.match(refused, /Not approved: PageDown/);
  // No page is passed over, however quickly the key comes.
  for (let page = 0; page < 40; page += 1) world.terminal.type(pageDown);
  let seen = "";
  for (let page = 0; page < 12; page += 1) {
    world.terminal.type(pageDown);
    seen += await pass(world, 10);
  }
  for (let row = 12; row < 52; row += 1) assert.ok(seen.includes(`echo line ${row}`), `line ${row}`);
  assert.match(seen, /rm -rf ~\/garden[\s\S]*The agent says: to build[\s\S]*all shown/);
  world.terminal.type("y");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "approve", token: "one" }]);
});

test("a no needs no reading, and a resize asks for it anew where it was not read to its end", async (t) => {
  const world = await openQuestion(t, shell(lines(40)), { columns: 60, rows: 20 });
  world.terminal.type(pageDown);
  await pass(world);
  world.terminal.resize(50, 16);
  world.terminal.type("y");
  await pass(world);
  assert.deepEqual(answers(world), []);
  world.terminal.type("n");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one" }]);
});

test("where the screen is too low for a question nothing is approved", async (t) => {
  const world = await openQuestion(t, {}, { columns: 60, rows: 4 });
  world.terminal.type("y");
  await pass(world);
  assert.deepEqual(answers(world), []);
  world.terminal.resize(60, 24);
  await pass(world);
  world.terminal.type("y");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "approve", token: "one" }]);
});

test("what was typed before a hidden field took keys is never sent as words", async (t) => {
  const world = openApp(t);
  world.terminal.type(..."install x");
  world.client.message({
    type: "status",
    meta: { "session-id": "s1", "turn-id": "t1" },
    payload: { action: "hidden-prompt", id: "h1", program: "sudo", text: "Password:" },
  });
  world.terminal.type(..."secret", enter);
  const screen = await pass(world);
  assert.deepEqual(said(world), []);
  assert.match(screen, / › install xsecret\n[\s\S]*Your answer:/);
  world.terminal.type(..."secret", enter);
  assert.doesNotMatch(await pass(world), /secretsecret/);
  assert.deepEqual(payloads(world.client, /answer-hidden/), [
    { action: "answer-hidden", prompt: "h1", answer: "secret" },
  ]);
});

test("typed words, in bursts of whatever keys and with whatever pauses between them, never answer a question, and none of them is lost", async () => {
  const letters = fc.constantFrom(..."ynwdalyn12 ,.'xé");
  // A burst is at least two keys: one key alone is an answer where nothing stands at the prompt.
  const burst = fc.record({
    keys: fc.array(letters, { minLength: 2, maxLength: 8 }),
    gap: fc.integer({ min: 0, max: 399 }),
    rest: fc.integer({ min: 0, max: 5_000 }),
    sends: fc.boolean(),
    asks: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 6 }), async (bursts) => {
      const worlds: (() => void)[] = [];
      const world = openApp({ after: (end: () => void) => worlds.push(end) });
      world.turn("t0").asks(asked("t0", { rule: "make" }));
      world.turn("t1").asks(asked("t1", shell("make clean")));
      let typed = "";
      for (const [index, { keys, gap, rest, sends, asks }] of bursts.entries()) {
        if (asks) world.turn(`b${index}`).asks(asked(`b${index}`));
        world.time.now += rest;
        typeApart(world, gap, ...keys);
        typed += keys.join("");
        // Enter belongs to the burst, too.
        if (sends) world.terminal.type(enter);
        world.time.now += 50;
      }
      world.time.now += 10 * second;
      world.terminal.type(enter);
      world.time.now += second;
      assert.deepEqual(answers(world), []);
      const found = said(world).map((payload) => (isJsonObject(payload) ? payload["text"] : ""));
      assert.equal(found.join("").replaceAll(/\s/g, ""), typed.replaceAll(/\s/g, ""));
      for (const end of worlds) end();
    }),
    { numRuns: 60 },
  );
});
