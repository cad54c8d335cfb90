import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, isMissing, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const shell = (cmd: string) => calls(["shell", { cmd }]);
const done = { text: "Done." };

const isOverlay = (name: string): boolean => name.startsWith("overlay-");

/** A world in which commands are tried; null without bubblewrap. */
async function tryingWorld(t: TestContext, steps: Parameters<typeof makeWorld>[1], settings = {}) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const world = await makeWorld(t, steps, { TRIALS: "true", ...settings });
  const overlays = join(world.state, "commands");
  const left = (): readonly string[] => (existsSync(overlays) ? readdirSync(overlays) : []);
  return { world, left };
}

test("a command that is not known is tried, what it made in the workspace is kept without a question, and /undo takes it back", async (t) => {
  const made = await tryingWorld(t, [
    shell("mkdir out && tee out/a.txt notes.txt <<< words && cp notes.txt more"),
    done,
  ]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("make it");
  assert.equal(said.end, "answered");
  assert.deepEqual(named(said.events, "approval-required"), []);
  assert.deepEqual(
    named(said.events, "verdict").map(({ verdict }) => verdict),
    ["trial", "pass"],
  );
  assert.match(sent(world, 1), /words/);
  assert.equal(readFileSync(world.path("out/a.txt"), "utf8"), "words\n");
  const kept = journalOf(world)
    .filter(({ kind }) => kind === "intent")
    .flatMap(({ effects }) => effects);
  assert.equal(kept.filter(({ kind }) => kind === "write-path").length, 3);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual(readdirSync(world.workspace), []);
  assert.ok(!left().some(isOverlay));
});

test("a command is tried, and what it made is undone, wherever a link is in the path of the state folder", async (t) => {
  for (const linked of ["", ".local", ".local/state/passepartout"]) {
    const made = await tryingWorld(t, [shell('sh -c "echo 1 > m.txt"'), done]);
    if (made === null) return;
    const { world } = made;
    writeFileSync(world.path("m.txt"), "0\n");
    const elsewhere = join(world.home, "elsewhere");
    mkdirSync(elsewhere);
    const home = linked === "" ? join(elsewhere, "home") : world.home;
    if (linked !== "") mkdirSync(dirname(join(home, linked)), { recursive: true });
    symlinkSync(linked === "" ? world.home : elsewhere, join(home, linked));
    await using daemon = await world.open({ HOME: home });
    const talk = await talkTo(daemon);
    const said = await talk.say("make it");
    assert.deepEqual(named(said.events, "approval-required"), [], linked);
    assert.equal(readFileSync(world.path("m.txt"), "utf8"), "1\n");
    const shown = (await talk.say("/diff")).text;
    assert.match(shown, /│ - 0\n.*│ \+ 1$/m);
    assert.match((await talk.say("/undo")).text, /^Undone\./);
    assert.equal(readFileSync(world.path("m.txt"), "utf8"), "0\n");
  }
});

test("common lines that make folders and files are tried, also where they enter a folder or redirect more than once", async (t) => {
  const lines = [
    "mkdir -p d/e && echo one > d/e/f.txt && echo two > d/g.txt && echo three > h.txt",
    "mkdir x1 && cd x1 && echo a > a",
    "mkdir -p x2/y && (cd x2 && touch b && cp b y/c && chmod 600 b)",
  ];
  const made = await tryingWorld(t, [...lines.map(shell), done]);
  if (made === null) return;
  await using daemon = await made.world.open();
  const said = await (await talkTo(daemon)).say("make them");
  assert.deepEqual(named(said.events, "approval-required"), []);
  assert.deepEqual(
    ["d/e/f.txt", "d/g.txt", "h.txt", "x1/a", "x2/y/c"].filter((name) => !existsSync(made.world.path(name))),
    [],
  );
});

test("what a script overwrites beyond the owner's words is asked about with its list, after the trial", async (t) => {
  const made = await tryingWorld(t, [shell("for i in 1 2 3; do cp empty a$i.txt; done"), done]);
  if (made === null) return;
  for (const name of ["a1.txt", "a2.txt", "a3.txt"]) writeFileSync(made.world.path(name), name);
  writeFileSync(made.world.path("empty"), "");
  await using daemon = await made.world.open();
  const [question] = named((await (await talkTo(daemon)).say("tidy up")).events, "approval-required");
  assert.match(question?.reason ?? "", /empties or overwrites 3 files.*a1\.txt, a2\.txt, a3\.txt/s);
});

test("what would ask as an edit asks with the difference itself; a yes keeps exactly that, a no leaves nothing", async (t) => {
  for (const answer of ["/approve", "/deny"]) {
    const made = await tryingWorld(t, [
      shell(
        `perl -e 'mkdir ".github"; mkdir ".github/workflows"; for ("plain.txt", ".github/workflows/ci.yml") { open F, ">", $_; print F "made" } unlink "old.txt"'`,
      ),
      done,
    ]);
    if (made === null) return;
    const { world, left } = made;
    writeFileSync(world.path("old.txt"), "old");
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const asked = await talk.say("make it");
    const [question] = named(asked.events, "approval-required");
    const touched = question?.effects.map(
      ({ kind, target }) => `${kind} ${target.slice(world.workspace.length)}`,
    );
    assert.deepEqual(touched?.toSorted(), [
      "delete-path /old.txt",
      "write-path /.github/workflows/ci.yml",
      "write-path /plain.txt",
    ]);
    assert.match(
      question?.reason ?? "",
      /ci\.yml is executed later.*old\.txt was there before and is deleted/s,
    );
    assert.deepEqual(readdirSync(world.workspace), ["old.txt"]);
    await talk.say(`${answer} ${talk.token()}`);
    assert.deepEqual(
      readdirSync(world.workspace),
      answer === "/approve" ? [".github", "plain.txt"] : ["old.txt"],
    );
    while (left().some(isOverlay)) await pause(50);
  }
});

test("a trial that changes nothing, such as a test run, gives its output and leaves nothing to decide", async (t) => {
  const made = await tryingWorld(t, [shell("sh -c 'echo 3 passed; exit 1'"), done]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("test it");
  assert.equal(said.end, "answered");
  assert.match(JSON.stringify(named(said.events, "outcome")), /3 passed/);
  assert.ok(!left().some(isOverlay));
});

test("what writes a secret file is blocked and leaves nothing", async (t) => {
  const made = await tryingWorld(t, [shell("sh -c 'echo KEY=1 > .env; echo x > ok.txt'"), done]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("make it");
  assert.equal(said.end, "answered");
  assert.ok(named(said.events, "verdict").some(({ verdict }) => verdict === "block"));
  assert.deepEqual(readdirSync(world.workspace), []);
  while (left().some(isOverlay)) await pause(50);
});

test("with the setting off, and for what needs the network or deletes by its words, a command asks as before", async (t) => {
  for (const [settings, cmd] of [
    [{ TRIALS: "false" }, "touch made.txt"],
    [{}, "curl https://example.org/"],
    [{}, "sudo touch made.txt"],
  ] as const) {
    const made = await tryingWorld(t, [shell(cmd), done], settings);
    if (made === null) return;
    await using daemon = await made.world.open();
    const said = await (await talkTo(daemon)).say("make it");
    assert.equal(named(said.events, "approval-required").length, 1, cmd);
    assert.equal(existsSync(made.world.path("made.txt")), false);
  }
});

test("a command that was tried and kept after a yes is told with the time that it ran itself, also beside one that nobody asked about", async (t) => {
  const made = await tryingWorld(t, [
    shell(`perl -e 'sleep 1; open F, ">", "plain.txt"'`),
    shell(`perl -e 'sleep 1; open F, ">", "Makefile"'`),
    done,
  ]);
  if (made === null) return;
  await using daemon = await made.world.open();
  const talk = await talkTo(daemon);
  await talk.say("make it");
  await talk.say(`/approve ${talk.token()}`);
  const times = named(talk.events, "outcome").map(({ milliseconds }) => milliseconds ?? 0);
  assert.equal(times.length, 2);
  for (const time of times) assert.ok(time >= 1_000, `${time} ms`);
});

test("what a person changes while a command is tried stays theirs", async (t) => {
  const made = await tryingWorld(t, [
    shell(`perl -e 'unlink "theirs.txt"; for ("AGENTS.md", "mine.txt") { open F, ">", $_; print F "x" }'`),
    done,
  ]);
  if (made === null) return;
  const { world } = made;
  mkdirSync(world.path("sub"));
  writeFileSync(world.path("theirs.txt"), "before");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("make it");
  writeFileSync(world.path("theirs.txt"), "edited");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(world.path("theirs.txt"), "utf8"), "edited");
  assert.equal(readFileSync(world.path("mine.txt"), "utf8"), "x");
  assert.match(sent(world, 1), /theirs\.txt was changed by somebody else/);
});

test("the same change of a file has the same verdict by a trial, by write-file and by edit-file", async (t) => {
  const files = [
    { path: "data.json", before: '{"a": 1}', after: '{"a": 1', verdict: "block" },
    { path: "deep/code.ts", before: "const a = 1;", after: "const a = ;", verdict: "block" },
    { path: "broken.json", before: "[1", after: "[2", verdict: "pass" },
    { path: "plain.txt", before: "one", after: "two", verdict: "pass" },
    { path: "Makefile", before: "all:", after: "all: x", verdict: "ask" },
  ];
  const steps = files.flatMap(({ path, before, after, verdict }) => {
    const ways = [
      shell(`perl -e 'open F, ">", "${path}"; print F q(${after})'`),
      calls(["write-file", { path, content: after }]),
      calls(["edit-file", { path, old: before, new: after }]),
    ];
    // A question is left open: the model is asked no further.
    return ways.flatMap((way) => (verdict === "ask" ? [way] : [way, done]));
  });
  const made = await tryingWorld(t, steps);
  if (made === null) return;
  const { world } = made;
  mkdirSync(world.path("deep"));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const { path, before, verdict: expected } of files) {
    const verdicts: (string | undefined)[] = [];
    for (const way of ["trial", "write-file", "edit-file"]) {
      writeFileSync(world.path(path), before);
      const said = await talk.say(`change ${path} by ${way}`);
      verdicts.push(named(said.events, "verdict").at(-1)?.verdict);
    }
    assert.deepEqual(verdicts, [expected, expected, expected], path);
  }
});

test("a trial that leaves a database without its rows asks with their number, unless the owner's words say which", async (t) => {
  const made = await tryingWorld(t, [shell("sh tidy.sh"), shell("sh tidy.sh"), done]);
  if (made === null) return;
  const { world } = made;
  for (const [name, last] of [
    ["notes.db", ""],
    ["other.db", "delete from notes"],
  ] as const) {
    const database = new DatabaseSync(world.path(name));
    database.exec(`create table notes (body); insert into notes values ('roses'), ('tulips'); ${last}`);
    database.close();
  }
  writeFileSync(world.path("tidy.sh"), "cp other.db notes.db\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const [question] = named((await talk.say("tidy up")).events, "approval-required");
  assert.match(
    question?.reason ?? "",
    /deletes, empties or overwrites 2 rows of notes\.db \(notes\), and your message plainly asks for none of them/,
  );
  const said = await talk.say("delete notes.db");
  assert.deepEqual(named(said.events, "approval-required"), []);
});

test("a trial that deletes or empties more files than the owner named asks with their number and list, also in one folder that goes as a whole", async (t) => {
  const made = await tryingWorld(t, [
    shell(`perl -e 'truncate $_, 0 for glob "logs/*"'`),
    shell(`perl -e 'unlink glob "logs/*"; rmdir "logs"'`),
  ]);
  if (made === null) return;
  const { world } = made;
  mkdirSync(world.path("logs"));
  for (let file = 0; file < 120; file += 1) writeFileSync(world.path(`logs/${file}.log`), "x");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const words of ["shorten the log", "remove the log"]) {
    const asked = await talk.say(words);
    const [question] = named(asked.events, "approval-required");
    assert.match(
      question?.reason ?? "",
      /deletes, empties or overwrites 120 files, and your message plainly asks for none of them: logs\/\S+\.log,.* and 100 more/,
      words,
    );
  }
  assert.equal(readdirSync(world.path("logs")).length, 120);
});
