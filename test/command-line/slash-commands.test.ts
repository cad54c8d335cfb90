import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builtInSkills } from "../../src/skills/built-in/table.ts";
import { calls, journalOf, makeWorld, onDatabase, sent, talkTo } from "../agent-world.ts";

test("/help lists every command", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["ask", "/help"]);
  assert.equal(done.code, 0);
  for (const name of "help exit status budget stop approve deny undo rollback focus search note".split(" ")) {
    assert.match(done.out, new RegExp(`^/${name}\\b`, "m"));
  }
  assert.equal(world.provider.requests.length, 0);
});

test("where nothing was taught or set up, /skill says what is built in, and /models lists what the providers offer or says what to do", async (t) => {
  const world = await makeWorld(t, []);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const { text } = await talk.say("/skill");
  assert.match(text, /You taught no skill yet\./);
  assert.match(
    text,
    new RegExp(`^${builtInSkills.length} skills are built in: .passepartout skill list.`, "m"),
  );
  assert.match(
    (await talk.say("/models")).text,
    /^loop: it does not say which models it has[\s\S]*\* default: free/,
  );
  assert.match((await talk.say("/theme")).text, /are for passepartout tui/);
  const bare = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  await using other = await bare.open();
  assert.match((await (await talkTo(other)).say("/models")).text, /^No provider is set up\. \/setup says/);
});

test("/status lists pending questions and what was spent", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])]);
  await world.command(["ask", "make it"]);
  const done = await world.command(["ask", "/status"]);
  assert.equal(done.code, 0);
  assert.match(done.out, /suspended \(session .*\): make it/);
  assert.match(done.out, /approval pending until/);
  assert.match(
    done.out,
    /Spent today: \$0\.0000 of \$10\.00\.\n {2}loop, .*: 1 call .* by this machine\nSpent in this session: /,
  );
});

test("/undo in a later ask takes back the last change", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "new\n" }]),
    { text: "Written." },
  ]);
  writeFileSync(world.path("a.txt"), "old\n");
  await world.command(["ask", "write it"]);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "new\n");
  const done = await world.command(["ask", "/undo"]);
  assert.equal(done.code, 0);
  assert.match(done.out, /Undone\./);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "old\n");
  for (const [command, words] of [
    ["/undo", /nothing to undo/],
    ["/redo", /Done again/],
    ["/redo", /nothing to redo/],
  ] as const) {
    const { code, out } = await world.command(["ask", "--continue", command]);
    assert.match(out, words);
    assert.equal(code, words.source.startsWith("nothing") ? 1 : 0, command);
  }
});

test("/undo deletes a file that the turn made", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "new\n" }]),
    { text: "Written." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say("/undo");
  assert.equal(existsSync(world.path("a.txt")), false);
});

test("/undo leaves a file that a person changed since, and names it; ask of what could not be undone ends with 1", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "new\n" }]),
    { text: "Written." },
  ]);
  writeFileSync(world.path("a.txt"), "old\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  writeFileSync(world.path("a.txt"), "mine\n");
  assert.match((await talk.say("/undo")).text, /a\.txt/);
  for (const [command, words] of [
    ["/undo", /^Not undone\.\n.*a\.txt/],
    ["/rewind 1 files", /^Not undone\.\n.*a\.txt/],
    ["/rollback", /^Not rolled back to snapshot \d+\.\n.*a\.txt/],
  ] as const) {
    const asked = await world.command(["ask", "--quiet", "--continue", command]);
    assert.equal(asked.code, 1, command);
    assert.match(asked.out, words);
  }
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "mine\n");
});

test("/undo goes back one turn at a time, and says when nothing is left", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "one\n" }]),
    { text: "One." },
    calls(["write-file", { path: "a.txt", content: "two\n" }]),
    { text: "Two." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write one");
  await talk.say("write two");
  await talk.say("/undo");
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "one\n");
  await talk.say("/undo");
  assert.equal(existsSync(world.path("a.txt")), false);
  assert.match((await talk.say("/undo")).text, /nothing to undo/);
});

test("/rollback takes memory and files back to a snapshot, and lists the changes by session", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "a.txt", content: "one\n" }],
      ["remember", { text: "The cat is called Mimi" }],
    ),
    { text: "Done." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("do both");
  const [first] = onDatabase(world, "SELECT id FROM snapshots ORDER BY id");
  const said = await talk.say(`/rollback ${String(first?.["id"])}`);
  assert.match(said.text, /Rolled back to snapshot \d+\. Memory as it was before this is snapshot \d+/);
  assert.match(said.text, new RegExp(`Session ${talk.session.slice(0, 8)}: `));
  assert.equal(existsSync(world.path("a.txt")), false);
  // What was said is found still; what was kept of it is gone.
  assert.doesNotMatch((await talk.say("/search Mimi")).text, /^\* The cat/m);
  assert.deepEqual(onDatabase(world, "SELECT id FROM objects WHERE realm = 'own' AND hash IS NOT NULL"), []);
});

