import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
const other = "my sister and her lawyer have agreed to sell the house in Brno before the summer ends";
const message = `Please translate this: ${passage}. Thanks!`;

async function withNotes(t: TestContext): Promise<AgentWorld & { readonly note: string }> {
  const world = await makeWorld(t, []);
  mkdirSync(join(world.home, "memex"));
  const note = join(world.home, "memex", "health.org");
  writeFileSync(note, `* Health :@personal:\n${passage}\n* Family :@personal:\n${other}\n`);
  return { ...world, note };
}

function sentBodies({ provider }: AgentWorld): string {
  return provider.requests.map(({ body }) => body).join("\n");
}

test("the owner is asked once about their own private words, and nothing is sent before", async (t) => {
  const world = await withNotes(t);
  world.provider.add({ text: "Hotovo." }, { text: "Again." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const held = await talk.say(message);
  assert.equal(held.code, "private-words");
  assert.match(held.text, /Nothing was sent[\s\S]*loop is not local[\s\S]*lump in my left lung[\s\S]*\/send/);
  assert.match(
    held.text,
    /^Three ways on: \/send .*; say it in other words; .* local model with \/model\.$/m,
  );
  assert.match(held.text, /\/public WORDS/);
  assert.equal(world.provider.requests.length, 0);
  const { end, text } = await talk.say("/send");
  assert.equal(end, "answered");
  assert.equal(text, "Hotovo.");
  assert.equal(world.provider.requests.length, 1);
  assert.ok(sentBodies(world).includes(message));
  assert.match((await talk.say("/send")).text, /No message of this session is held back/);
  assert.equal(
    (await talk.say("And in German?")).end,
    "answered",
    "it was said once, and is not asked again",
  );
});

test("a pasted part of a note that nobody knows is asked about by its privacy tag", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }, { text: "Hello." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const pasted = `What do you think of this?\n> * Health :work:@personal:\n> ${passage}\n`;
  const held = await talk.say(pasted);
  assert.equal(held.code, "private-words");
  assert.equal(world.provider.requests.length, 0);
  assert.equal((await talk.say("Never mind.")).end, "answered");
  assert.doesNotMatch(sentBodies(world), /lump in my left lung/);
  assert.equal((await talk.say(pasted)).code, "private-words");
  assert.equal((await talk.say("/send")).end, "answered");
  assert.match(sentBodies(world), /lump in my left lung/);
});

test("a yes to some words sends nothing else that is private", async (t) => {
  const world = await withNotes(t);
  writeFileSync(world.path("a.txt"), `${passage}\n${other}\n`);
  world.provider.add(calls(["read-file", { path: "a.txt" }]), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say(message);
  assert.equal((await talk.say("/send")).end, "answered");
  assert.equal(world.provider.requests.length, 2);
  assert.doesNotMatch(sentBodies(world), /sell the house in Brno/);
  const last = world.provider.requests[1]?.body ?? "";
  assert.equal(last.split("lump in my left lung").length, 2, "the file's copy of the words is withheld");
});

test("a yes is for the message of its own session, and for the last one only", async (t) => {
  const world = await withNotes(t);
  world.provider.add({ text: "Hello." }, { text: "Hello." });
  await using daemon = await world.open();
  const one = await talkTo(daemon, "one");
  const two = await talkTo(daemon, "two");
  await one.say(message);
  assert.match((await two.say("/send")).text, /No message of this session is held back/);
  assert.equal((await one.say("Never mind. Good morning!")).end, "answered");
  assert.match((await one.say("/send")).text, /No message of this session is held back/);
  assert.doesNotMatch(sentBodies(world), /lump in my left lung/);
});

test("words that the owner calls public are sent, unless a private note still holds them", async (t) => {
  const world = await withNotes(t);
  world.provider.add({ text: "One." }, { text: "Two." });
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const still = await talk.say(`/public ${passage}`);
    assert.equal(still.code, "");
    assert.match(still.text, /still stand in a note that is marked as private/);
    assert.equal((await talk.say(message)).code, "private-words");
    rmSync(world.note);
    assert.match((await talk.say(`/public ${passage}`)).text, /may be sent to every provider/);
    assert.equal((await talk.say(message)).end, "answered");
    assert.equal((await talk.say(`And this: ${other}`)).code, "private-words");
  }
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say(message)).end, "answered", "also after a restart");
});

test("a note that the owner calls public is sent once its tag is gone", async (t) => {
  const world = await withNotes(t);
  world.provider.add({ text: "One." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/public health.org::Health")).text, /Take its tag away first/);
  writeFileSync(world.note, `* Health\n${passage}\n* Family :@personal:\n${other}\n`);
  assert.equal((await talk.say(message)).code, "private-words", "the tag alone frees no words");
  assert.match((await talk.say("/public health.org::Health")).text, /may be sent to every provider/);
  assert.equal((await talk.say(message)).end, "answered");
  assert.equal((await talk.say(`And this: ${other}`)).code, "private-words");
});
