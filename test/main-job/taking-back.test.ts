import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type TestContext, test } from "node:test";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { type AgentWorld, calls, journalOf, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

/** What a file of the workspace holds; null where there is none. */
function held(world: AgentWorld, name: string): string | null {
  return existsSync(world.path(name)) ? readFileSync(world.path(name), "utf8") : null;
}

const write = (path: string, content: string) => calls(["write-file", { path, content }]);

/** The numbers of all snapshots, oldest first. */
function snapshots(world: AgentWorld): readonly string[] {
  return onDatabase(world, "SELECT id FROM snapshots ORDER BY id").map(({ id }) => String(id));
}

/** A world in which one turn wrote b.txt and then, in a second step, c.txt; with the snapshots before each step and before the answer. */
async function twoSteps(t: TestContext) {
  const world = await makeWorld(t, [write("b.txt", "1"), write("c.txt", "2"), { text: "Done." }]);
  const daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write both");
  const close = () => daemon[Symbol.asyncDispose]();
  return { world, talk, daemon, taken: snapshots(world), [Symbol.asyncDispose]: close };
}

test("a rollback to a snapshot from within a turn takes back only what the turn changed after it", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk, taken } = begun;
  await talk.say(`/rollback ${taken[1]}`);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", null]);
});

test("a rollback's files come back by /undo, and the turns are undoable again", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk, taken } = begun;
  await talk.say(`/rollback ${taken[0]}`);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], [null, null]);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], [null, null]);
  assert.match((await talk.say("/undo")).text, /nothing to undo/);
});

test("a rollback's files come back by rolling back to the snapshot that it names, and go again by /undo", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk, taken } = begun;
  const said = await talk.say(`/rollback ${taken[0]}`);
  const again = /is snapshot (\d+)/.exec(said.text)?.[1] ?? "";
  await talk.say(`/rollback ${again}`);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
  await talk.say("/undo");
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], [null, null]);
  await talk.say("/undo");
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
});

test("/rollback without a number goes back to before the session's last change", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk } = begun;
  world.provider.add(write("b.txt", "other"), { text: "Done." });
  await talk.say("write another");
  await talk.say("/rollback");
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
  await talk.say("/rollback");
  assert.equal(held(world, "b.txt"), "other");
});

test("a rollback takes back what every session changed since, memory too, and says what of which session", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk, daemon, taken } = begun;
  const other = await talkTo(daemon, "theirs");
  world.provider.add(write("b.txt", "theirs"), calls(["remember", { text: "The cat is called Mimi" }]), {
    text: "Done.",
  });
  await other.say("write and remember");
  const { text } = await talk.say(`/rollback ${taken[1]}`);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", null]);
  assert.match(text, new RegExp(`Session ${talk.session.slice(0, 8)}: .*c\\.txt`));
  assert.match(text, /Session theirs: .*b\.txt/);
  assert.match(text, /Session theirs: 1 change of memory/);
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-/);
  await talk.say("/undo");
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["theirs", "2"]);
  assert.match((await talk.say("/search Mimi")).text, /called Mimi/);
});

test("a rollback stops at what a person wrote in between", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk, taken } = begun;
  writeFileSync(world.path("b.txt"), "mine");
  world.provider.add(write("b.txt", "agent's"), { text: "Done." });
  await talk.say("write it once more");
  const { text } = await talk.say(`/rollback ${taken[0]}`);
  assert.equal(held(world, "b.txt"), "mine");
  assert.match(text, /b\.txt was also changed by somebody else before that/);
});

test("/undo of a file that a person changed is not done, and works once they put it back", async (t) => {
  const world = await makeWorld(t, [write("a.txt", "A"), { text: "Done." }]);
  writeFileSync(world.path("a.txt"), "before");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  writeFileSync(world.path("a.txt"), "mine");
  assert.match((await talk.say("/undo")).text, /^Not undone\.\n.*a\.txt was changed by somebody else/);
  assert.equal(held(world, "a.txt"), "mine");
  writeFileSync(world.path("a.txt"), "A");
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.equal(held(world, "a.txt"), "before");
});

test("/undo of a new file takes the folders with it that were made for it and hold nothing else, each time", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ...["kept/a.txt", "new/deep/b.txt", "busy/deep/c.txt"].map(
        (path) => ["write-file", { path, content: "words\n" }] as const,
      ),
    ),
    { text: "Done." },
  ]);
  mkdirSync(world.path("kept"));
  await pause(100);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write them");
  writeFileSync(world.path("busy/own.txt"), "mine\n");
  const undone = ["busy", "busy/own.txt", "kept"];
  const there = () => readdirSync(world.workspace, { recursive: true }).map(String).toSorted();
  for (let times = 0; times < 2; times += 1) {
    assert.match((await talk.say("/undo")).text, /^Undone\./);
    assert.deepEqual(there(), undone);
    await talk.say("/redo");
    assert.equal(held(world, "new/deep/b.txt"), "words\n");
  }
});

test("/undo of which a part is in conflict does the rest, and leaves that part to be undone later", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk } = begun;
  writeFileSync(world.path("b.txt"), "mine");
  assert.match((await talk.say("/undo")).text, /^Undone in part\./);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["mine", null]);
  writeFileSync(world.path("b.txt"), "1");
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.equal(held(world, "b.txt"), null);
});

