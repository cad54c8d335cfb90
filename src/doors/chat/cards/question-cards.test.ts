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

test("a reaction on exactly the message that was the question answers it; on another message, by text or taken back it does not", async () => {
  const world = new PhoneWorld("reactions");
  const cards = world.start();
  await world.ask(cards, questionOf("t1", { effects: deletes }));
  assert.equal(world.last().view.buttons, undefined);
  const word = world.disk[0]?.word ?? "";
  const yes = world.tap(world.last(), "once");
  assert.match(await cards.tapped({ ...yes, message: "another" }), /may have come twice: react to the last/);
  assert.equal(await cards.tapped({ ...yes, sender: stranger }), "");
  for (const text of ["👍", "yes", "Once"]) assert.equal(await cards.said(world.words(text)), false);
  assert.equal(await cards.tapped(world.tap(world.last(), "none")), "", "no yes is there to be taken back");
  await cards.tapped(yes);
  const sealed = { ...world.tap(world.last(), "none"), message: "another" };
  assert.doesNotMatch(await cards.tapped(sealed), /Taken back/);
  assert.match(await cards.tapped(world.tap(world.last(), "none")), /Taken back/);
  const typed = world.words(word);
  await cards.said(typed);
  assert.match(world.replyTo(typed) ?? "", /Now react to the question with 👍/);
  assert.deepEqual(world.desk.counted, []);
  await cards.tapped(world.tap(world.last(), "once"));
  assert.deepEqual(world.desk.counted, ["t1 yes"]);
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
