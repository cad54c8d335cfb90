import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
const note = `* Health :@personal:\nOn Tuesday ${passage}, and nobody at work may know.\n`;
/** Words of the passage that no provider may see together. */
const telling = /lump in my left lung/i;

/** The letters of a request, whatever stands between them. */
function wordsOf(body: string): string {
  return body.replaceAll(/\\[nrt]|[^a-z]+/gi, " ");
}

function inMemex(world: AgentWorld, name: string): string {
  return join(world.home, "memex", name);
}

async function withNote(t: TestContext): Promise<AgentWorld> {
  const world = await makeWorld(t, []);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(inMemex(world, "health.org"), note);
  return world;
}

function git(world: AgentWorld, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", [...identity, ...args], { cwd: world.path("."), stdio: "ignore" });
}

type Carrying = {
  /** Puts the passage somewhere. */
  readonly place: (world: AgentWorld) => void;
  /** How the model gets at it. */
  readonly call: readonly [tool: string, args: object];
};

const cat = (file: string): Carrying["call"] => ["shell", { cmd: `cat ${file}` }];
const read = (path: string): Carrying["call"] => ["read-file", { path }];
const ways: Readonly<Record<string, Carrying>> = {
  "an upper-case ending": {
    place: (world) => writeFileSync(world.path("X.ORG"), note),
    call: read("X.ORG"),
  },
  "an editor's swap file": {
    place: (world) => writeFileSync(world.path(".h.org.swp"), `b0VIM 9.0\0\0${note}\0`),
    call: cat(".h.org.swp"),
  },
  "a backup": { place: (world) => writeFileSync(world.path("h.org.bak"), note), call: read("h.org.bak") },
  "a compressed copy": {
    place: (world) => writeFileSync(world.path("h.gz"), gzipSync(note)),
    call: ["shell", { cmd: "zcat h.gz" }],
  },
  "a hard link under another name": {
    place: (world) => linkSync(inMemex(world, "health.org"), world.path("log.txt")),
    call: read("log.txt"),
  },
  "a JSON export": {
    place: (world) => writeFileSync(world.path("export.json"), JSON.stringify([{ body: note }])),
    call: cat("export.json"),
  },
  "a mail that quotes it at other columns": {
    place: (world) =>
      writeFileSync(world.path("mail"), passage.replaceAll(/(.{20,30}) /g, "$1\n").replaceAll(/^/gm, "> ")),
    call: cat("mail"),
  },
  "a commit, after the file is gone": {
    place(world) {
      git(world, "init", "-q");
      writeFileSync(world.path("p.org"), note);
      git(world, "add", "p.org");
      git(world, "commit", "-qm", "one");
      rmSync(world.path("p.org"));
    },
    call: ["shell", { cmd: "git log -p" }],
  },
  "matches of single lines, each too short to be known": {
    place: (world) =>
      writeFileSync(
        world.path("n.txt"),
        passage.replaceAll(/((?:\S+ ){4})/g, "$1-\n").replaceAll("-\n", "\n"),
      ),
    call: ["search-files", { pattern: " " }],
  },
  "a search over lines": {
    place: (world) => writeFileSync(world.path("notes.txt"), `first\n${passage}\n`),
    call: ["search-files", { pattern: "lump" }],
  },
};

for (const [name, { place, call }] of Object.entries(ways)) {
  test(`a private passage reaches no provider through ${name}`, async (t) => {
    const world = await withNote(t);
    place(world);
    world.provider.add(calls([...call]), { text: "Read." });
    await using daemon = await world.open();
    const { end } = await (await talkTo(daemon)).say("What does it say?");
    assert.equal(end, "answered");
    assert.equal(world.provider.requests.length, 2);
    for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
    assert.match(world.provider.requests[1]?.body ?? "", /withheld: (private|secret)/);
  });
}

const tagged = `* Work\nplain\n* Health :@personal:\nOn Tuesday ${passage}, and nobody may know.\n* End\n`;

function commit(world: AgentWorld, name: string, text: string): void {
  git(world, "init", "-q");
  writeFileSync(world.path(name), text);
  git(world, "add", name);
  git(world, "commit", "-qm", "one");
}

