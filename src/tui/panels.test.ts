import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import { checkGolden, plainScreen, useUtc, work } from "./golden.fixture.ts";
import { answerRequest, type HeadlessTerminal, openApp, openSession, painted } from "./screen.fixture.ts";

const [up, down, back] = ["\u001b[A", "\u001b[B", "\u001b"];
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);
const f2 = "\u001bOQ";
/** Longer than Enter waits for the rest of a paste. */
const alone = 500;

async function press(terminal: HeadlessTerminal, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    terminal.type(key);
    if (key === "\r") terminal.time.now += alone;
  }
  await painted(terminal);
}

const shown = (terminal: HeadlessTerminal): string => terminal.screen().join("\n");

/** The requests with this name that were sent. */
function requests({ client }: ReturnType<typeof openApp>, action: string): readonly unknown[] {
  return client.sent.flatMap(({ payload }) =>
    JSON.stringify(payload).includes(`"action":"${action}"`) ? [payload] : [],
  );
}

const moments: JsonObject[] = [
  { id: "t2", "at-ms": Date.UTC(2026, 10, 22, 8, 50), words: "and the tulips?", files: 0, commands: 0 },
  { id: "t1", "at-ms": Date.UTC(2026, 10, 22, 8, 40), words: "move the roses", files: 1, commands: 1 },
];
const preview = [
  "This would take back the words of 2 turns, and:",
  "  plan.txt (+1 −1)",
  "    │ - Water the roses on Friday.",
  "    │ + Water the roses on Saturday.",
].join("\n");

for (const columns of [40, 80]) {
  test(`Esc Esc chooses a moment, shows what would be taken back, and takes it back: ${columns} columns`, async (t) => {
    useUtc(t);
    const world = openApp(t, { columns, rows: 30, depth: "none" });
    const { terminal, client, time } = world;
    await work(world);
    await press(terminal, back);
    assert.match(shown(terminal), /Esc again goes back/);
    await press(terminal, back);
    answerRequest(client, "moments", { data: moments });
    await press(terminal, down);
    const screens = [plainScreen(terminal)];
    await press(terminal, "\r");
    answerRequest(client, "rewind", { text: preview });
    await painted(terminal);
    screens.push(plainScreen(terminal));
    time.now += alone;
    await press(terminal, "b");
    answerRequest(client, "moments", { code: "moment", text: "move the roses", data: {} });
    assert.partialDeepStrictEqual(requests(world, "rewind").at(-1), { turn: "t1", what: "all" });
    answerRequest(client, "rewind", {
      code: "rewound",
      text: "The words of 2 turns are taken back.\n/home/ada/garden/plan.txt was deleted.",
    });
    const past = {
      id: "t0",
      state: "answered",
      words: "what is due?",
      answer: "The roses.",
      "answer-left": 0,
    };
    answerRequest(client, "history", { data: [past] });
    await painted(terminal);
    screens.push(plainScreen(terminal));
    checkGolden(t, `rewind-${columns}-columns`, screens.join(`${"=".repeat(columns)}\n`));
  });
}

test("Esc twice after a while, with words at the prompt or while something runs, goes nowhere", async (t) => {
  const world = openApp(t);
  const { terminal, time, turn } = world;
  await press(terminal, back);
  time.now += 1_000;
  await press(terminal, back);
  time.now += 1_000;
  await press(terminal, "a", back, back);
  await press(terminal, "\u007f");
  turn("t1").thinking();
  await press(terminal, back, back);
  assert.deepEqual(requests(world, "moments"), []);
});

const sessions: JsonObject[] = [
  {
    id: "s1",
    title: "move the roses",
    workspace: "/home/ada/garden",
    "used-at-ms": Date.UTC(2026, 10, 22, 8, 50),
    turns: 3,
    "cost-microdollars": 0,
    questions: 0,
    unseen: 0,
  },
  {
    id: "s2",
    title: "taxes",
    workspace: "/home/ada/office",
    "used-at-ms": Date.UTC(2026, 10, 20, 8, 0),
    turns: 1,
    "cost-microdollars": 120_000,
    questions: 1,
    unseen: 2,
  },
];

