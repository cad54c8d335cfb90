import assert from "node:assert/strict";
import { test } from "node:test";
import { buttonData, hashButtonData, readButton, readReaction } from "./handle.ts";
import { deletes, Killed, PhoneWorld, questionOf } from "./phone.fixture.ts";

const stranger = { id: "8", name: "Mallory", isBot: false };

test("a tap on Once approves the question, tells the tapper, and leaves one dead button with the outcome", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1"));
  assert.deepEqual(world.labels(), ["Once", "No", "Details"]);
  assert.equal(await cards.tapped(world.tap(world.last(), "once")), "Yes, this once.");
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
  await world.deliver(cards);
  assert.deepEqual(world.last().view.buttons, [[{ text: "✓ Yes, once · 00:16", handle: null }]]);
  assert.equal(world.phone.size, 1, "in the place of the question");
  assert.equal(world.disk[0]?.card, null, "nothing of what it showed is kept");
  assert.deepEqual(world.reports, []);
});

test("the decision is made though the card cannot be changed, and the card says it later", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1"));
  world.fails = () => "before";
  await cards.tapped(world.tap(world.last(), "no"));
  assert.deepEqual(world.desk.counted, ["t1 no"]);
  await world.deliver(cards);
  assert.deepEqual(world.labels(), ["Once", "No", "Details"]);
  world.fails = () => "no";
  await world.deliver(cards);
  assert.deepEqual(world.labels(), ["✗ No · 00:16"]);
});

test("a tap by another person, in another chat, on a copy, with a made-up handle, doubled or late does nothing and says so to the tapper", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1"));
  const card = world.last();
  const tap = world.tap(card, "once");
  for (const hostile of [
    { ...tap, sender: stranger },
    { ...tap, chat: { ...tap.chat, id: "200" } },
    { ...tap, message: "m999" },
    { ...tap, handle: hashButtonData(buttonData("once", "A".repeat(22))) },
    { ...tap, handle: hashButtonData(buttonData("once", "?".repeat(22))) },
    { ...tap, handle: "o" },
    { ...tap, handle: "" },
    { ...tap, handle: "👍" },
  ])
    assert.match(await cards.tapped(hostile), /nothing was answered/);
  assert.deepEqual(world.desk.counted, []);
  await world.deliver(cards);
  assert.deepEqual(world.last(), card, "the card is as it was");
  assert.equal(await cards.tapped(tap), "Yes, this once.");
  assert.equal(await cards.tapped(tap), "Yes, this once.", "the same update once more after a kill");
  for (const late of [world.tap(card, "once"), world.tap(card, "no"), world.tap(card, "details")])
    assert.match(await cards.tapped(late), /answered before, with yes\. Your answer changed nothing/);
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
});

test("a tap after the expiry means no, and the card says that it lapsed", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1"));
  world.now = 86_400_000;
  assert.match(await cards.tapped(world.tap(world.last(), "once")), /has lapsed, which means no/);
  assert.deepEqual(world.desk.counted, []);
  world.desk.end("t1", "lapsed");
  await cards.over("t1");
  await world.deliver(cards);
  assert.deepEqual(world.labels(), ["✗ Lapsed, which means no · 00:00"]);
});

test("a question that another door answered: the card says so, and its buttons do nothing", async () => {
  for (const answers of ["buttons", "reactions"] as const) {
    const world = new PhoneWorld(answers);
    const cards = world.start();
    await world.ask(cards, questionOf("t1"));
    const tap = world.tap(world.last(), "once");
    world.desk.end("t1", "no");
    await cards.over("t1");
    await world.deliver(cards);
    assert.deepEqual(world.labels(), ["✗ No, answered elsewhere · 00:16"]);
    assert.match(await cards.tapped(tap), /answered before, with no/);
    assert.deepEqual(world.desk.counted, []);
  }
});

