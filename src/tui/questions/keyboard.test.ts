import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../../signal/json.ts";
import { ask, work } from "../golden.fixture.ts";
import { openApp, openSession, painted, type ScriptedClient } from "../screen.fixture.ts";

const action = {
  target: "tool",
  payload: { tool: "shell", args: { cmd: "make install" } },
  explanation: "to build",
};
const effects = [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }];
const asked = (token: string, more: JsonObject = {}): JsonObject => ({
  token,
  action,
  effects,
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
  workspace: "/home/ada/garden",
  ...more,
});
const shell = (cmd: string): JsonObject => ({
  action: { ...action, payload: { tool: "shell", args: { cmd } } },
});
const lines = (count: number): string =>
  Array.from({ length: count }, (_, row) => `echo line ${row}`).join("\n");

/** After this a question that stood has the keyboard, and a key that was held has answered. */
const second = 1_000;
const pageDown = "\u001b[6~";
const [enter, backspace] = ["\r", "\u007f"];

type World = ReturnType<typeof openApp>;

/** A session with a question that has the keyboard. */
async function openQuestion(
  t: Parameters<typeof openApp>[0],
  more: JsonObject = {},
  size = {},
): Promise<World> {
  const world = openApp(t, size);
  world.turn("t1").asks(asked("one", more));
  await pass(world);
  return world;
}

/** A second goes by without a key, and what it changed is painted. */
async function pass({ terminal, time }: World, milliseconds = second): Promise<string> {
  await painted(terminal);
  time.now += milliseconds;
  await painted(terminal);
  return terminal.screen().join("\n");
}

/** Types keys as a person does, so many milliseconds apart. */
function typeApart({ terminal, time }: World, gap: number, ...keys: readonly string[]): void {
  for (const key of keys) {
    terminal.type(key);
    time.now += gap;
  }
}

function payloads(client: ScriptedClient, what: RegExp): readonly JsonObject[string][] {
  return client.sent
    .map(({ payload }) => payload ?? null)
    .filter((payload) => what.test(JSON.stringify(payload)));
}

const answers = ({ client }: World) => payloads(client, /"action":"(?:approve|deny|always)"/);
const said = ({ client }: World) => payloads(client, /user-input/);

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

test("no and say why sends the reason; the prompt is empty then", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("w");
  await pass(world);
  world.terminal.type(..."use the package", enter);
  const screen = await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "one", reason: "use the package" }]);
  assert.match(screen, /\n › *\n/);
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

test("another question in the place of the one that a key was typed for is not answered by it", async (t) => {
  const world = await openQuestion(t);
  world.terminal.type("y");
  world.time.now += 200;
  world.turn("t1").asks(asked("new", { ...shell("rm -rf ~"), "expires-at-ms": Date.UTC(2026, 10, 24) }));
  await pass(world);
  assert.deepEqual(answers(world), []);
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