for (const columns of [40, 80]) {
  test(`sessions are chosen, named, forked, and deleted only after a yes: ${columns} columns`, async (t) => {
    useUtc(t);
    const world = openApp(t, { columns, rows: 24, depth: "none" });
    const { terminal, client } = world;
    await work(world);
    await press(terminal, f2);
    answerRequest(client, "sessions", { data: sessions });
    await press(terminal, up);
    const screens = [plainScreen(terminal)];
    await press(terminal, ctrl("d"));
    screens.push(plainScreen(terminal));
    await press(terminal, "x");
    assert.deepEqual(requests(world, "delete-session"), []);
    await press(terminal, ctrl("d"), "y");
    assert.partialDeepStrictEqual(requests(world, "delete-session").at(-1), { id: "s2" });
    answerRequest(client, "delete-session", { text: "Something waits in this session." });
    answerRequest(client, "sessions", { data: sessions });
    await press(terminal, ctrl("r"), ..."house", "\r");
    assert.partialDeepStrictEqual(requests(world, "rename-session").at(-1), { id: "s2", name: "house" });
    answerRequest(client, "rename-session", { text: "Named." });
    answerRequest(client, "sessions", { data: sessions });
    await press(terminal, ctrl("f"));
    answerRequest(client, "fork-session", { data: { id: "s9" } });
    assert.partialDeepStrictEqual(requests(world, "session").at(-1), { name: "s9" });
    checkGolden(t, `sessions-${columns}-columns`, screens.join(`${"=".repeat(columns)}\n`));
  });
}

test("every list is filtered as it is typed in: sessions, moments, and questions behind a /", async (t) => {
  useUtc(t);
  const world = openApp(t, { columns: 80, rows: 30, depth: "none" });
  const { terminal, client, turn, time } = world;
  await work(world);
  await press(terminal, f2);
  answerRequest(client, "sessions", { data: sessions });
  await press(terminal, ..."OFFICE tax");
  assert.match(shown(terminal), /filter: OFFICE tax.* 1 of 2/);
  assert.doesNotMatch(shown(terminal), / move the roses .*this one/);
  await press(terminal, "x");
  assert.match(shown(terminal), /none has these words/);
  await press(terminal, "\r");
  assert.deepEqual(requests(world, "delete-session"), []);
  await press(terminal, back);
  assert.match(shown(terminal), /Sessions .*type to filter/, "Esc takes the words away, and not the list");
  await press(terminal, ..."office", ctrl("d"), "y");
  assert.partialDeepStrictEqual(requests(world, "delete-session").at(-1), { id: "s2" });
  answerRequest(client, "delete-session", { text: "Something waits in this session." });
  answerRequest(client, "sessions", { data: sessions });
  await press(terminal, back, back);
  time.now += 1_000;

  await press(terminal, back, back);
  answerRequest(client, "moments", { data: moments });
  await press(terminal, ..."roses", "\r");
  assert.partialDeepStrictEqual(requests(world, "rewind").at(-1), { turn: "t1", preview: true });
  answerRequest(client, "rewind", { text: preview });
  await press(terminal, back, back, back);

  turn("q1").asks(asked("one", "make install"));
  turn("q2").asks(asked("two", "make clean"));
  await painted(terminal);
  time.now += 1_000;
  await press(terminal, "l");
  time.now += 400;
  await press(terminal, "/", ..."tidy");
  assert.match(shown(terminal), /none has these words/);
  assert.match(shown(terminal), /Enter send 0 answers/, "a y of the filter marks nothing");
  await press(terminal, back, ..."clean", "\r");
  assert.match(shown(terminal), /filter: clean.* 1 of 2/);
  time.now += 1_000;
  await press(terminal, "n");
  time.now += 1_000;
  await press(terminal, "\r");
  assert.deepEqual(requests(world, "deny"), [{ action: "deny", token: "two" }]);
  assert.deepEqual(requests(world, "approve"), []);
});

