import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, talkTo } from "../agent-world.ts";

const MEMEX_DIR = "~/memex:~/job";

/** A world with files by their paths from the home. */
async function makeNotes(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = { MEMEX_DIR },
): Promise<AgentWorld> {
  const world = await makeWorld(t, [], settings);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.home, path)), { recursive: true });
    writeFileSync(join(world.home, path), text);
  }
  return world;
}

const notes = {
  "memex/home.org":
    "* Boat\nSCHEDULED: <2026-03-02 Mon>\nSee [[id:crane-1]], [[denote:20240101T000000]] and [[file:../job/plan.org]].\n",
  "job/plan.org":
    "* TODO Crane\nSCHEDULED: <2026-03-02 Mon>\n:PROPERTIES:\n:ID: crane-1\n:END:\n[2026-03-02 Mon]\n",
  "job/20240101T000000--hoist__work.org": "* Winch\nLifts.\n",
};

test("agenda, query, search, backlinks and memory show have the notes of every folder", async (t) => {
  const world = await makeNotes(t, notes);
  const out = async (...args: readonly string[]): Promise<string> => {
    const done = await world.command(args);
    assert.equal(done.code, 0, `${args.join(" ")}: ${done.err}`);
    return done.out;
  };
  const day = ["agenda", "--from", "2026-03-02", "--days", "1"];
  const agenda = await out(...day);
  assert.match(agenda, /home: .*Boat/);
  assert.match(agenda, /plan: .*Crane/);
  assert.match(await out(...day, "--inactive"), /plan: .*Crane/);
  assert.match(await out("query", 'TODO="TODO"', "--json"), /"file":"\.\.\/job\/plan\.org"/);
  assert.match(await out("memory", "search", "winch"), /\.\.\/job\/20240101T000000--hoist__work\.org/);
  assert.match(await out("backlinks", "crane-1"), /Boat/);
  assert.match(await out("backlinks", "20240101T000000"), /Boat/);
  assert.match(await out("memory", "show"), /in 3 files of \S+\/memex, \S+\/job, root/);
  assert.match(await out("memory", "show", "crane-1"), /\* TODO Crane/);
  assert.match(await out("memory", "verify"), /intact/);
  assert.match(await out("memory", "rebuild"), /in 3 files of \S+\/memex, \S+\/job, the same root/);
  const settings = { ORG_AGENDA_FILES: "~/job/plan.org" };
  const named = await world.command(day, { settings });
  assert.match(named.out, /Crane/);
  assert.doesNotMatch(named.out, /Boat/);
});

test("org check knows the IDs of all notes for a note, and those beside it for any other file", async (t) => {
  const world = await makeNotes(t, {
    ...notes,
    "memex/deep/er/note.org": "See [[id:crane-1]] and [[id:nowhere-1]].\n",
    "work/readme.org": "See [[id:crane-1]].\n",
  });
  const check = async (name: string): Promise<string> =>
    (await world.command(["org", "check", join(world.home, name)])).out;
  assert.doesNotMatch(await check("memex/home.org"), /crane-1|plan\.org/);
  const nested = await check("memex/deep/er/note.org");
  assert.match(nested, /nowhere-1/);
  assert.doesNotMatch(nested, /crane-1/);
  assert.match(await check("work/readme.org"), /crane-1/);
});

test("commands that read notes run without a question in every folder", async (t) => {
  const world = await makeNotes(t, notes);
  await using daemon = await world.open();
  for (const cmd of [
    "cat ~/job/plan.org",
    "grep -rn Crane ~/job",
    `wc -l ${world.home}/memex/home.org ${world.home}/job/plan.org`,
  ]) {
    world.provider.add(calls(["shell", { cmd }]), { text: "done" });
    const { events, end, text } = await (await talkTo(daemon)).say("look");
    assert.equal(end, "answered", `${cmd}: ${text}`);
    assert.deepEqual(
      named(events, "outcome").map(({ status }) => status),
      ["success"],
      cmd,
    );
  }
});

test("/note goes into the first folder, and /undo takes back an edit in another", async (t) => {
  const world = await makeNotes(t, notes);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("/note Water the roses");
  assert.match((await world.command(["query", "ITEM={roses}"])).out, /roses/);
  const edit = { file: "crane-1", operations: [{ op: "title", at: "Crane", value: "Derrick" }] };
  world.provider.add(calls(["edit-notes", edit]), { text: "done" });
  assert.equal((await talk.say("rename it")).end, "answered");
  assert.match((await world.command(["memory", "show", "crane-1"])).out, /TODO Derrick/);
  await talk.say("/undo");
  assert.match((await world.command(["memory", "show", "crane-1"])).out, /TODO Crane/);
});

