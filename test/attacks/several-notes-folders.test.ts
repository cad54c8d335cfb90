import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, talkTo } from "../agent-world.ts";

/** Files by their paths from the home. */
function put(world: AgentWorld, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.home, path)), { recursive: true });
    writeFileSync(join(world.home, path), text);
  }
}

const crane = "* Crane\n:PROPERTIES:\n:ID: crane-1\n:END:\n";

/** A world with the notes folders `~/memex` and `~/job`; `~/other` is none. */
async function makeNotes(t: TestContext, MEMEX_DIR = "~/memex:~/job"): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { MEMEX_DIR });
  put(world, { "memex/home.org": "* Boat\n", "job/plan.org": crane, "other/else.org": "* Treasure\n" });
  return world;
}

type Proposal = readonly [tool: string, args: Record<string, unknown>, ends: "passes" | "asks" | RegExp];

/** Proposes one call after the other, each in a session of its own: it passes and is done, it asks, or it is blocked for a reason. */
async function propose(world: AgentWorld, proposals: readonly Proposal[]): Promise<void> {
  await using daemon = await world.open();
  for (const [tool, args, ends] of proposals) {
    world.provider.add(calls([tool, args]), ...(ends === "asks" ? [] : [{ text: "done" }]));
    const { events, text } = await (await talkTo(daemon)).say("go on");
    const said = [
      ...named(events, "verdict").map(({ verdict, reason }) => `${verdict} ${reason}`),
      ...named(events, "outcome").map(({ status }) => status),
    ].join("; ");
    const wanted = ends === "asks" ? /^ask / : ends === "passes" ? /^pass .*; success$/ : ends;
    assert.match(said, wanted, `${tool} ${JSON.stringify(args)}: ${said} ${text}`);
  }
}

test("notes in every named folder are read, changed and added without a question, and files elsewhere are not", async (t) => {
  const world = await makeNotes(t);
  await propose(world, [
    ["read-file", { path: "~/job/plan.org" }, "passes"],
    ["edit-notes", { file: "crane-1", operations: [{ op: "priority", at: "Crane", value: "A" }] }, "passes"],
    ["write-file", { path: "~/job/new/b.org", content: "* Hoist\n" }, "passes"],
    [
      "edit-notes",
      { file: "../job/plan.org", operations: [{ op: "todo", at: "Crane", state: "TODO" }] },
      "passes",
    ],
    ["remember", { text: "The key is under the mat" }, "passes"],
    ["read-file", { path: "~/other/else.org" }, "asks"],
    ["write-file", { path: "~/other/new.org", content: "* X\n" }, "asks"],
    ["write-file", { path: "~/job-elsewhere/new.org", content: "* X\n" }, "asks"],
  ]);
  assert.match(readFileSync(join(world.home, "job/plan.org"), "utf8"), /^\* TODO \[#A\] Crane/);
  assert.equal(readFileSync(join(world.home, "job/new/b.org"), "utf8"), "* Hoist\n");
  assert.match(readFileSync(join(world.home, "memex/inbox.org"), "utf8"), /under the mat/);
});

test("a link in a notes folder is as good as what it leads to", async (t) => {
  const world = await makeNotes(t);
  const [memex, job] = [join(world.home, "memex"), join(world.home, "job")];
  symlinkSync("../job", join(memex, "work"));
  symlinkSync("../other", join(memex, "shared"));
  symlinkSync("../other/else.org", join(job, "else.org"));
  symlinkSync("../.config/passepartout", join(job, "settings"));
  await propose(world, [
    ["write-file", { path: "~/memex/work/a.org", content: "* A\n" }, "passes"],
    ["write-file", { path: "~/memex/shared/a.org", content: "* A\n" }, "asks"],
    ["read-file", { path: "~/job/else.org" }, "asks"],
    [
      "write-file",
      { path: "~/job/settings/.env", content: "BUDGET_PER_DAY=1000\n" },
      /belongs to the agent itself/,
    ],
  ]);
  assert.equal(existsSync(join(job, "a.org")), true);
});

test("a link out of the notes that takes the place of a folder while a write waits is not written through", async (t) => {
  const world = await makeNotes(t);
  put(world, { "job/sub/.envrc": "" });
  await using daemon = await world.open();
  world.provider.add(calls(["write-file", { path: "~/job/sub/.envrc", content: "echo mine\n" }]), {
    text: "done",
  });
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("go on")).end, "approval-required");
  rmSync(join(world.home, "job/sub"), { recursive: true });
  symlinkSync("../other", join(world.home, "job/sub"));
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(existsSync(join(world.home, "other/.envrc")), false);
});

