import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld, talkTo } from "../agent-world.ts";

/** A world in which a file was written and a note was kept. */
async function withHistory(
  t: TestContext,
): Promise<AgentWorld & { readonly turn: string; readonly session: string }> {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "a.txt", content: "new\n" }],
      ["remember", { text: "The cat is called Mimi" }],
    ),
    { text: "Done." },
    { ...calls(["read-file", { path: "/etc/shadow" }]), repeat: true },
  ]);
  writeFileSync(world.path("a.txt"), "old\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "past");
  const { turn } = await talk.say("do both");
  await talk.say("read the passwords");
  return { ...world, turn, session: talk.session };
}

test("journal tail shows the last entries, as text and as JSON", async (t) => {
  const world = await withHistory(t);
  const [text, json] = await Promise.all([
    world.command(["journal", "tail", "-n", "3"]),
    world.command(["journal", "tail", "-n", "3", "--json"]),
  ]);
  assert.equal(text.out.trimEnd().split("\n").length, 3);
  const last = journalOf(world).slice(-3);
  assert.deepEqual(
    json.out
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
    last,
  );
});

test("journal why explains every decision of a turn by its gates", async (t) => {
  const world = await withHistory(t);
  const done = await world.command(["journal", "why", world.turn]);
  assert.equal(done.code, 0);
  assert.match(done.out, /intent {3}pass replace .*a\.txt/);
  assert.match(done.out, /passed by paths: inside the workspace/);
  assert.doesNotMatch(done.out, /shadow/);
});

test("journal why accepts a session, a sequence number and a digest, too", async (t) => {
  const world = await withHistory(t);
  const entry = journalOf(world).find(({ changes }) => changes.length > 0);
  const ids = [world.session, String(entry?.sequence), (entry?.digest ?? "").slice(0, 12)];
  for (const done of await Promise.all(ids.map((id) => world.command(["journal", "why", id])))) {
    assert.equal(done.code, 0);
    assert.match(done.out, /a\.txt/);
  }
});

test("journal why of an unknown ID ends with 1 and says so", async (t) => {
  const world = await withHistory(t);
  const done = await world.command(["journal", "why", "nothing-of-the-kind"]);
  assert.deepEqual([done.code, done.out], [1, ""]);
  assert.match(done.err, /Nothing in the journal is about/);
});

test("journal verify ends with 0 on an intact chain and with 1 on a changed entry", async (t) => {
  const world = await withHistory(t);
  assert.equal((await world.command(["journal", "verify"])).code, 0);
  const file = `${world.state}/journal.jsonl`;
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace('"verdict":"block"', '"verdict":"pass"'));
  const done = await world.command(["journal", "verify"]);
  assert.equal(done.code, 1);
  assert.match(`${done.out}${done.err}`, /damaged/);
});

test("memory search, show and history find what was remembered", async (t) => {
  const world = await withHistory(t);
  const found = await world.command(["memory", "search", "Mimi"]);
  const id = found.out.split(" ")[0] ?? "";
  assert.match(found.out, /The cat is called Mimi/);
  const [shown, history, none] = await Promise.all([
    world.command(["memory", "show", id]),
    world.command(["memory", "history", id]),
    world.command(["memory", "search", "heliotrope"]),
  ]);
  assert.match(shown.out, /The cat is called Mimi/);
  assert.match(history.out, /\(new\) -> [0-9a-f]{64}/);
  assert.deepEqual([found.code, shown.code, history.code, none.code], [0, 0, 0, 1]);
});

test("memory show without an ID prints the roots, and memory verify says that memory is intact", async (t) => {
  const world = await withHistory(t);
  const [shown, verified] = await Promise.all([
    world.command(["memory", "show", "--json"]),
    world.command(["memory", "verify"]),
  ]);
  assert.match(shown.out, /"roots":\{"own":"[0-9a-f]{64}","files":"/);
  assert.match(shown.out, /"counts":\{"own":1/);
  assert.deepEqual([verified.code, verified.out], [0, "Memory is intact.\n"]);
});

test("memory rollback restores memory and files of a snapshot, and the rollback is journalled", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "a.txt", content: "new\n" }],
      ["remember", { text: "The cat is called Mimi" }],
    ),
    { text: "Done." },
  ]);
  {
    await using daemon = await world.open();
    await talkTo(daemon, "past");
  }
  const snapshot = await world.command(["memory", "snapshot", "--json", "before", "it"]);
  const id = /"id":(\d+)/.exec(snapshot.out)?.[1] ?? "";
  await world.command(["ask", "--session", "past", "do both"]);
  const listed = await world.command(["memory", "history"]);
  assert.match(listed.out, new RegExp(`^${id} .*before it$`, "m"));
  const done = await world.command(["memory", "rollback", id]);
  assert.equal(done.code, 0);
  assert.match(done.out, /Rolled back to snapshot/);
  assert.equal(existsSync(world.path("a.txt")), false);
  const { out } = await world.command(["memory", "search", "Mimi"]);
  assert.doesNotMatch(
    out,
    /inbox\.org| {2}The cat is called Mimi/,
    "what was said is found, the note is not",
  );
  assert.ok(journalOf(world).some(({ kind }) => kind === "rollback"));
});

test("memory rollback of a snapshot that does not exist ends with 1", async (t) => {
  const world = await withHistory(t);
  const done = await world.command(["memory", "rollback", "999999"]);
  assert.equal(done.code, 1);
  assert.match(done.out, /There is no snapshot 999999/);
});

test("the journal and memory can be read beside a running agent", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  const [tail, verify, show] = await Promise.all([
    world.command(["journal", "tail"]),
    world.command(["journal", "verify"]),
    world.command(["memory", "show"]),
  ]);
  assert.deepEqual([tail.code, verify.code, show.code], [0, 0, 0]);
});

test("memory history lists the changes of a file by tools, commands and undos, however the file is named", async (t) => {
  const world = await makeWorld(
    t,
    [
      calls(["write-file", { path: "a.txt", content: "new\n" }]),
      calls(["shell", { cmd: "sed -i s/new/newer/ a.txt" }]),
      { text: "Done." },
    ],
    { TRIALS: "true" },
  );
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "garden");
    await talk.say("write it, then change it");
    await talk.say("/undo");
  }
  for (const name of ["a.txt", "./a.txt", world.path("a.txt")]) {
    const { code, out, err } = await world.command(["memory", "history", name]);
    assert.equal(code, 0, err);
    const rows = out.trimEnd().split("\n");
    const row = (verb: string) =>
      new RegExp(`^\\d+  \\d\\d:\\d\\d  ${verb}  \\(session garden, "write it, then`);
    assert.match(rows[0] ?? "", row("made, undone since"));
    assert.match(rows[1] ?? "", row("changed, undone since"));
    assert.match(rows.at(-1) ?? "", /deleted.*\(session garden, by an undo\)$/);
  }
  assert.equal((await world.command(["memory", "history", "b.txt"])).code, 1);
});