test("/note saves a note and /search finds it, without a model", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("/note The cat is called Mimi")).end, "answered");
  assert.match((await talk.say("/search Mimi")).text, /The cat is called Mimi/);
  assert.equal(world.provider.requests.length, 0);
});

test("/search prints what memory search prints: ID, title and file, and the line that matches", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"));
  const note = "* Boiler\nServiced in March.\nHansen looked at the valves.\n* Garden\nRoses.\n";
  writeFileSync(join(world.home, "memex", "house.org"), note);
  const found = "house.org::Boiler  Boiler  (house.org)\n    Hansen looked at the valves.";
  for (const words of ["who looked at the valve", "hansens valves", "Boiler valve"]) {
    assert.equal((await world.command(["memory", "search", words])).out.trim(), found, words);
    assert.equal((await world.command(["ask", `/search ${words}`])).out.trim(), found, words);
  }
});

test("/search lists no message of the talk that it is typed in, and of another talk only those with the words", async (t) => {
  const world = await makeWorld(t, [{ text: "Good." }, { text: "The boiler man comes on Tuesday." }]);
  mkdirSync(join(world.home, "memex"));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("the roses look well");
  await talk.say("when does the boiler man come?");
  assert.equal((await talk.say("/search roses")).text, "(nothing found)");
  const other = (await (await talkTo(daemon)).say("/search roses")).text;
  assert.match(other, /^\S+ {2}\S+, owner\n {4}the roses look well$/);
  assert.equal((await world.command(["memory", "search", "roses"])).out.trim(), other);
  await talk.say("/clear");
  assert.equal((await talk.say("/search roses")).text, other);
});

test("/focus shows and sets the note in focus, and the model then sees it in full", async (t) => {
  const world = await makeWorld(t, [{ text: "I see." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("/focus")).text, /No note is in focus/);
  assert.match((await talk.say("/focus nowhere")).text, /There is no note nowhere/);
  const earlier = await talkTo(daemon);
  await earlier.say("/note The cat is called Mimi");
  const [object] = onDatabase(world, "SELECT id FROM objects WHERE realm = 'own'");
  await earlier.say("/note The dog is called Rex");
  assert.match((await talk.say(`/focus ${String(object?.["id"])}`)).text, /In focus: /);
  await talk.say("hello");
  assert.match(sent(world, 0), /The cat is called Mimi/);
  assert.doesNotMatch(sent(world, 0), /Rex/, "the note that was edited last is not the focus");
});

test("an unknown command is reported to the person, and never sent to the model", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  assert.match((await (await talkTo(daemon)).say("/frobnicate")).text, /There is no command \/frobnicate/);
  assert.equal(world.provider.requests.length, 0);
});

test("a command with wrong arguments does nothing and shows its usage", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  assert.match((await (await talkTo(daemon)).say("/undo everything")).text, /Usage: \/undo/);
});

test("words that only begin with a path are words", async (t) => {
  const world = await makeWorld(t, [{ text: "A folder." }]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("/etc is what?")).text, "A folder.");
});

test("/note, /search, /focus and /rollback work in ask, each in a process of its own", async (t) => {
  const world = await makeWorld(t);
  const note = await world.command(["ask", "/note", "The cat is called Mimi"]);
  const search = await world.command(["ask", "/search Mimi"]);
  assert.match(search.out, /The cat is called Mimi/);
  const [object] = onDatabase(world, "SELECT id FROM objects WHERE realm = 'own'");
  const focus = await world.command(["ask", `/focus ${String(object?.["id"])}`]);
  assert.match(focus.out, /In focus: /);
  const rollback = await world.command(["ask", "/rollback"]);
  assert.match(rollback.out, /Rolled back to snapshot/);
  assert.deepEqual([note.code, search.code, focus.code, rollback.code], [0, 0, 0, 0]);
  assert.doesNotMatch((await world.command(["ask", "/search Mimi"])).out, /^\* The cat/m);
  assert.deepEqual(onDatabase(world, "SELECT id FROM objects WHERE realm = 'own' AND hash IS NOT NULL"), []);
  assert.equal(world.provider.requests.length, 0);
});