test("a tap that another door's answer overtakes counts as late", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1"));
  world.desk.end("t1", "no");
  assert.match(await cards.tapped(world.tap(world.last(), "once")), /answered before, with no/);
  assert.deepEqual(world.desk.counted, []);
  await world.deliver(cards);
  assert.deepEqual(world.labels(), ["✗ No, answered elsewhere · 00:16"]);
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
      for (const _ of [1, 2]) assert.equal(await cards.tapped(tap), `Now write this word here: ${word}`);
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

test("a reaction on exactly the message that was the question answers it; on another message, by text or taken back it does not", async () => {
  const world = new PhoneWorld("reactions");
  const cards = world.start();
  await world.ask(cards, questionOf("t1", { effects: deletes }));
  assert.equal(world.last().view.buttons, undefined);
  const word = world.disk[0]?.word ?? "";
  const yes = world.tap(world.last(), "once");
  assert.match(await cards.tapped({ ...yes, message: "another" }), /nothing was answered/);
  assert.match(await cards.tapped({ ...yes, sender: stranger }), /nothing was answered/);
  for (const text of ["👍", "yes", "Once"]) assert.equal(await cards.said(world.words(text)), false);
  await cards.tapped(yes);
  assert.match(await cards.tapped(world.tap(world.last(), "none")), /Taken back/);
  const typed = world.words(word);
  await cards.said(typed);
  assert.match(world.replyTo(typed) ?? "", /Now react to the question with 👍/);
  assert.deepEqual(world.desk.counted, []);
  await cards.tapped(world.tap(world.last(), "once"));
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
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

test("a restart between question and tap: the card is sent once, its buttons still count, and no handle stands on the disk", async () => {
  const world = new PhoneWorld();
  const first = world.start();
  await world.ask(first, questionOf("t1"));
  const second = world.start();
  assert.equal(await second.knows(questionOf("t1")), true);
  await second.asked(questionOf("t1"));
  await world.deliver(second);
  assert.equal(world.outbox.size, 1);
  const handle = world.last().view.buttons?.[0]?.[0]?.handle?.slice(1) ?? "";
  assert.equal(handle.length, 22);
  assert.ok(!JSON.stringify([world.disk, [...world.outbox]]).includes(handle));
  await second.tapped(world.tap(world.last(), "once"));
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
});

test("what was decided or has ended when the process was killed is carried out and told at the next start, whatever comes again", async () => {
  const world = new PhoneWorld();
  const first = world.start();
  await world.ask(first, questionOf("t1"));
  await world.ask(first, questionOf("t2"));
  world.onStep = (name) => {
    if (name === "before the answer") throw new Killed(name);
  };
  const [card] = world.phone.values();
  assert.ok(card);
  await assert.rejects(first.tapped(world.tap(card, "once")), Killed);
  assert.deepEqual(world.desk.counted, []);
  world.onStep = () => {};
  world.desk.end("t2", "gone");
  const second = world.start();
  await second.over("none");
  await world.deliver(second);
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
  assert.deepEqual(
    [...world.phone.values()].map(({ view }) => view.buttons?.[0]?.[0]?.text.replace(/ · .*/, "")),
    ["✓ Yes, once", "Ended without an answer"],
  );
});

test("in a chat with two linked persons only the one that was asked answers", async () => {
  const world = new PhoneWorld();
  const cards = world.start({ isOwner: () => true });
  await world.ask(cards, questionOf("t1", { effects: deletes }));
  const yes = world.tap(world.last(), "once");
  assert.match(
    await cards.tapped({ ...yes, sender: stranger }),
    /for somebody else, so nothing was answered/,
  );
  await cards.tapped(yes);
  const word = world.words(world.disk[0]?.word ?? "", { sender: stranger });
  assert.equal(await cards.said(word), false);
  assert.deepEqual(world.desk.counted, []);
});

test("a place that was unlinked answers nothing any more", async () => {
  const world = new PhoneWorld();
  const cards = world.start();
  await world.ask(cards, questionOf("t1", { effects: deletes }));
  world.isLinked = false;
  assert.match(await cards.tapped(world.tap(world.last(), "no")), /nothing was answered/);
  assert.equal(await cards.said(world.words(world.disk[0]?.word ?? "")), false);
  assert.deepEqual(world.desk.counted, []);
});

test("what a button holds is at most 64 bytes, and nothing else reads as it; a reaction in any colour of skin is the same", () => {
  const data = buttonData("once", "A".repeat(22));
  assert.ok(Buffer.byteLength(data) <= 64);
  assert.equal(readButton(hashButtonData(data))?.answer, "once");
  assert.ok(!hashButtonData(data).includes("AAA"));
  const others = ["", "o", `x${"A".repeat(22)}`, `o${"A".repeat(23)}`, `o${"A".repeat(21)}/`];
  for (const other of [...others, `o${"A".repeat(22)}\n`]) assert.equal(hashButtonData(other), "");
  assert.deepEqual(["👍", "👍🏿", "👎🏻", "❤️", ""].map(readReaction), [
    "once",
    "once",
    "no",
    "details",
    "none",
  ]);
});
