import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, onDatabase } from "../agent-world.ts";
import { until } from "./chat-world.ts";
import { type FakeSignal, friends, mallory, olga, type SentMessage } from "./fake-signal.ts";
import { handled, makeSignalWorld } from "./signal-world.ts";

/** Milliseconds in which somebody has read a page, so that a yes counts. */
const reading = 800;

/** Waits for a message of the agent. */
async function message(fake: FakeSignal, text: RegExp, after = 0): Promise<SentMessage> {
  const find = () => fake.sent.find((one) => one.timestamp > after && text.test(one.text));
  await until(`a message like ${text}`, () => find() !== undefined);
  const found = find();
  assert.ok(found);
  return found;
}

/** Waits for a question, opens it by a reaction, and reads it. */
async function read(fake: FakeSignal, after = 0): Promise<SentMessage> {
  const sealed = await message(fake, /^A question waits for you\. React to this message with 👀/, after);
  assert.equal(sealed.to, olga.uuid);
  fake.react("👀", sealed.timestamp);
  const card = await message(fake, / asks: /, sealed.timestamp);
  await pause(reading);
  return card;
}

type SignalWorld = Awaited<ReturnType<typeof makeSignalWorld>>;

/** A file that the agent proposes to write, and is asked about since a shell obeys it. Gives its path. */
function fileToWrite({ world }: Pick<SignalWorld, "world">, folder: string): string {
  mkdirSync(join(world.home, "memex", folder), { recursive: true });
  const path = join(world.home, "memex", folder, ".envrc");
  world.provider.add(calls(["write-file", { path, content: "export A=1\n" }]), {
    text: `Done in ${folder}.`,
  });
  return path;
}

test("a question by Signal is answered by a reaction of the linked member on exactly its message, never by text or by anybody else", async (t) => {
  const signal = await makeSignalWorld(t);
  const { fake, world, link, open } = signal;
  link(friends.groupId, "group");
  await using opened = await open();
  const path = fileToWrite(signal, "one");
  fake.say("write the environment of my notes");
  const card = await read(fake);
  assert.ok(card.text.includes("│ + export A=1"), card.text);
  assert.match(card.text, /👍 yes, this one time · 👎 no · 👀 details/);

  fake.react("👍", card.timestamp, { from: mallory });
  fake.react("👍", card.timestamp, { from: mallory, group: friends });
  fake.react("👍", card.timestamp, { group: friends });
  fake.react("👍", card.timestamp, { author: olga.number });
  fake.react("👍", card.timestamp + 1);
  fake.react("👍", card.timestamp, { isRemove: true });
  await handled(fake, world);
  assert.ok(!existsSync(path));
  world.provider.add({ text: "That is no answer." }, { text: "Nor is that." });
  fake.say("👍");
  fake.say("yes");
  await handled(fake, world);
  assert.ok(!existsSync(path), "a text is no answer");
  const open_ = onDatabase(world, "SELECT 1 FROM approvals WHERE state = 'open'");
  assert.ok(open_.length > 0, "it still waits");

  fake.react("👍🏽", card.timestamp);
  await until("it is written", () => existsSync(path));
  const outcome = await message(fake, /✓ Yes, once · \d\d:\d\d$/);
  assert.equal(outcome.editOf, card.timestamp, "the card tells the outcome");
  await message(fake, /^Yes, this once\.$/);
  // Its answer waits like any other message.
  fake.troubles.push({ method: "send", how: { code: -5, message: "rate limiting" } });
  fake.react("👎", card.timestamp);
  await message(fake, /answered before, with yes/);

  const before = fake.sent.at(-1)?.timestamp ?? 0;
  const second = fileToWrite(signal, "two");
  fake.say("write the second");
  const about = await read(fake, before);
  fake.react("👎", about.timestamp);
  await message(fake, /^No\. It is not done\.$/, before);
  await message(fake, /✗ No · /, before);
  await until("the answer", () => fake.said().includes("Done in two."));
  assert.ok(!existsSync(second));
  assert.deepEqual(opened.warned, []);
});

test("a deletion by Signal also wants the typed word, and a reaction before a restart still counts", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, [
    calls(["shell", { cmd: "rm old.org" }]),
    { text: "That is done." },
  ]);
  writeFileSync(world.path("old.org"), "* Old\n");
  const settings = { DEFAULT_ACTUATOR: "signal" };
  const asked = { timestamp: 0, word: "" };
  {
    await using opened = await open(settings);
    const at = { name: null, latest: false, source: "cli", workspace: world.workspace } as const;
    const session = await opened.agent.openSession(at);
    await opened.agent.say({ session, text: "please delete old.org", source: "cli" });
    const card = await read(fake);
    asked.timestamp = card.timestamp;
    asked.word = / write this word here: (\w+)$/m.exec(card.text)?.[1] ?? "";
    fake.react("👍", card.timestamp);
    await message(fake, /^Now write here the word that stands on the question\.$/);
    const sealed = await message(fake, /^A question waits for you/);
    fake.react("👀", sealed.timestamp, { isRemove: true });
    fake.react("👍", card.timestamp + 1);
    await message(fake, /may have come twice: react to the last one/);
    await handled(fake, world);
    assert.ok(!fake.said().some((text) => /Taken back/.test(text)), "another reaction is not the yes");
    assert.ok(existsSync(world.path("old.org")), "a reaction alone is no yes");
  }
  await using _ = await open(settings);
  fake.say(asked.word);
  await until("the file is gone", () => !existsSync(world.path("old.org")));
  const outcome = await message(fake, /✓ Yes, once/);
  assert.equal(outcome.editOf, asked.timestamp);
});