test("the prompt names every folder and says where new notes go", async (t) => {
  const world = await makeNotes(t, notes);
  const { out } = await world.command(["context", "--prompt", "what is the crane for?"]);
  assert.match(out, /Notes: \S+\/memex \(new ones go here\), \S+\/job\./);
  assert.match(out, /Crane/);
});

const doctors: readonly (readonly [
  what: string,
  settings: Readonly<Record<string, string>>,
  prepare: (home: string) => void,
  said: RegExp,
])[] = [
  [
    "a missing one",
    { MEMEX_DIR: "~/memex:~/gone" },
    () => undefined,
    /note +folders: MEMEX_DIR names \S+\/gone, and there is no such folder/,
  ],
  [
    "a file",
    { MEMEX_DIR: "~/memex:~/job/plan.org" },
    () => undefined,
    /note +folders: notes in a folder of MEMEX_DIR cannot be changed: \S+\/plan\.org is not a folder/,
  ],
  [
    "the same one twice, by a link",
    { MEMEX_DIR: "~/memex:~/job:~/link" },
    (home) => symlinkSync("job", join(home, "link")),
    /note +folders: MEMEX_DIR names \S+\/job 2 times \(\S+\/job, \S+\/link\)/,
  ],
  [
    "one inside another",
    { MEMEX_DIR: "~/memex:~/memex/inner" },
    (home) => mkdirSync(join(home, "memex/inner")),
    /ok +folders: \S+\/memex\/inner is inside \S+\/memex; each note in it counts once/,
  ],
  [
    "one with the state in it",
    { MEMEX_DIR: "~/memex:~/job", XDG_STATE_HOME: "HOME/job/state" },
    () => undefined,
    /note +folders: the notes folder \S+\/job holds folders of the agent itself \(\S+\/job\/state\/passepartout/,
  ],
  [
    "one inside the state",
    { MEMEX_DIR: "~/memex:HOME/.local/state/passepartout/notes" },
    (home) => mkdirSync(join(home, ".local/state/passepartout/notes"), { recursive: true }),
    /note +folders: the notes folder \S+\/notes is inside \S+\/passepartout, which belongs to the agent itself/,
  ],
  [
    "one around the home folder",
    {
      HOME: "HOME/user",
      MEMEX_DIR: "~/memex:HOME",
      XDG_STATE_HOME: "/nowhere/state",
      XDG_CONFIG_HOME: "/nowhere/configuration",
    },
    () => undefined,
    /note +folders: the notes folder \S+ holds your home folder/,
  ],
  [
    "a link that leads out",
    { MEMEX_DIR },
    (home) => {
      mkdirSync(join(home, "other"));
      writeFileSync(join(home, "other/a.org"), "* A\n");
      symlinkSync("../other/a.org", join(home, "job/a.org"));
      symlinkSync("../job/plan.org", join(home, "memex/plan.org"));
    },
    /note +notes: \.\.\/job\/a\.org: The link leads out of the notes folder, to \S+\/other\/a\.org/,
  ],
];

for (const [what, settings, prepare, said] of doctors) {
  test(`doctor tells of notes folders: ${what}`, async (t) => {
    const world = await makeNotes(t, notes);
    mkdirSync(join(world.home, "user"));
    prepare(world.home);
    const given: Record<string, string> = {};
    for (const [name, value] of Object.entries(settings)) given[name] = value.replace("HOME", world.home);
    const { out } = await world.command(["doctor"], { settings: given });
    assert.match(out, said);
    assert.equal(out.match(/leads out of/g)?.length ?? 0, what === "a link that leads out" ? 1 : 0);
  });
}

test("an unreadable folder keeps its notes in the index, and the others are read", {
  skip: process.getuid?.() === 0 ? "root reads what is closed to others" : false,
}, async (t) => {
  const world = await makeNotes(t, notes);
  await world.command(["memory", "search", "winch"]);
  const job = join(world.home, "job");
  chmodSync(job, 0o000);
  const shown = await world.command(["memory", "show"]);
  const searched = await world.command(["memory", "search", "boat"]);
  const { out } = await world.command(["doctor"]);
  chmodSync(job, 0o700);
  assert.match(shown.out, /in 3 files of /);
  assert.match(shown.out, /job cannot be looked at \(EACCES\)/);
  assert.match(searched.out, /Boat/);
  assert.match(
    out,
    /note +folders: notes in a folder of MEMEX_DIR cannot be changed: \S+\/job cannot be used/,
  );
});
