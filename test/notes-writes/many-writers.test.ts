import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeWorld, talkTo } from "../agent-world.ts";

/** Notes of each agent; `npm run long` takes 20. */
const count = process.env["LONG"] === "all" ? 20 : 8;

/** How often each of these words ends a line of a text. */
function times(text: string, words: readonly string[]): readonly number[] {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    const word = line.replace(/^\* /, "");
    found.set(word, (found.get(word) ?? 0) + 1);
  }
  return words.map((word) => found.get(word) ?? 0);
}

test("two agents with states of their own lose no note that they said they took", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  await using one = await world.open();
  await using two = await world.open({ XDG_STATE_HOME: join(world.home, "other-state") });
  const talks = [await talkTo(one), await talkTo(two)];
  const taken: string[] = [];
  await Promise.all(
    talks.map(async (talk, who) => {
      for (let at = 0; at < count; at += 1) {
        const word = `note-${who}-${at}-end`;
        if ((await talk.say(`/note ${word}`)).end === "answered") taken.push(word);
      }
    }),
  );
  assert.equal(taken.length, 2 * count);
  const text = readFileSync(join(notes, "inbox.org"), "utf8");
  assert.deepEqual(
    times(text, taken),
    taken.map(() => 1),
  );
  assert.deepEqual(readdirSync(notes), ["inbox.org"]);
});

test("a note is taken beside a program that adds lines to the inbox all the time, and no line of either is lost", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const inbox = join(notes, "inbox.org");
  writeFileSync(inbox, "* Log\n");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const writing = { wanted: true, lines: 0 };
  const editor = (async () => {
    while (writing.wanted && writing.lines < 4000) {
      appendFileSync(inbox, `line-${writing.lines}-end\n`);
      writing.lines += 1;
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    }
  })();
  const words = Array.from({ length: count }, (_, at) => `note-${at}-end`);
  for (const word of words) assert.equal((await talk.say(`/note ${word}`)).end, "answered", word);
  writing.wanted = false;
  await editor;
  const text = readFileSync(inbox, "utf8");
  const all = words.concat(Array.from({ length: writing.lines }, (_, at) => `line-${at}-end`));
  assert.deepEqual(
    times(text, all),
    all.map(() => 1),
  );
});