for (const [how, folders, inside] of [
  ["a notes folder inside the workspace", "~/memex:~/work/notes", "~/work/notes"],
  ["a notes folder around the workspace", "~/memex:~", "~/work"],
  ["a notes folder inside another", "~/memex:~/memex/inner", "~/memex/inner"],
  ["the first notes folder inside another", "~/memex/inner:~/memex", "~/memex/inner"],
  ["two spellings of a folder", "~/memex:~/work/../memex/inner:~/memex/inner/", "~/memex/inner"],
] as const) {
  test(`${how}: files pass, secret paths and the agent's own folders do not, and a whole folder is not deleted unasked`, async (t) => {
    const world = await makeNotes(t, folders);
    const folder = inside.replace("~", world.home);
    mkdirSync(folder, { recursive: true });
    await propose(world, [
      ["write-file", { path: `${inside}/a.org`, content: "* A\n" }, "passes"],
      ["read-file", { path: `${inside}/a.org` }, "passes"],
      ["write-file", { path: `${inside}/.env`, content: "A=1\n" }, /secret path/],
      ["write-file", { path: "~/.config/passepartout/x.org", content: "x" }, /belongs to the agent itself/],
      ["read-file", { path: "~/.local/state/passepartout/memory.db" }, /belongs to the agent itself/],
      ["shell", { cmd: `rm -r ${folder}` }, "asks"],
    ]);
  });
}

test("a program in another notes folder is not taken for the installed one", async (t) => {
  const world = await makeNotes(t);
  const planted = join(world.home, "job/cat");
  writeFileSync(planted, "#!/bin/sh\necho planted\n");
  chmodSync(planted, 0o755);
  await propose(world, [["shell", { cmd: `${planted} ${join(world.home, "job/plan.org")}` }, "asks"]]);
});

test("a write into another notes folder that is gone or empty asks first, and one into the first folder does not", async (t) => {
  const world = await makeNotes(t);
  const job = join(world.home, "job");
  for (let at = 0; at < 6; at += 1) writeFileSync(join(job, `n${at}.org`), `* Winch ${at}\n`);
  assert.match((await world.command(["memory", "search", "winch"])).out, /Winch/);
  renameSync(job, `${job}-disk`);
  mkdirSync(job);
  for (const [index, search] of ["winch", "crane boat"].entries()) {
    await world.command(["memory", "search", search]);
    const { err } = await world.command(["memory", "show"]);
    assert.match(err, /\/job: This folder is gone or empty, though 7 files of notes were known in it/);
    await propose(world, [
      ["write-file", { path: "~/job/a.org", content: "* A\n" }, "asks"],
      ["write-file", { path: `~/memex/a${index}.org`, content: "* A\n" }, "passes"],
    ]);
  }
  rmSync(job, { recursive: true });
  renameSync(`${job}-disk`, job);
  await propose(world, [["write-file", { path: "~/job/a.org", content: "* A\n" }, "passes"]]);
});

test("a private note of another folder, and one reached by a link, is withheld from a provider that is not local", async (t) => {
  const world = await makeNotes(t);
  put(world, {
    "job/diary.org": "#+FILETAGS: :@personal:\n* Anna\nThe tulips of Anna are a secret of the two of us\n",
  });
  symlinkSync("../job/diary.org", join(world.home, "memex/anna.org"));
  const settings = { LOOP_LOCAL: "false", PRIVACY_FILTER_TAGS: "@personal" };
  const { out } = await world.command(["context", "the tulips of Anna"], { settings });
  assert.doesNotMatch(out, /secret of the two/);
  await using daemon = await world.open(settings);
  world.provider.add(calls(["read-file", { path: "~/memex/anna.org" }]), { text: "done" });
  await (await talkTo(daemon)).say("go on");
  assert.doesNotMatch(JSON.stringify(world.provider.requests), /secret of the two/);
});
