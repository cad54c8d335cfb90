import assert from "node:assert/strict";
import { test } from "node:test";
import { deletes, PhoneWorld, questionOf } from "./phone.fixture.ts";

const stranger = { id: "8", name: "Mallory", isBot: false };

test("a card says nothing of its question on a lock screen, and can be answered with yes only after it was opened", async () => {
  const world = new PhoneWorld();
  const cards = world.start({ mayStandOnLockScreen: false });
  await world.ask(cards, questionOf("t1"));
  assert.equal(world.last().view.text, "A question waits for you. Tap Details to read it.");
  assert.deepEqual(world.labels(), ["No", "Details"]);
  assert.match(await cards.tapped(world.tap(world.last(), "once")), /not seen all of it/);
  const details = world.tap(world.last(), "details");
  assert.equal(await cards.tapped(details), "");
  assert.equal(await cards.tapped(details), "", "the same tap once more shows no further page");
  await world.deliver(cards);
  assert.match(world.last().view.text, /^Passepartout in house asks: make report\n/);
  const early = await cards.tapped(world.tap(world.last(), "once"));
  assert.match(early, /before you could read it/, "a second tap in the same place is no yes");
  assert.deepEqual(world.desk.counted, []);
  world.now += 1000;
  await cards.tapped(world.tap(world.last(), "once"));
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
});

test("what is too long for a card is read page by page before a yes counts, and what is too long for a chat cannot be approved there", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  const long = (turn: string, lines: number) => {
    const cmd = Array.from({ length: lines }, (_, at) => `echo line ${at} $x`).join("\n");
    const { action } = questionOf(turn);
    return questionOf(turn, { action: { ...action, payload: { tool: "shell", args: { cmd } } } });
  };
  await world.ask(cards, long("t1", 150));
  assert.match(
    world.last().view.text,
    /✂ \d+ lines more: tap Details\. A yes counts when you have seen all of it\./,
  );
  let seen = "";
  for (let page = 0; page < 20 && !world.labels().includes("Once"); page += 1) {
    assert.match(await cards.tapped(world.tap(world.last(), "once")), /not seen all of it/);
    await cards.tapped(world.tap(world.last(), "details"));
    await world.deliver(cards);
    world.now += 1000;
    seen += world.last().view.text;
  }
  for (let line = 0; line < 150; line += 1) assert.ok(seen.includes(`echo line ${line} $x`), `line ${line}`);
  await cards.tapped(world.tap(world.last(), "once"));
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
  await world.ask(cards, long("t2", 3000));
  assert.match(world.last().view.text, /too long for a chat, so read and answer it at the terminal/);
  assert.match(await cards.tapped(world.tap(world.last(), "once")), /terminal/);
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
  await cards.tapped(world.tap(world.last(), "no"));
  assert.deepEqual(world.desk.counted, ["t1 yes", "t2 no"]);
});

test("a question that the service may not read is asked without its text, and takes a no alone", async () => {
  const world = new PhoneWorld();
  const cards = world.start({ isPrivate: async () => true, mayStandOnLockScreen: false });
  await world.ask(cards, questionOf("t1", { effects: deletes }));
  for (const _ of [1, 2]) {
    await cards.tapped(world.tap(world.last(), "details"));
    await world.deliver(cards);
    world.now += 1000;
    assert.match(await cards.tapped(world.tap(world.last(), "once")), /terminal/);
  }
  assert.ok(!JSON.stringify([world.disk, [...world.outbox], [...world.phone]]).includes("make"));
  assert.deepEqual(world.desk.counted, []);
  await cards.tapped(world.tap(world.last(), "no"));
  assert.deepEqual(world.desk.counted, ["t1 no"]);
});

test("what deletes also wants the word on the card, typed in that chat by that person, once, and in either order", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  for (const [turn, order] of [
    ["t1", "tap first"],
    ["t2", "word first"],
  ] as const) {
    await world.ask(cards, questionOf(turn, { effects: deletes }));
    const before = world.desk.counted.length;
    const text = world.last().view.text;
    const word = /about deletion: to say yes, tap Once and write this word here: (\w+)/.exec(text)?.[1] ?? "";
    assert.equal(world.disk.at(-1)?.word, word);
    assert.deepEqual(world.labels(), ["Once, with the word", "No", "Details"]);
    const tap = world.tap(world.last(), "once");
    if (order === "tap first") {
      for (const _ of [1, 2])
        assert.equal(await cards.tapped(tap), "Now write here the word that stands on the question.");
      assert.equal(world.desk.counted.length, before, "a tap alone is no yes");
    }
    for (const other of [
      world.words(word, { sender: stranger }),
      world.words(word, { chat: { id: "200", kind: "group", title: "A group" } }),
      world.words(`${word} please`),
      world.words("yes"),
    ])
      assert.equal(await cards.said(other), false, other.text);
    assert.equal(world.desk.counted.length, before);
    const typed = world.words(` ${word.toUpperCase()}. `);
    assert.equal(await cards.said(typed), true);
    if (order === "tap first") assert.equal(world.replyTo(typed), "Yes, this once.");
    else {
      assert.equal(world.replyTo(typed), "That is the word. Now tap Once.");
      assert.equal(world.desk.counted.length, before, "a word alone is no yes");
      await cards.tapped(tap);
    }
    assert.equal(world.desk.counted.at(-1), `${turn} yes`);
    const again = world.words(word);
    assert.equal(await cards.said(again), true);
    assert.match(world.replyTo(again) ?? "", /answered before/, "it counts once");
  }
  assert.deepEqual(world.desk.counted, ["t1 yes", "t2 yes"]);
});
