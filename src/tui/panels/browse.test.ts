import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, checkGolden, plainScreen, useUtc, work } from "../golden.fixture.ts";
import { answerRequest, type HeadlessTerminal, openApp, openSession, painted } from "../screen.fixture.ts";

const browse = "\u0014";
const search = "\u0006";
const [up, down, back] = ["\u001b[A", "\u001b[B", "\u001b"];
/** Longer than Enter waits for the rest of a paste. */
const alone = 500;

async function press(terminal: HeadlessTerminal, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    terminal.type(key);
    if (key === "\r") terminal.time.now += alone;
  }
  await painted(terminal);
}

/** The first row of the item under the cursor. */
function selected(terminal: HeadlessTerminal): string {
  return (
    terminal
      .screen()
      .find((row) => row.startsWith("▌"))
      ?.slice(1) ?? ""
  );
}

/** What was sent to the terminal's clipboard last. */
function copied({ written }: HeadlessTerminal): string {
  const [, data = ""] = written.join("").split("\u001b]52;c;");
  return Buffer.from(data.split("\u0007")[0] ?? "", "base64").toString("utf8");
}

for (const columns of [40, 80]) {
  test(`a cursor moves over calls and answers, unfolds them and shows their gates: ${columns} columns`, async (t) => {
    const world = openApp(t, { columns, rows: 40, depth: "none" });
    const { terminal } = world;
    await work(world);
    await press(terminal, browse);
    const screens = [plainScreen(terminal)];
    await press(terminal, up, up, up, "g");
    screens.push(plainScreen(terminal));
    await press(terminal, up, "\r");
    screens.push(plainScreen(terminal));
    checkGolden(t, `browse-${columns}-columns`, screens.join(`${"=".repeat(columns)}\n`));
    await press(terminal, back);
    assert.equal(selected(terminal), "");
    assert.match(terminal.screen().at(-1) ?? "", /Enter send/);
  });
}

test("an item is copied as it was written, and a block of code without its fence", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  const { terminal } = world;
  await work(world);
  await press(terminal, browse, "c");
  assert.equal(copied(terminal), 'const due = ["boiler", "books"]; // this week');
  terminal.written.length = 0;
  await press(terminal, up, "c");
  assert.match(copied(terminal), /^Done: the roses are on \*\*Saturday\*\* now\.[\s\S]*\| Thu \| ספרים \|$/);
  terminal.written.length = 0;
  await press(terminal, "C");
  assert.match(copied(terminal), /^Done[\s\S]*```ts\nconst due = .*\n```$/);
});

test("a long answer is copied as it was written, live and in the past, and what is missing of it is said", async (t) => {
  const code = Array.from({ length: 150 }, (_, at) => `const a${at} = ${at};`).join("\n");
  const list = Array.from({ length: 200 }, (_, at) => `- item ${at} of a long list`).join("\n");
  const answer = `See:\n~~~ts\n${code}\n~~~\n\n\n${list}\n\n${"word ".repeat(2_000)}end`;
  const world = openApp(t, { columns: 80, rows: 40 });
  const { terminal, turn } = world;
  turn("t1").answered(answer);
  await painted(terminal);
  await press(terminal, browse, "C");
  assert.equal(copied(terminal), answer);
  terminal.written.length = 0;
  await press(terminal, "c");
  assert.equal(copied(terminal), answer.slice(answer.indexOf("- item 0")));
  const later = openApp(t, { open: false, columns: 80, rows: 40 });
  openSession(later.client, { "last-turn-id": "t1", "last-state": "answered", "last-words": "tell" });
  const past = { id: "t1", words: "tell", answer, "answer-left": 7, state: "answered" };
  answerRequest(later.client, "history", { data: [past] });
  await painted(later.terminal);
  await press(later.terminal, browse, "C");
  assert.equal(copied(later.terminal), `${answer}\n\n… 7 characters more`);
});

