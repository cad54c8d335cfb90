import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("the tools for code are declared where code is spoken of and in no greeting, and an edit that would not parse goes back with its line and column", async (t) => {
  const world = await makeWorld(t, [
    { text: "Hello." },
    calls(["edit-code", { path: "a.ts", name: "open", new: "function open( {}" }]),
    calls(["edit-code", { path: "a.ts", name: "open", new: "function open() {}" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("a.ts"), "// One.\nlet a = 1;\n\nfunction open() {\n  return a;\n}\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("hi");
  assert.doesNotMatch(sent(world, 0), /edit-code|read-code|"repl"|"tangle"/);
  assert.equal((await talk.say("empty the function open in a.ts")).end, "answered");
  assert.match(sent(world, 1), /"name": ?"edit-code"/);
  assert.match(sent(world, 2), /it is no TypeScript at line \d+, column \d+/);
  assert.equal(readFileSync(world.path("a.ts"), "utf8"), "// One.\nlet a = 1;\n\nfunction open() {}\n");
  assert.equal((await talk.say("/undo")).end, "said");
  assert.match(readFileSync(world.path("a.ts"), "utf8"), /return a;/);
});

test("an expression of the session of code sees what the one before it left, in later turns too", async (t) => {
  const world = await makeWorld(t, [
    calls(["repl", { code: "var kept = 6 * 7; kept" }]),
    { text: "Kept." },
    calls(["repl", { code: "kept + 1" }]),
    { text: "Counted." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("compute with repl");
  const { events } = await talk.say("go on with the repl");
  assert.match(JSON.stringify(named(events, "outcome")[0]?.content), /\b43\b/);
});

test("a value of a private note never reaches a model that is not local by a later expression of the session that names nothing of it", async (t) => {
  const secret = "the spare key hangs behind the fuchsia pot";
  const world = await makeWorld(t, [
    calls(["repl", { load: "diary.org", as: "page" }]),
    calls([
      "repl",
      {
        code: "var half = page.slice(page.indexOf('spare')); var codes = [...half].map((c) => c.charCodeAt(0)); 1",
      },
    ]),
    { text: "Kept." },
    calls(["repl", { code: "codes.join('-')" }]),
    calls(["repl", { code: "[...half].reverse().join('')" }]),
    calls(["repl", { inspect: "half" }]),
    { text: "Over." },
  ]);
  writeFileSync(world.path("diary.org"), `* Diary :@personal:\n${secret}\n`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("compute with repl over diary.org");
  const { events } = await talk.say("go on with the repl");
  assert.ok(named(events, "outcome").length >= 3);
  const all = Array.from({ length: 7 }, (_, index) => sent(world, index)).join("\n");
  for (const form of ["fuchsia", "aishcuf", "102-117-99-104"]) assert.ok(!all.includes(form), form);
  assert.match(sent(world, 6), /withheld: private/);
});