test("a session that is opened in place of another shows its own past, and words go there", async (t) => {
  const world = openApp(t, { rows: 30 });
  const { terminal, client } = world;
  await work(world);
  await press(terminal, ..."/session", "\r");
  answerRequest(client, "sessions", { data: sessions });
  await press(terminal, up, "\r");
  assert.partialDeepStrictEqual(requests(world, "session").at(-1), { name: "s2" });
  openSession(client, { "last-turn-id": "t9", "last-state": "answered", "last-words": "the taxes" }, "s2");
  const past = { id: "t9", state: "answered", words: "the taxes", answer: "Are paid.", "answer-left": 0 };
  answerRequest(client, "history", { data: [past] });
  await painted(terminal);
  assert.match(shown(terminal), /› the taxes\n+ Are paid\./);
  assert.doesNotMatch(shown(terminal), /roses/);
  await press(terminal, ..."hello", "\r");
  assert.deepEqual(client.sent.findLast(({ type }) => type === "event")?.["meta"], { "session-id": "s2" });
});

const asked = (token: string, cmd: string): JsonObject => ({
  token,
  action: { target: "tool", payload: { tool: "shell", args: { cmd } }, explanation: "to build" },
  effects: [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }],
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
  workspace: "/home/ada/garden",
});

test("questions that wait are answered from one list: marked while the whole of each is in view, and sent by Enter", async (t) => {
  useUtc(t);
  const world = openApp(t, { columns: 80, rows: 30, depth: "none" });
  const { terminal, time, turn } = world;
  turn("t1").asks(asked("one", "make install"));
  turn("t2").asks(asked("two", "make clean"));
  turn("t3").asks(asked("three", "make dist"));
  await painted(terminal);
  time.now += 1_000;
  await press(terminal, "l");
  time.now += 400;
  await press(terminal, "y");
  time.now += 1_000;
  await press(terminal, "y");
  await press(terminal, "n");
  assert.match(shown(terminal), /Enter send 1 answer/, "a question that just came into view is not marked");
  time.now += 1_000;
  await press(terminal, "n", up);
  checkGolden(t, "questions-80-columns", plainScreen(terminal));
  await press(terminal, "\r");
  assert.deepEqual(requests(world, "approve"), [], "Enter right behind a key is the end of typed words");
  time.now += 400;
  await press(terminal, "\r");
  assert.deepEqual(
    [...requests(world, "approve"), ...requests(world, "deny")],
    [
      { action: "approve", token: "one" },
      { action: "deny", token: "two" },
    ],
  );
  assert.match(shown(terminal), /May I[\s\S]*make dist/);
});

test("a bell tells of a question once, and of the end of a turn only after 20 seconds; nothing where it is off", async (t) => {
  for (const [bells, sign] of [
    ["bell", "\u0007"],
    ["osc9", "\u001b]9;Passepartout: "],
    ["osc777", "\u001b]777;notify;Passepartout;"],
    ["off", "\u0007"],
  ] as const) {
    const { terminal, time, turn } = openApp(t, { bells });
    await painted(terminal);
    terminal.written.length = 0;
    const count = (): number => terminal.written.join("").split(sign).length - 1;
    const isOn = bells === "off" ? 0 : 1;
    turn("t1").thinking();
    time.now += 19_000;
    turn("t1").answered("Done.");
    assert.equal(count(), 0, bells);
    turn("t2").thinking();
    time.now += 21_000;
    turn("t2").answered("The secret is out.");
    assert.equal(count(), isOn, bells);
    turn("t3").asks(asked("one", "make install"));
    turn("t3").asks(asked("other", "make install"));
    assert.equal(count(), 2 * isOn, bells);
    const notices = terminal.written.filter((data) => data.startsWith(sign)).join("");
    assert.doesNotMatch(notices, /secret|make/);
  }
});

test("F3 leaves the mouse to the terminal, and takes it back", async (t) => {
  const { terminal } = openApp(t);
  await painted(terminal);
  assert.notEqual(terminal.xterm.modes.mouseTrackingMode, "none");
  await press(terminal, "\u001bOR");
  assert.equal(terminal.xterm.modes.mouseTrackingMode, "none");
  assert.match(shown(terminal), /the mouse selects text of the terminal/);
  await press(terminal, "\u001bOR");
  assert.notEqual(terminal.xterm.modes.mouseTrackingMode, "none");
});