test("a file that was taken away and is made again has the permissions that it had", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk } = begun;
  chmodSync(world.path("b.txt"), 0o750);
  await talk.say("/rollback");
  assert.equal(held(world, "b.txt"), null);
  await talk.say("/undo");
  assert.equal(statSync(world.path("b.txt")).mode & 0o777, 0o750);
});

test("the intent of taking back is in the journal before the first file, with the digests before and after", async (t) => {
  await using begun = await twoSteps(t);
  const { world, talk } = begun;
  onDatabase(
    world,
    `CREATE TRIGGER broken_disk BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  await assert.rejects(talk.say("/undo"), /the disk is broken/);
  assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
  const intent = journalOf(world).findLast(({ kind }) => kind === "intent");
  assert.deepEqual(
    intent?.changes.map(({ path, before, after }) => [path, before === null, after]),
    [
      [world.path("c.txt"), false, null],
      [world.path("b.txt"), false, null],
    ],
  );
  onDatabase(world, "DROP TRIGGER broken_disk");
  await talk.say("/undo");
  const [last] = journalOf(world).slice(-1);
  assert.deepEqual([last?.kind, last?.detail["status"]], ["outcome", "success"]);
});

test("a crash's taking back has its intent in the journal before it, and its outcome after", async (t) => {
  const world = await makeWorld(t, [write("poison.txt", "x")]);
  await using daemon = await world.open();
  onDatabase(
    world,
    `CREATE TRIGGER broken_disk BEFORE INSERT ON messages WHEN NEW.body LIKE '%"role":"result"%poison%'
     BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  const { turn } = await (await talkTo(daemon)).say("write it");
  assert.equal(held(world, "poison.txt"), null);
  const entries = journalOf(world).filter(
    (entry) => entry.turn === turn && entry.detail["command"] === "revert",
  );
  assert.deepEqual(
    entries.map(({ kind, changes }) => [kind, changes.map(({ path, after }) => [path, after])]),
    [
      ["intent", [[world.path("poison.txt"), null]]],
      ["rollback", [[world.path("poison.txt"), null]]],
      ["outcome", []],
    ],
  );
});

for (const command of ["/undo", "/rollback 1"]) {
  test(`${command} that was cut off in the middle is finished by saying it again, and nothing is lost`, async (t) => {
    await using begun = await twoSteps(t);
    const { world, talk, taken } = begun;
    onDatabase(
      world,
      `CREATE TRIGGER broken_disk BEFORE UPDATE ON changes WHEN NEW.path LIKE '%b.txt'
       BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
    );
    assert.match((await talk.say(command)).text, /b\.txt stays as it is/);
    assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", null]);
    // What was deferred is committed within 50 ms, by a timer that is older than this one.
    await pause(60);
    onDatabase(world, "DROP TRIGGER broken_disk");
    assert.match((await talk.say(command)).text, /^(Undone|Rolled back)/);
    assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], [null, null]);
    await talk.say(`/rollback ${taken[2]}`);
    assert.deepEqual([held(world, "b.txt"), held(world, "c.txt")], ["1", "2"]);
  });
}

for (const command of ["/undo", "/rollback 1"]) {
  test(`${command} is refused in words while a turn of the session is at work`, async (t) => {
    const world = await makeWorld(t, [
      write("a.txt", "A"),
      { text: "Done." },
      calls(["shell", { cmd: "sleep 60" }]),
      { text: "Slept." },
    ]);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("write it");
    const sleeping = talk.say("sleep");
    while (onDatabase(world, "SELECT id FROM turns WHERE state = 'acting'").length === 0)
      await setImmediate();
    const { text } = await talk.say(command);
    assert.match(text, /^Not done: a turn of this session is still at work \((acting|judging)\): sleep\n/);
    assert.match(text, /Wait until it has ended, or say \/stop, and/);
    assert.equal(held(world, "a.txt"), "A");
    await talk.say("/stop");
    await sleeping;
    assert.match((await talk.say(command)).text, /^(Undone|Rolled back)/);
    assert.equal(held(world, "a.txt"), null);
  });
}

test("/undo says of a file that somebody deleted since that they deleted it", async (t) => {
  const edit = calls(["edit-file", { path: "a.txt", old: "A", new: "B" }]);
  const world = await makeWorld(t, [write("a.txt", "A"), { text: "Done." }, edit, { text: "Done." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say("edit it");
  assert.equal(held(world, "a.txt"), "B");
  rmSync(world.path("a.txt"));
  assert.match((await talk.say("/undo")).text, /a\.txt was deleted by somebody else since, so it was left/);
});

test("/undo while the first change of a session is made says that a turn is at work", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "sleep 60" }]), { text: "Slept." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/undo")).text, /^There is nothing to undo in this session\.$/);
  const sleeping = talk.say("sleep");
  while (onDatabase(world, "SELECT id FROM turns WHERE state = 'acting'").length === 0) await setImmediate();
  assert.match((await talk.say("/undo")).text, /^Not done: a turn of this session is still at work/);
  await talk.say("/stop");
  await sleeping;
});

test("/undo is refused while the very turn that it would take back goes on thinking", async (t) => {
  const world = await makeWorld(t, [write("a.txt", "A"), { fault: "hang" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const writing = talk.say("write it");
  await world.provider.reached(2);
  assert.match((await talk.say("/undo")).text, /still at work \(thinking\): write it/);
  assert.equal(held(world, "a.txt"), "A");
  await talk.say("/stop");
  await writing;
  assert.match((await talk.say("/undo")).text, /^Undone\./);
});
