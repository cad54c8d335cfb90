import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, named, onDatabase, talkTo } from "../agent-world.ts";

const megabyte = 1_000_000;
const diary = "dear diary, this stands nowhere else\n";
/**
 * Edits of the log: five times 16 MB are more than undo keeps for a session, twenty are more than it keeps at
 * all. `npm run long` makes twenty.
 */
const edits = process.env["LONG"] === "all" ? 20 : 5;
const words = (count: number) => Array.from({ length: count }, (_, index) => `word-${index}`);

/** A text that does not compress: lines of random hexadecimal digits. */
function randomText(bytes: number): string {
  return (
    randomBytes(bytes / 2)
      .toString("hex")
      .match(/.{1,99}/g) ?? []
  ).join("\n");
}

test("small edits of a log of 16 MB leave the only copy of an overwritten diary for undo", async (context) => {
  const world = await makeWorld(context, [
    calls(["write-file", { path: "diary.txt", content: "gone\n" }]),
    { text: "done" },
    ...words(edits).map((word) => calls(["edit-file", { path: "log.txt", old: word, new: `${word}!` }])),
    { text: "done" },
  ]);
  writeFileSync(world.path("diary.txt"), diary);
  const piece = randomText(750_000);
  writeFileSync(
    world.path("log.txt"),
    words(20)
      .map((word) => `${word};\n${piece}\n`)
      .join(""),
  );
  await using daemon = await world.open();
  const first = await talkTo(daemon);
  assert.equal((await first.say("tidy the diary")).end, "answered");
  const second = await talkTo(daemon);
  const edited = await second.say("mark the words");
  assert.equal(edited.end, "answered");
  assert.deepEqual(named(second.events, "approval-required"), [], "an honest day of edits asks nothing");
  const [stored] = onDatabase(world, "SELECT sum(size) AS bytes FROM blobs WHERE bytes IS NOT NULL");
  assert.ok(Number(stored?.["bytes"]) < 17 * megabyte, JSON.stringify(stored));
  assert.match((await first.say("/undo")).text, /^Undone\./);
  assert.equal(readFileSync(world.path("diary.txt"), "utf8"), diary);
  assert.match((await second.say("/undo")).text, /^Undone\./);
  assert.match(readFileSync(world.path("log.txt"), "utf8"), /word-0;\n/);
});

test("overwriting many large files asks before it would drop what undo needs, and other sessions lose nothing", async (context) => {
  const names = words(5).map((word) => `${word}.txt`);
  const world = await makeWorld(context, [
    calls(["write-file", { path: "diary.txt", content: "gone\n" }]),
    { text: "done" },
    ...names.map((path) => calls(["write-file", { path, content: "x" }])),
    { text: "done" },
  ]);
  writeFileSync(world.path("diary.txt"), diary);
  for (const name of names) writeFileSync(world.path(name), randomText(15 * megabyte));
  await using daemon = await world.open();
  const first = await talkTo(daemon);
  await first.say("tidy the diary");
  const second = await talkTo(daemon);
  const asked = await second.say(`overwrite ${names.join(", ")}`);
  assert.equal(asked.end, "approval-required");
  assert.match(asked.text, /no more room for what undo needs.*word-0\.txt/);
  assert.equal(readFileSync(world.path("word-4.txt")).length > megabyte, true);
  const approved = await daemon.runCommand({ kind: "approve", token: second.token() }, second.session);
  if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
  assert.equal(readFileSync(world.path("word-4.txt"), "utf8"), "x", JSON.stringify(approved));
  assert.match((await first.say("/undo")).text, /^Undone\./);
  assert.equal(readFileSync(world.path("diary.txt"), "utf8"), diary);
});
