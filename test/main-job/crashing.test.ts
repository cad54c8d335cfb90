import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld, onDatabase, sent, talkTo } from "../agent-world.ts";

/** Makes the keeping of a result fail whose text holds a word: a fault inside a stage, after the tool has acted. */
function breakResults(world: AgentWorld, word: string): void {
  onDatabase(
    world,
    `CREATE TRIGGER broken_disk BEFORE INSERT ON messages WHEN NEW.body LIKE '%"role":"result"%${word}%'
     BEGIN SELECT RAISE(ABORT, 'the disk is broken at sector 7'); END`,
  );
}

test("a crash in a stage takes back the turn's own changes and tells the person", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "kept.txt", content: "changed\n" }],
      ["write-file", { path: "poison.txt", content: "x" }],
    ),
    { text: "never asked" },
  ]);
  writeFileSync(world.path("kept.txt"), "as it was\n");
  await using daemon = await world.open();
  breakResults(world, "poison");
  const said = await (await talkTo(daemon)).say("write both");
  assert.equal(said.end, "failed");
  assert.equal(said.code, "loop-error");
  assert.match(said.text, /the disk is broken at sector 7.*changes were undone.*passepartout doctor/);
  assert.equal(readFileSync(world.path("kept.txt"), "utf8"), "as it was\n");
  assert.equal(existsSync(world.path("poison.txt")), false);
});

test("a crash leaves what a person changed meanwhile, and names it", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "mine.txt", content: "agent\n" }]),
    calls(["write-file", { path: "poison.txt", content: "x" }]),
  ]);
  await using daemon = await world.open();
  daemon.subscribe((event) => {
    if (event.type === "thinking" && event.depth === 1) writeFileSync(world.path("mine.txt"), "person\n");
  });
  breakResults(world, "poison");
  const said = await (await talkTo(daemon)).say("write both");
  assert.match(said.text, /Not undone, because it changed since: .*mine\.txt/);
  assert.equal(readFileSync(world.path("mine.txt"), "utf8"), "person\n");
});

test("a loop-error goes to the person and the journal, and never to the model", async (t) => {
  const warned: string[] = [];
  const world = await makeWorld(t, [
    calls(["write-file", { path: "poison.txt", content: "x" }]),
    { text: "I know of nothing." },
  ]);
  await using daemon = await world.open({}, { warn: (message) => warned.push(message) });
  breakResults(world, "poison");
  const talk = await talkTo(daemon);
  await talk.say("write it");
  assert.equal((await talk.say("what happened?")).text, "I know of nothing.");
  assert.deepEqual(
    journalOf(world).flatMap(({ detail, session }) =>
      detail["event"] === "loop-error" ? [{ detail, session }] : [],
    ),
    [
      {
        detail: { event: "loop-error", sensor: "user-input", depth: 0, error: "Error", conflicts: 0 },
        session: talk.session,
      },
    ],
  );
  assert.ok(!sent(world, 1).includes("sector 7"));
  assert.match(warned.join(), /A stage failed in turn .*sector 7/);
});

test("a crash in a sub-task of a sub-task is told and is no loop-error", async (t) => {
  const delegates = (task: string, tools: readonly string[], when: string) => ({
    ...calls(["delegate", { tasks: [{ task, tools }] }]),
    when,
  });
  const world = await makeWorld(
    t,
    [
      delegates("OUTER", ["write-file", "delegate"], "OWNERS-JOB"),
      delegates("INNER", ["write-file"], "OUTER"),
      { ...calls(["write-file", { path: "poison.txt", content: "x" }]), when: "INNER" },
      { text: "The inner part failed.", when: "OUTER" },
      { text: "It failed.", when: "OWNERS-JOB" },
    ],
    { SUB_TASK_DEPTH: "2" },
  );
  await using daemon = await world.open({}, { warn: () => undefined });
  breakResults(world, "poison");
  assert.equal((await (await talkTo(daemon)).say("delegate the parts of OWNERS-JOB")).text, "It failed.");
  assert.match(sent(world, 3), /An internal error ended this turn: .*sector 7/);
  const events = journalOf(world).map(({ detail: { event, depth } }) => `${event} ${depth}`);
  assert.ok(events.includes("crash 2"), events.join());
  assert.ok(!events.some((event) => event.startsWith("loop-error")), events.join());
});

test("of two sessions side by side one crashes, and the other's changes stay intact", async (t) => {
  const world = await makeWorld(t, [
    { when: "crashing", ...calls(["write-file", { path: "one.txt", content: "1" }]) },
    { when: "working", ...calls(["write-file", { path: "two.txt", content: "2" }]) },
    { when: "crashing", ...calls(["write-file", { path: "poison.txt", content: "x" }]) },
    { when: "working", text: "Two is written." },
  ]);
  await using daemon = await world.open();
  breakResults(world, "poison");
  const [one, two] = [await talkTo(daemon), await talkTo(daemon)];
  const [crashed, worked] = await Promise.all([one.say("I am crashing"), two.say("I am working")]);
  assert.equal(crashed.code, "loop-error");
  assert.equal(worked.text, "Two is written.");
  assert.equal(existsSync(world.path("one.txt")), false);
  assert.equal(readFileSync(world.path("two.txt"), "utf8"), "2");
});

test("after a crash the same session answers again", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "poison.txt", content: "x" }]),
    calls(["write-file", { path: "fine.txt", content: "y" }]),
    { text: "Fine." },
  ]);
  await using daemon = await world.open();
  breakResults(world, "poison");
  const talk = await talkTo(daemon);
  await talk.say("write it");
  assert.equal((await talk.say("and this?")).text, "Fine.");
  assert.ok(existsSync(world.path("fine.txt")));
});

test("a fault that the end of the turn meets too is told, and the turn goes on at the next start", async (t) => {
  const world = await makeWorld(t, [{ text: "Lost for now." }, { text: "Here it is." }]);
  const warned: string[] = [];
  let session = "";
  {
    await using before = await world.open({}, { warn: (message) => warned.push(message) });
    const talk = await talkTo(before);
    session = talk.session;
    onDatabase(
      world,
      `CREATE TRIGGER broken_disk BEFORE UPDATE ON turns WHEN NEW.state IN ('answered', 'failed')
       BEGIN SELECT RAISE(ABORT, 'the disk is broken at sector 8'); END`,
    );
    await talk.say("hello");
    assert.match(warned.join("\n"), /sector 8/);
    assert.ok(talk.events.every(({ type }) => type !== "answered"));
  }
  onDatabase(world, "DROP TRIGGER broken_disk");
  await using daemon = await world.open();
  const [turn] = onDatabase(world, "SELECT id FROM turns");
  await daemon.whenSettled(String(turn?.["id"]));
  assert.deepEqual(
    (await daemon.undelivered(session)).map(({ text }) => text),
    ["Here it is."],
  );
});

test("a turn that cannot be kept is not begun: nobody is asked, and nothing is done", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  onDatabase(
    world,
    `CREATE TRIGGER broken_disk BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`,
  );
  await assert.rejects(talk.say("hello"), /the disk is broken/);
  assert.equal(world.provider.requests.length, 0);
});
