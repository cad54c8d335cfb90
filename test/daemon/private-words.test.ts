import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { listenTo, textOf } from "./wire-client.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";

test("a client sends words that were held back, and takes words for public, by requests of the wire", async (t) => {
  const world = await makeWorld(t, [{ text: "Hotovo." }, { text: "Again." }]);
  mkdirSync(join(world.home, "memex"));
  const note = join(world.home, "memex", "health.org");
  writeFileSync(note, `* Health :@personal:\n${passage}\n`);
  const daemon = await startDaemon(t, world);
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