/** A text with a privacy tag that was never in the notes folder, so that nobody knows its words. */
const unknown: Readonly<Record<string, { place: (world: AgentWorld) => void; cmds: readonly string[] }>> = {
  "a commit of a file that is gone": {
    place(world) {
      commit(world, "p.org", tagged);
      rmSync(world.path("p.org"));
    },
    cmds: ["git show HEAD:p.org"],
  },
  "a diff": {
    place(world) {
      commit(world, "p.org", "* Work\n");
      writeFileSync(world.path("p.org"), tagged);
    },
    cmds: ["git diff"],
  },
  "a copy of a note under another name": {
    place: (world) => writeFileSync(world.path("p.txt"), tagged),
    cmds: ["tail -n 2 p.txt", "grep -n lump p.txt"],
  },
  "a later and shorter output": {
    place(world) {
      commit(world, "p.org", tagged);
      rmSync(world.path("p.org"));
    },
    cmds: ["git show HEAD:p.org", "git show HEAD:p.org | tail -n 2"],
  },
  "the end of a compressed copy": {
    place: (world) => writeFileSync(world.path("h.org.gz"), gzipSync(tagged)),
    cmds: ["zcat h.org.gz | tail -n 2", "zcat -f h.org.gz | grep lump"],
  },
  "file tags in a quotation": {
    place: (world) => writeFileSync(world.path("m.eml"), `> #+FILETAGS: :@personal:\n> ${passage}\n`),
    cmds: ["cat m.eml"],
  },
  "an archived entry": {
    place: (world) =>
      writeFileSync(
        world.path("a.org_archive"),
        `* Old\n:PROPERTIES:\n:ARCHIVE_ITAGS: @personal\n:END:\n${passage}\n`,
      ),
    cmds: ["tail -n 1 a.org_archive"],
  },
};

for (const [name, { place, cmds }] of Object.entries(unknown)) {
  test(`text with a privacy tag that was never indexed reaches no provider through ${name}`, async (t) => {
    const world = await makeWorld(t, []);
    place(world);
    world.provider.add(...cmds.map((cmd) => calls(["shell", { cmd }])), { text: "Read." });
    await using daemon = await world.open();
    const { end } = await (await talkTo(daemon)).say("What does it say?");
    assert.equal(end, "answered");
    assert.equal(world.provider.requests.length, cmds.length + 1);
    for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
  });
}

test("the model cannot free private text by overwriting its file", async (t) => {
  const world = await makeWorld(t, []);
  writeFileSync(world.path("p.org"), tagged);
  writeFileSync(world.path("copy.txt"), `${passage}\n`);
  world.provider.add(
    calls(["write-file", { path: "p.org", content: "* Empty\n" }]),
    calls([...read("copy.txt")]),
    {
      text: "Done.",
    },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const { end } = await talk.say("Go on.");
  if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
  assert.ok(world.provider.requests.length >= 3);
  for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
});

for (const cmd of ["rm p.org", "echo new > p.org", "mv p.txt p.org"]) {
  test(`private text stays known after a command replaced or removed its file: ${cmd}`, async (t) => {
    const world = await makeWorld(t, []);
    writeFileSync(world.path("p.org"), tagged);
    writeFileSync(world.path("p.txt"), "new\n");
    writeFileSync(world.path("copy.txt"), `${passage}\n`);
    world.provider.add(calls(["shell", { cmd }]), calls([...read("copy.txt")]), { text: "Done." });
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const { end } = await talk.say("Go on.");
    if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    assert.ok(world.provider.requests.length >= 3);
    for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
  });
}

test("a search that ends early counts as private", async (t) => {
  const world = await makeWorld(t, []);
  mkdirSync(world.path("many"));
  // Links count as entries, and are neither read nor followed.
  for (let at = 0; at < 20_001; at += 1) symlinkSync("nowhere", world.path(`many/${at}`));
  mkdirSync(world.path("zz"));
  writeFileSync(world.path("zz/p.org"), tagged);
  world.provider.add(calls(["shell", { cmd: "grep -rh lump ." }]), { text: "Read." });
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("What does it say?");
  assert.equal(world.provider.requests.length, 2);
  for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
});

test("a passage stays private after its note was deleted, and after a restart", async (t) => {
  const world = await withNote(t);
  world.provider.add({ text: "Hello." });
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("hi");
  }
  rmSync(inMemex(world, "health.org"));
  writeFileSync(world.path("copy.txt"), passage);
  world.provider.add(calls([...read("copy.txt")]), { text: "Read." });
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("What does copy.txt say?");
  for (const { body } of world.provider.requests) assert.doesNotMatch(wordsOf(body), telling);
});

test("what is not private goes to the provider as it is", async (t) => {
  const world = await withNote(t);
  writeFileSync(
    world.path("plain.txt"),
    "the doctor said that the weather in spring would be fine for everybody here",
  );
  world.provider.add(calls([...read("plain.txt")]), { text: "Read." });
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("What does it say?");
  assert.match(world.provider.requests[1]?.body ?? "", /weather in spring would be fine/);
});