test("a command line that the owner types behind ! runs without a question, stands in the journal as typed, and the model sees what it gave", async (t) => {
  const world = await makeWorld(t, [{ text: "Seen." }]);
  await using agent = await world.open();
  const talk = await talkTo(agent, null, "tui");
  const run = await talk.say("!echo made | tee made.txt");
  assert.deepEqual([run.end, readFileSync(world.path("made.txt"), "utf8")], ["answered", "made\n"]);
  assert.match(run.text, /made/);
  assert.equal(world.provider.requests.length, 0);
  const typed = journalOf(world).filter(({ kind }) => kind === "approval");
  assert.deepEqual(
    typed.map(({ detail }) => detail),
    [{ answer: "yes", typed: true }],
  );
  await talk.say("what did it give?");
  assert.match(sent(world, 0), /!echo made \| tee made\.txt[\s\S]*made/);
});

test("what is never allowed stays so behind !, and in ask, which a script may call, such a line is only text", async (t) => {
  const world = await makeWorld(t, [{ text: "Read.", repeat: true }]);
  mkdirSync(join(world.home, ".ssh"));
  writeFileSync(join(world.home, ".ssh/id_ed25519"), "a private key\n");
  await world.command(["ask", "!touch asked.txt"]);
  await world.command(["ask"], { input: "!touch piped.txt\n" });
  assert.deepEqual(
    [existsSync(world.path("asked.txt")), existsSync(world.path("piped.txt"))],
    [false, false],
  );
  assert.match(sent(world, 0), /!touch asked\.txt/);
  await using agent = await world.open();
  const blocked = await (await talkTo(agent, null, "tui")).say("!cat ~/.ssh/id_ed25519");
  assert.doesNotMatch(blocked.text, /a private key/);
  assert.match(blocked.text, /id_ed25519 is a secret path/);
});

test("the owner's own commands are words of theirs: said to the model, listed, and never run by themselves", async (t) => {
  const world = await makeWorld(t, [{ text: "Looked at.", repeat: true }]);
  mkdirSync(world.configuration, { recursive: true });
  const text = "* inspect\nLook at $ARGUMENTS closely.\n* danger\n!touch danger.txt\n* help\nNever said.\n";
  writeFileSync(join(world.configuration, "commands.org"), text);
  await world.command(["ask", "/inspect the garden plan"]);
  assert.match(sent(world, 0), /Look at the garden plan closely\./);
  await world.command(["ask", "/danger"]);
  assert.match(sent(world, 1), /!touch danger\.txt/);
  assert.equal(existsSync(world.path("danger.txt")), false);
  const help = await world.command(["ask", "/help"]);
  assert.match(help.out, /^\/inspect \[WORDS\] +yours: Look at \$ARGUMENTS closely\.$/m);
  assert.match(help.out, /^\/help +show this list$/m);
  const unknown = await world.command(["ask", "/inspct"]);
  assert.match(unknown.out + unknown.err, /There is no command \/inspct\. Did you mean \/inspect\?/);
});

test("/compact keeps which files and commands a turn was about and how they ended, and never makes a past longer", async (t) => {
  const world = await makeWorld(t, [{ text: "Short." }]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("hi");
  assert.match((await talk.say("/compact")).text, /is as short as it gets/);
  // What the owner said stays, so that the little which went is no figure that a person sees.
  world.provider.add({ text: "a long answer ".repeat(100) });
  await talk.say("a long question ".repeat(3000));
  assert.match((await talk.say("/compact")).text, /is as short as it gets/);
  const long = "a long answer ".repeat(200);
  world.provider.add(
    calls(["write-file", { path: "beech.txt", content: long }], ["shell", { cmd: "ls missing.txt" }]),
    { text: long },
    { text: "Seen." },
  );
  await talk.say("write it");
  assert.match((await talk.say("/compact")).text, /was shortened/);
  await talk.say("what was done?");
  assert.match(
    sent(world, 4),
    /write-file [^:]*beech\.txt[^:]*: success; shell [^:]*ls missing\.txt[^:]*: exit code 2/,
  );
});

test("/compact shortens what the model sees of the past, /clear leaves it out, and nothing is forgotten", async (t) => {
  const long = "a long answer ".repeat(200);
  const world = await makeWorld(t, [{ text: long }, { text: "Two." }, { text: "Three.", repeat: true }]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("tell me of beeches");
  assert.match((await talk.say("/compact")).text, /was shortened from .* to .* tokens/);
  assert.match((await talk.say("/compact")).text, /is as short as it gets/);
  await talk.say("and of oaks");
  assert.match(sent(world, 1), /tell me of beeches/);
  assert.equal(sent(world, 1).includes(long.trim()), false);
  assert.match((await talk.say("/clear")).text, /begins anew/);
  await talk.say("and of elms");
  assert.doesNotMatch(sent(world, 2), /beeches|oaks/);
  assert.match((await talk.say("/search beeches")).text, /beeches/);
});
