import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { sedRule } from "../../src/act/shell/programs/sed.ts";
import { parser } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, explanation, journalOf, makeWorld, named, onDatabase, sent, talkTo } from "../agent-world.ts";

test("an answer with two thousand calls is refused as a whole, and none of them is looked at", async (context) => {
  const many = Array.from({ length: 2000 }, (_, index) => ({
    id: `call-${index}`,
    name: "read-file",
    arguments: { path: "a", explanation },
  }));
  const world = await makeWorld(context, [{ calls: many }, { text: "done" }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("flood");
  assert.equal(said.text, "done");
  assert.equal(named(said.events, "proposed").length, 0);
  assert.match(sent(world, 1), /at most 64 are accepted at once/);
  assert.ok(journalOf(world).length < 20);
});

test("64 calls of one answer are taken", async (context) => {
  const world = await makeWorld(context, [
    calls(...Array.from({ length: 64 }, (_, at) => ["list-files", { path: ".", depth: at + 1 }] as const)),
    { text: "done" },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("many");
  assert.equal(named(said.events, "outcome").length, 64);
});

test("a script for sed that does not read to its end is refused in time", () => {
  const file = fileURLToPath(new URL("../../src/act/shell/programs/sed.ts", import.meta.url));
  for (const piece of ["[^a]", "[]a]", "[^]a]", "[^^]"]) {
    const code = `const { sedRule } = await import(${JSON.stringify(file)});
      process.exitCode = sedRule(["-n", "/" + ${JSON.stringify(piece)}.repeat(2000)], "sed").harmless ? 1 : 0;`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { timeout: 10_000 });
    assert.equal(status, 0, `${piece}: still reading after ten seconds, or vouched for`);
  }
});

test("brackets in a script for sed are read as sed reads them", () => {
  for (const script of ["/[^]]/p", "/[]x]/p", "/[[:alpha:]]/p", "/[^a/]/d", "/[a]]/p", "s/[^,]*,//g"]) {
    assert.equal(sedRule(["-n", script, "f"], "sed").harmless, true, script);
  }
  for (const script of ["/[]/p", "/[^]/p", "/[a/w f", "s/a/b/w f", "/[^]]/w f"]) {
    assert.equal(sedRule(["-n", script, "f"], "sed").harmless, false, script);
  }
});

test("a command that a parser would work at for seconds is not parsed at all", async () => {
  const read = await parser.parse("a=(".repeat(3000), "/home/u");
  assert.deepEqual(read, { kind: "opaque", reason: "it has too many lists of values" });
  assert.equal((await parser.parse(`grep "=(" a`, "/home/u")).kind, "plain");
});

test("deep nesting and a megabyte of one word come to an end", async (context) => {
  const steps = [
    { text: `{"type":"request","payload":${"[".repeat(200_000)}` },
    { text: `(TYPE :REQUEST PAYLOAD ${"(".repeat(200_000)}` },
    { text: "word".repeat(250_000) },
  ];
  const world = await makeWorld(context, steps, { LOOP_TOOLS: "false" });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("flood");
  assert.equal(said.end, "answered");
  assert.equal(said.text.length, 1_000_000);
});

test("an answer without end is cut off before it fills the memory", async (context) => {
  const endless = { text: Array.from({ length: 400 }, () => "word ".repeat(13_000)), repeat: true };
  const world = await makeWorld(context, [endless]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("flood");
  assert.equal(said.end, "failed");
  assert.ok(world.provider.requests.length <= 2);
  const [kept] = onDatabase(world, "SELECT sum(length(body)) AS size FROM messages");
  assert.ok(Number(kept?.["size"]) < 1_000_000);
});
