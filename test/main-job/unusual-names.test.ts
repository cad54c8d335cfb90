import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { calls, isMissing, makeWorld, talkTo } from "../agent-world.ts";

/**
 * Names that a disk may hold and no action may name: no UTF-8, line ends, a tab, a turned direction. Beside
 * them a plain one.
 */
const names = [
  Buffer.from("caf\xe9.txt", "latin1"),
  Buffer.from("new\nline.txt"),
  Buffer.from("Icon\r.txt"),
  Buffer.from("a\tb.txt"),
  Buffer.from("a\u202eb.txt"),
  Buffer.from("plain.txt"),
];

/** A command that asks first, and deletes, replaces and moves all that is in three folders. */
const cmd = `sh -c 'for f in gone/*; do rm "$f"; done; for f in changed/*; do tac "$f" > new; mv new "$f"; done; mkdir out; mv moved/* out/'`;

/** A world in which the command was approved and ran; null without bubblewrap. */
async function worldAfter(t: TestContext) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "true" });
  for (const folder of ["gone", "changed", "moved"]) {
    mkdirSync(world.path(folder));
    for (const name of names)
      writeFileSync(Buffer.concat([Buffer.from(world.path(`${folder}/`)), name]), "1\n2\n");
  }
  const listing = (): readonly string[] => {
    const all = ["-type", "f", "-exec", "md5sum", "-z", "{}", "+"];
    return execFileSync("find", all, { cwd: world.path("."), encoding: "latin1" })
      .split("\0")
      .toSorted();
  };
  const before = listing();
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("do it");
  await talk.say(`/approve ${talk.token()}`);
  return { daemon, talk, listing, before, after: listing() };
}

test("files whose names no action may name come back by /undo, /rewind and /rollback as a command left them, and /redo takes them again", async (t) => {
  const made = await worldAfter(t);
  if (made === null) return;
  await using _ = made.daemon;
  const { talk, listing, before, after } = made;
  assert.equal(after.filter((line) => before.includes(line)).length, 1, "nothing is as it was");
  for (const back of ["/undo", "/rewind 1 files", "/rollback"]) {
    const { text } = await talk.say(back);
    assert.deepEqual(listing(), before, text);
    assert.doesNotMatch(text, /Not undone|[\t\r\u202e\p{Cs}]/u);
    assert.match(text, /new\\u\{a\}line\.txt was replaced\./);
    await talk.say(back === "/rollback" ? "/undo" : "/redo");
    assert.deepEqual(listing(), after, `${back}, and again`);
  }
});
