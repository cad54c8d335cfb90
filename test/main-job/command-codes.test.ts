import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { OwnerCommand } from "../../src/perceive/commands.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

test("the code of a command's reply says whether it was done", async (t) => {
  const world = await makeWorld(t, []);
  const file = join(world.home, "memex", "a.org");
  mkdirSync(join(world.home, "memex"));
  writeFileSync(file, "* Rose\nwhite\n");
  world.provider.add(calls(["write-file", { path: file, content: "* Rose\nred\n" }]), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const codeOf = async (command: OwnerCommand): Promise<string> => {
    const said = await daemon.runCommand(command, talk.session);
    return said.kind === "said" ? said.code : said.kind;
  };
  assert.equal(await codeOf({ kind: "undo" }), "nothing-to-undo");
  assert.equal(await codeOf({ kind: "focus", id: null }), "no-focus");
  assert.equal(await codeOf({ kind: "focus", id: "nobody" }), "not-done");
  assert.equal(await codeOf({ kind: "focus", id: "a.org::Rose" }), "in-focus");
  assert.equal(await codeOf({ kind: "focus", id: null }), "in-focus");
  assert.equal(await codeOf({ kind: "trust", id: "nobody" }), "not-done");
  assert.equal(await codeOf({ kind: "trust", id: "a.org::Rose" }), "trusted");
  assert.equal(await codeOf({ kind: "forget", id: "nobody" }), "not-done");
  assert.equal(await codeOf({ kind: "rollback", id: "99" }), "not-done");
  const asked = await talk.say("make it red");
  if (asked.end !== "answered") await talk.say(`/approve ${talk.token()}`);
  assert.equal(await codeOf({ kind: "undo" }), "undone");
  assert.equal(await codeOf({ kind: "status" }), "status");
});

test("a command of another agent does what it means here, says what does it, or is the owner's own", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(join(world.configuration, "commands.org"), "* security-review\nLook at $ARGUMENTS.\n");
  world.provider.add({ text: "Looked." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/spend")).text, /No model was asked in 30 days/);
  assert.match((await talk.say("/permissions")).text, /rule/i);
  assert.match((await talk.say("/new")).text, /\S/);
  assert.match((await talk.say("/init")).text, /^There is no command \/init\. A folder needs no preparation/);
  assert.equal((await talk.say("/security-review the plan")).text, "Looked.");
  assert.match((await talk.say("/rulse")).text, /Did you mean \/rules\?/);
});
