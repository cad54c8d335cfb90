import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { joinedCode } from "../../src/signal/turn.ts";
import type { JsonObject } from "../../src/text/json.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { calls, makeWorld } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { isAcceptance, listenTo, textOf } from "./wire-client.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";

/** Says words in the session `one` of a client. */
function sender({ send }: Pick<ReturnType<typeof listenTo>["client"], "send">) {
  return (text: string, more: JsonObject): void => {
    const payload = { sensor: "user-input", text, ...more };
    assert.ok(send({ type: "event", id: text, meta: { "session-id": "one" }, payload }).ok);
  };
}

test("a client sends words that were held back, and takes words for public, by requests of the wire", async (t) => {
  const world = await makeWorld(t, [{ text: "Hotovo." }, { text: "Again." }]);
  mkdirSync(join(world.home, "memex"));
  const note = join(world.home, "memex", "health.org");
  writeFileSync(note, `* Health :@personal:\n${passage}\n`);
  const daemon = await serveDaemon(world);
  const { say, request, message } = listenTo(t, world, daemon, { source: "emacs" });
  assert.equal(payloadOf(await request("send", {}, "one"))["code"], "not-done");
  assert.equal(payloadOf(await say("one", `Translate: ${passage}`))["code"], "private-words");
  assert.equal(payloadOf(await request("send", {}, "two"))["code"], "not-done");
  assert.equal(world.provider.requests.length, 0);
  void request("send", {}, "one");
  await message((said) => textOf(said) === "Hotovo.");
  assert.match(world.provider.requests[0]?.body ?? "", /lump in my left lung/);
  assert.match(textOf(await request("public", { what: passage })), /still stand in a note/);
  rmSync(note);
  assert.equal(payloadOf(await request("public", { what: passage }))["code"], "public");
  assert.equal(textOf(await say("three", `Translate: ${passage}`)), "Again.");
});

test("words that steer are held back where the owner tags them as private, and the turn goes on without them", async (t) => {
  let goOn = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const world = await makeWorld(t, [{ ...calls(["list-files", { path: "." }]), after }, { text: "Listed." }]);
  const daemon = await serveDaemon(world);
  const { client, message } = listenTo(t, world, daemon);
  const send = sender(client);
  send("list the files", {});
  await world.provider.reached(1);
  send("my code is wombats :@personal:", { steer: true });
  await message((said) => isAcceptance(said, "my code is wombats :@personal:"));
  goOn();
  await message((said) => textOf(said) === "Listed.");
  await message((said) => textOf(said).startsWith("Nothing was sent. Your words are tagged as private"));
  assert.equal(world.provider.requests.length, 2);
  for (const { body } of world.provider.requests) assert.doesNotMatch(body, /wombats/);
});

test("words that steer are held back by the models of the turn that they would join, whatever order counts meanwhile", async (t) => {
  const local = await startLoopbackProvider([{ text: "Local.", repeat: true }]);
  t.after(() => local.close());
  let goOn = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const world = await makeWorld(
    t,
    [{ ...calls(["list-files", { path: "." }]), after }, { text: "Listed." }],
    {
      PROVIDER_CASCADE: undefined,
      OLLAMA_BASE_URL: `${local.url}/v1`,
      OLLAMA_MODEL: "m",
      OLLAMA_LOCAL: "true",
    },
  );
  mkdirSync(world.configuration, { recursive: true });
  const order = (names: string) =>
    writeFileSync(join(world.configuration, ".env"), `PROVIDER_CASCADE=${names}\n`);
  order("loop,ollama");
  const daemon = await serveDaemon(world);
  const { client, message } = listenTo(t, world, daemon);
  const send = sender(client);
  send("list the files", {});
  await world.provider.reached(1);
  order("ollama,loop");
  send("my code is wombats :@personal:", { steer: true });
  await message((said) => isAcceptance(said, "my code is wombats :@personal:"));
  goOn();
  await message((said) => textOf(said) === "Listed.");
  const own = await message((said) => textOf(said) === "Local." || JSON.stringify(said).includes(joinedCode));
  assert.equal(textOf(own), "Local.");
  assert.equal(world.provider.requests.length, 2);
  for (const { body } of world.provider.requests) assert.doesNotMatch(body, /wombats/);
});

test("what came with words that were held back stays held back, whoever asks next, until /send says all of it", async (t) => {
  const world = await makeWorld(t, [{ text: "Sorted.", repeat: true }]);
  const pulse = join(world.home, "pulse.txt");
  writeFileSync(pulse, "my weight was 71 in the morning\n");
  const note = join(world.home, "memex", "health.org");
  mkdirSync(join(world.home, "memex"));
  writeFileSync(note, `* Health :@personal:\n${passage}\n`);
  const ask = (session: string, words: string, more: readonly string[] = [], input = "") =>
    world.command(["ask", "--session", session, words, ...more], { input });
  const input = "my pulse was 188 in the night\n";
  for (const [session, words] of [
    ["tagged", "what does my diary say :@personal:"],
    ["known", `what is meant by: ${passage}`],
  ] as const) {
    const before = world.provider.requests.length;
    assert.match((await ask(session, words, ["--attach", pulse], input)).err, /Nothing was sent/);
    assert.equal(world.provider.requests.length, before);
    assert.equal((await ask(session, "how do I sort a list?")).code, 0);
    assert.doesNotMatch(world.provider.requests.at(-1)?.body ?? "", /pulse was 188|weight was 71/);
    assert.match((await ask(session, words, ["--attach", pulse], input)).err, /Nothing was sent/);
    assert.equal((await ask(session, "/send")).code, 0);
    assert.match(world.provider.requests.at(-1)?.body ?? "", /weight was 71[\s\S]*pulse was 188/);
  }
});

test("what comes by a pipe is the words' own: a tag as people write it in a line holds all of it back", async (t) => {
  const world = await makeWorld(t, [{ text: "Fine.", repeat: true }]);
  const held = await world.command(["ask", "remember this line"], {
    input: "my code is 4712 :@personal:\n",
  });
  assert.match(held.err, /Nothing was sent/);
  assert.equal(world.provider.requests.length, 0);
  await world.command(["ask", "why is that private?"], { input: "class A { #private = 1; }\n" });
  assert.match(world.provider.requests[0]?.body ?? "", /#private = 1/);
});