test("an answer that is withdrawn while the cursor is at it is not copied", async (t) => {
  const world = openApp(t, { columns: 80, rows: 40 });
  const { terminal, turn } = world;
  const speaking = turn("t9");
  speaking.send({ type: "stream-chunk", payload: { text: "words that nobody stands by" } });
  await press(terminal, browse);
  assert.match(selected(terminal), /words that nobody stands by/);
  speaking.send({ type: "stream-reset", payload: { text: "" } });
  terminal.written.length = 0;
  await press(terminal, "c");
  assert.equal(copied(terminal), "");
});

test("a search goes to what was found, also in folded output, and says how much there is", async (t) => {
  const world = openApp(t, { columns: 80, rows: 24 });
  const { terminal, turn } = world;
  await work(world);
  turn("t3").answered("Watering is over.");
  await press(terminal, search, ..."water");
  assert.match(terminal.screen().at(-1) ?? "", /search: water.*4 of 4|search: water.*5 of 5/);
  assert.match(selected(terminal), /Watering is over/);
  await press(terminal, "\r", "N");
  assert.match(selected(terminal), /Edit plan\.txt/);
  await press(terminal, "N", "N");
  assert.match(selected(terminal), /Read plan\.txt/);
  assert.ok(
    terminal.screen().some((row) => row.includes("│ Water the roses on Friday.")),
    "the output is unfolded",
  );
  await press(terminal, "n", "n", "n");
  assert.match(selected(terminal), /Watering is over/);
  await press(terminal, "/", ..."nowhere");
  assert.match(terminal.screen().at(-1) ?? "", /nothing found/);
});

test("while somebody browses nothing pulls the view away, and a line counts what is new", async (t) => {
  const world = openApp(t, { columns: 80, rows: 16 });
  const { terminal, turn } = world;
  await work(world);
  await press(terminal, browse, up);
  const before = selected(terminal);
  for (let index = 0; index < 5; index += 1) turn(`n${index}`).answered(`News ${index}.`);
  await painted(terminal);
  assert.equal(selected(terminal), before);
  assert.match(terminal.screen().join("\n"), /5 new below/);
  assert.doesNotMatch(terminal.screen().join("\n"), /News 4/);
  await press(terminal, "\u001b[F", back);
  assert.match(terminal.screen().join("\n"), /News 4/);
  turn("n9").answered("Followed again.");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /Followed again/);
});

test("a question can be left to browse, and takes no key for a moment when it comes back", async (t) => {
  useUtc(t);
  const world = openApp(t, { columns: 80, rows: 30 });
  const { terminal, time, client } = world;
  await work(world);
  await ask(world);
  time.now += 1_000;
  await press(terminal, browse, "y", "n");
  assert.match(terminal.screen().at(-1) ?? "", /a question waits/);
  assert.doesNotMatch(terminal.screen().join("\n"), /May I/);
  await press(terminal, back, "y");
  time.now += alone;
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /May I/);
  assert.doesNotMatch(JSON.stringify(client.sent), /"(?:approve|deny)"/);
  await press(terminal, down);
});

test("the key that leaves a panel does nothing else: what runs goes on", async (t) => {
  const world = openApp(t, { columns: 80, rows: 30 });
  const { terminal, turn, client } = world;
  await work(world);
  turn("t2").thinking();
  for (const leave of [back, "q", browse]) await press(terminal, browse, up, leave);
  await press(terminal, search, "x", back, back);
  assert.doesNotMatch(JSON.stringify(client.sent), /"stop"/);
  assert.match(terminal.screen().join("\n"), /› *\n.*Enter waits/);
  await press(terminal, back);
  assert.match(JSON.stringify(client.sent), /"stop"/);
});

test("the list of keys comes into view where the view was scrolled up", async (t) => {
  const world = openApp(t, { columns: 80, rows: 20 });
  const { terminal } = world;
  await work(world);
  await press(terminal, "\u001b[5~", "\u001bOP");
  assert.match(terminal.screen().join("\n"), /In a question: y yes/);
});
