import assert from "node:assert/strict";
import { test } from "node:test";
import { filesWith, onDatabase, sent } from "../agent-world.ts";
import { until } from "./chat-world.ts";
import { agentNumber, mallory, olga } from "./fake-signal.ts";
import { handled, makeSignalWorld } from "./signal-world.ts";

const longText = { contentType: "text/x-signal-plain", filename: null, id: "long", size: 9000 };

test("of what strangers say by Signal no word is kept, and what nobody can read is kept without what stands in it", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, [{ text: "Yes.", repeat: true }]);
  await using opened = await open();
  const secret = "the-heron-nests-at-the-old-sluice";
  const name = "M".repeat(5000);
  fake.say(`${secret} `.repeat(100_000), { from: { ...mallory, name }, attachments: [longText] });
  fake.react(secret.repeat(1000), 17, { from: mallory });
  const timestamp = 1_700_000_000_500;
  fake.add(fake.envelope(mallory, { storyMessage: { textAttachment: { text: secret } } }));
  for (const from of [mallory, olga]) {
    fake.add(
      fake.envelope(from, { dataMessage: { timestamp, message: null, pinMessage: { note: secret } } }),
    );
    const dataMessage = { timestamp, message: `/approve ${secret}` };
    fake.add(fake.envelope(from, { editMessage: { targetSentTimestamp: 3, dataMessage } }));
  }
  await until("the change is answered", () => fake.said().length === 1);
  await handled(fake, world);
  assert.deepEqual(filesWith(world.home, secret), []);
  const kept = onDatabase(world, "SELECT body FROM chat_inbox WHERE body IS NOT NULL");
  assert.deepEqual(
    kept.map(({ body }) => JSON.parse(String(body)).what.match(/dataMessage \(.*pinMessage\)/) !== null),
    [true],
  );
  assert.deepEqual(opened.warned, []);
});

test("a message by Signal that is too long, or of which only the beginning came, does nothing and says so; a whole long one is taken once", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, [{ text: "Yes.", repeat: true }]);
  await using _ = await open();
  fake.say(`/stop ${"x".repeat(100_001)}`);
  fake.say("Delete all notes ", { attachments: [longText] });
  await until("both are answered", () => fake.said().length === 2);
  for (const said of fake.said())
    assert.match(said, /^Only the beginning of your message came, so I did nothing/);
  assert.equal(world.provider.requests.length, 0);
  fake.say(`What is this? ${"word ".repeat(1000)}END`, { attachments: [longText] });
  await until("it is answered", () => fake.said().length === 3);
  assert.equal(sent(world, 0).match(/END/g)?.length, 1);
  assert.doesNotMatch(sent(world, 0), /file1/);
});

test("somebody who is mentioned by Signal is told to the model by no number, and a sound that was not recorded for it is a file", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, [{ text: "Yes.", repeat: true }]);
  await using _ = await open();
  const mentions = [
    { name: "+4917000000003", number: "+4917000000003", uuid: mallory.uuid, start: 4, length: 1 },
  ];
  fake.files.set("mp3", new TextEncoder().encode("la la la"));
  const song = { contentType: "audio/mpeg", filename: "song.mp3", id: "mp3", size: 8, isVoiceNote: false };
  fake.say("ask \uFFFC about it", { mentions, attachments: [song] });
  await until("an answer", () => fake.said().length === 1);
  assert.match(sent(world, 0), /ask @somebody about it/);
  assert.doesNotMatch(sent(world, 0), /4917000000003|voice note/);
  assert.match(sent(world, 0), /song\.mp3/);
  assert.doesNotMatch(sent(world, 0), new RegExp(agentNumber.slice(1)));
});

test("two messages of one millisecond by Signal are both taken, and each once", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, [{ text: "Yes.", repeat: true }]);
  await using _ = await open();
  const timestamp = 1_700_000_000_900;
  for (const message of ["one", "two", "two"])
    fake.add(fake.envelope(olga, { dataMessage: { timestamp, message } }, timestamp));
  await until("both are answered", () => fake.said().length === 2);
  await handled(fake, world);
  assert.equal(world.provider.requests.length, 2);
});

test("a command by Signal that comes hours late changes nothing and says so", async (t) => {
  const { fake, world, open } = await makeSignalWorld(t, []);
  await using _ = await open();
  const timestamp = Date.now() - 3 * 3_600_000;
  for (const [index, message] of ["/undo", "/clear", "/status"].entries())
    fake.add(fake.envelope(olga, { dataMessage: { timestamp, message } }, timestamp + index));
  await until("all are answered", () => fake.said().length === 3);
  assert.match(fake.said()[0] ?? "", /^\/undo reached me only now, 3 h after you said it/);
  assert.match(fake.said()[1] ?? "", /^\/clear reached me only now/);
  assert.doesNotMatch(fake.said()[2] ?? "", /only now/);
  assert.equal(world.provider.requests.length, 0);
});
