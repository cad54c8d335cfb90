import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  type AgentWorld,
  calls,
  isMissing,
  makeWorld,
  onDatabase,
  type Talk,
  talkTo,
} from "../agent-world.ts";
import { openInEmacs } from "./open-emacs.ts";

/** A conversation whose notes folder holds an inbox, and one note that was added to it. */
async function noted(t: TestContext, before: string | null) {
  const world = await makeWorld(t);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const inbox = join(notes, "inbox.org");
  if (before !== null) writeFileSync(inbox, before);
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("/note buy a hose")).end, "answered");
  return {
    world,
    talk,
    inbox,
    read: () => readFileSync(inbox, "utf8"),
    names: () => readdirSync(notes),
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

async function undoes(talk: Talk): Promise<string> {
  const { text } = await talk.say("/undo");
  assert.match(text, /^Undone\.\n/, text);
  return text;
}

const log = "* Log\none\ntwo\nthree\n";

for (const { name, change, left } of [
  { name: "a line at the end", change: (text: string) => `${text}mine\n`, left: `${log}mine\n` },
  {
    name: "a line without its end",
    change: (text: string) => `${text}* TODO mine`,
    left: `${log}* TODO mine`,
  },
  {
    name: "a line at the start",
    change: (text: string) => `#+TITLE: mine\n${text}`,
    left: `#+TITLE: mine\n${log}`,
  },
  {
    name: "a line right before the note",
    change: (text: string) => text.replace("three\n", "three\nfour\n"),
    left: `${log}four\n`,
  },
  {
    name: "the line right before the note, and one after",
    change: (text: string) => `${text.replace("three\n", "3\n")}* After\n`,
    left: "* Log\none\ntwo\n3\n* After\n",
  },
  {
    name: "everything else",
    change: (text: string) => text.replace(log, "ÄÖ gone\r\n"),
    left: "ÄÖ gone\r\n",
  },
]) {
  test(`/undo of a note leaves what a person changed since: ${name}`, async (t) => {
    await using begun = await noted(t, log);
    writeFileSync(begun.inbox, change(begun.read()));
    assert.match(await undoes(begun.talk), /What somebody else changed in it since stays/);
    assert.equal(begun.read(), left);
    assert.deepEqual(begun.names(), ["inbox.org"]);
  });
}

test("/undo of a note in a new inbox deletes the inbox, unless a person added to it", async (t) => {
  await using alone = await noted(t, null);
  await undoes(alone.talk);
  assert.equal(existsSync(alone.inbox), false);
  await using shared = await noted(t, null);
  appendFileSync(shared.inbox, "* TODO mine\n");
  await undoes(shared.talk);
  assert.equal(shared.read(), "* TODO mine\n");
});

for (const { name, change } of [
  { name: "its heading", change: (text: string) => text.replace("buy a hose", "buy two hoses") },
  { name: "its drawer", change: (text: string) => text.replace(":END:", ":WHERE: shop\n:END:") },
  { name: "all of the file", change: () => "* Mine alone\n" },
]) {
  test(`/undo of a note that a person changed is refused in words, and works once it is put back: ${name}`, async (t) => {
    await using begun = await noted(t, log);
    const before = begun.read();
    const changed = change(before);
    writeFileSync(begun.inbox, changed);
    const { text } = await begun.talk.say("/undo");
    assert.match(
      text,
      /^Undone in part\.\n1 object of memory restored\.\n.*inbox\.org was changed by somebody else since, in the same lines/,
    );
    assert.equal(begun.read(), changed);
    writeFileSync(begun.inbox, before);
    await undoes(begun.talk);
    assert.equal(begun.read(), log);
  });
}

test("/undo beside an Emacs that has the file open and saved it keeps what was typed there", async (t) => {
  if (isMissing(t, "emacs", "emacs-nox")) return;
  await using begun = await noted(t, log);
  await using emacs = await openInEmacs(begun.inbox, "* Typed in Emacs\n");
  assert.match((await begun.talk.say("/undo")).text, /has unsaved changes in an editor/);
  await emacs.save();
  await undoes(begun.talk);
  assert.equal(begun.read(), `${log}* Typed in Emacs\n`);
});

test("two notes with a person's lines between and after them are undone one after the other", async (t) => {
  await using begun = await noted(t, log);
  appendFileSync(begun.inbox, "between\n");
  await begun.talk.say("/note buy a spade");
  appendFileSync(begun.inbox, "after\n");
  await undoes(begun.talk);
  assert.match(begun.read(), /hose[\s\S]*between\nafter\n$/);
  await undoes(begun.talk);
  assert.equal(begun.read(), `${log}between\nafter\n`);
  assert.match((await begun.talk.say("/undo")).text, /nothing to undo/);
});

test("a rollback merges as /undo does, and /undo of it brings the notes back beside what a person wrote since", async (t) => {
  await using begun = await noted(t, log);
  const [snapshot] = onDatabase(begun.world, "SELECT min(id) AS id FROM snapshots");
  appendFileSync(begun.inbox, "between\n");
  await begun.talk.say("/note buy a spade");
  appendFileSync(begun.inbox, "after\n");
  const told = await begun.talk.say(`/rollback ${String(snapshot?.["id"])}`);
  assert.match(told.text, /^Rolled back/);
  assert.equal(begun.read(), `${log}between\nafter\n`);
  writeFileSync(begun.inbox, `#+TITLE: mine\n${begun.read()}`);
  await undoes(begun.talk);
  assert.match(
    begun.read(),
    /^#\+TITLE: mine\n\* Log\n[\s\S]*hose[\s\S]*between\n[\s\S]*spade[\s\S]*after\n$/,
  );
});

test("/undo that was cut off after it merged is finished by saying it again", async (t) => {
  await using begun = await noted(t, log);
  appendFileSync(begun.inbox, "mine\n");
  onDatabase(
    begun.world,
    "CREATE TRIGGER broken_disk BEFORE UPDATE ON changes WHEN NEW.path LIKE '%inbox.org' BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END",
  );
  const before = begun.read();
  assert.match((await begun.talk.say("/undo")).text, /inbox\.org stays as it is/);
  assert.equal(begun.read(), before);
  // What was deferred is committed within 50 ms, by a timer that is older than this one.
  await pause(60);
  onDatabase(begun.world, "DROP TRIGGER broken_disk");
  assert.match((await begun.talk.say("/undo")).text, /^Undone/);
  assert.equal(begun.read(), `${log}mine\n`);
  assert.match((await begun.talk.say("/undo")).text, /nothing to undo/);
});

test("without the contents that a turn left there is no merge: /undo says so and changes nothing", async (t) => {
  await using begun = await noted(t, log);
  const changed = `${begun.read()}mine\n`;
  writeFileSync(begun.inbox, changed);
  onDatabase(
    begun.world,
    "UPDATE blobs SET fate = 'evicted', bytes = NULL WHERE id IN (SELECT after FROM changes)",
  );
  assert.match(
    (await begun.talk.say("/undo")).text,
    /^Undone in part\.\n.*\n.*inbox\.org was changed by .* is no longer kept/,
  );
  assert.equal(begun.read(), changed);
});

const code = Array.from({ length: 9 }, (_, at) => `line ${at}\n`).join("");

/** A world in which one turn made two edits and a new file, and a person then changed other lines. */
async function edited(
  t: TestContext,
): Promise<{ readonly world: AgentWorld; readonly daemon: AsyncDisposable; readonly talk: Talk }> {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "a.ts", old: "line 1", new: "agent 1" }]),
    calls(["edit-file", { path: "a.ts", old: "line 7", new: "agent 7" }]),
    calls(["write-file", { path: "b.ts", content: "new\n" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("a.ts"), code);
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("edit both")).end, "answered");
  return { world, daemon, talk };
}

test("/undo of several edits keeps a person's line between them, and refuses only the file that overlaps", async (t) => {
  const { world, daemon, talk } = await edited(t);
  await using _daemon = daemon;
  const now = readFileSync(world.path("a.ts"), "utf8");
  writeFileSync(world.path("a.ts"), now.replace("line 4", "person 4"));
  writeFileSync(world.path("b.ts"), "new, and mine\n");
  assert.match((await talk.say("/undo")).text, /^Undone in part\./);
  assert.equal(readFileSync(world.path("a.ts"), "utf8"), code.replace("line 4", "person 4"));
  assert.equal(readFileSync(world.path("b.ts"), "utf8"), "new, and mine\n");
});

test("a binary file that somebody else changed is never merged", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "a.bin", old: "old", new: "new" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("a.bin"), "\0\nold\n\0\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("edit it")).end, "answered");
  appendFileSync(world.path("a.bin"), "mine\n");
  assert.match((await talk.say("/undo")).text, /^Not undone\./);
  assert.equal(readFileSync(world.path("a.bin"), "utf8"), "\0\nnew\n\0\nmine\n");
});
