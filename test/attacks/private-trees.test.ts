import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";

/** Too few words to be known by their fingerprints, below a tag that the matching line does not show. */
const words = "wombats4711 in the left knee";
const tagged = `* Doctor :@personal:\n${words}\n`;

async function shown(
  t: TestContext,
  world: AgentWorld,
  call: readonly [string, object],
  workspace?: string,
): Promise<string> {
  world.provider.add(calls(call), { text: "Done." });
  await using daemon = await world.open({}, workspace === undefined ? {} : { cwd: workspace });
  const talk = await talkTo(daemon);
  let { end } = await talk.say("look");
  if (end === "approval-required") ({ end } = await talk.say(`/approve ${talk.token()}`));
  assert.equal(end, "answered", t.name);
  return sent(world, world.provider.requests.length - 1);
}

/** Asserts that the result of the last call was withheld, whole or but for its frame, and that its words stand nowhere. */
function assertWithheld(body: string, what: string): void {
  assert.doesNotMatch(body, /wombats4711/, what);
  assert.match(
    body.slice(body.lastIndexOf('"role":"tool"')),
    /withheld: private|matches in private notes/,
    what,
  );
}

const searches: Readonly<Record<string, string>> = {
  "grep -r": "grep -r wombats .",
  "grep -rh over a folder": "grep -rhi WOMBATS sub",
  "find -exec": "find . -name '*.txt' -exec tail -n 1 {} +",
};

test("what a search of a whole folder prints is as private as all files in it, whatever their kind", async (t) => {
  for (const [name, cmd] of Object.entries(searches)) {
    await t.test(name, async (each) => {
      const world = await makeWorld(each, []);
      mkdirSync(world.path("sub"));
      writeFileSync(world.path("sub/copy.txt"), tagged);
      const body = await shown(each, world, ["shell", { cmd }]);
      assert.doesNotMatch(body, /wombats4711/);
      assert.match(body, /withheld: private/);
    });
  }
});

test("what a search of a folder without private files prints is shown", async (t) => {
  const world = await makeWorld(t, []);
  mkdirSync(world.path("sub"));
  writeFileSync(world.path("sub/copy.txt"), `* Doctor\n${words}\n`);
  assert.match(await shown(t, world, ["shell", { cmd: "grep -r wombats ." }]), /wombats4711/);
});

test("a workspace inside the notes folder is as private as the notes in it", async (t) => {
  const world = await makeWorld(t, []);
  const place = join(world.home, "memex/project");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(world.home, "memex/diary.org"), tagged);
  writeFileSync(join(place, "plan.org"), `#+FILETAGS: :@personal:\n* Plan\n${words}\n`);
  for (const cmd of ["grep -rh wombats .", "grep -rh wombats ..", "cat ../diary.org | tail -n 1"])
    assertWithheld(await shown(t, world, ["shell", { cmd }], place), cmd);
});

/** Ways of a name that was made from private text into the workspace. */
const namings: Readonly<Record<string, readonly [string, object]>> = {
  "a tool": ["write-file", { path: "left-knee-wombats4711/notes.txt", content: "nothing\n" }],
  "a redirection": ["shell", { cmd: "echo nothing > left-knee-wombats4711.txt" }],
};
const listings: readonly (readonly [string, object])[] = [
  ["list-files", {}],
  ["shell", { cmd: "ls" }],
  ["shell", { cmd: "find . -type d -o -type f" }],
  ["search-files", { pattern: "nothing" }],
  ["shell", { cmd: "grep -rl nothing ." }],
];

/** An agent in whose workspace a local model made names from the diary. */
async function openNamed(
  t: TestContext,
  remote: AgentWorld,
  namings: readonly (readonly [string, object])[],
) {
  const steps = [calls(["read-file", { path: "diary.org" }]), calls(...namings), { text: "Named." }];
  const local = await makeWorld(t, steps);
  const agent = await remote.open({
    PROVIDER_CASCADE: "ollama,loop",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
  });
  const talk = await talkTo(agent);
  let { end } = await talk.say("keep a file about it");
  if (end === "approval-required") ({ end } = await talk.say(`/approve ${talk.token()}`));
  assert.equal(end, "answered");
  return agent;
}

test("a name that was made from private text is private in whatever lists it", async (t) => {
  for (const [name, naming] of Object.entries(namings)) {
    await t.test(name, async (each) => {
      const remote = await makeWorld(each, []);
      writeFileSync(remote.path("diary.org"), tagged);
      await using daemon = await openNamed(each, remote, [naming]);
      const second = await talkTo(daemon, "two");
      await second.say("/model loop");
      for (const listing of listings) {
        remote.provider.add(calls(listing), { text: "Listed." });
        assert.equal((await second.say("what is here?")).text, "Listed.");
        assertWithheld(sent(remote, remote.provider.requests.length - 1), JSON.stringify(listing));
      }
      for (const index of remote.provider.requests.keys())
        assert.doesNotMatch(sent(remote, index), /wombats4711/);
    });
  }
});

test("a name that was made from private text is private in whatever git tells of it, also from a folder beside it", async (t) => {
  const remote = await makeWorld(t, []);
  const git = (...args: readonly string[]) =>
    execFileSync("git", [
      "-C",
      remote.path("."),
      "-c",
      "user.name=Ada",
      "-c",
      "user.email=a@b.example",
      ...args,
    ]);
  git("init", "--quiet");
  mkdirSync(remote.path("sub"));
  writeFileSync(remote.path("sub/plan.txt"), "nothing\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Begin");
  writeFileSync(remote.path("diary.org"), tagged);
  await using daemon = await openNamed(t, remote, [
    ["write-file", { path: "wombats4711.txt", content: "nothing\n" }],
    ["shell", { cmd: "mkdir in-wombats4711 && touch in-wombats4711/a" }],
  ]);
  rmSync(remote.path("diary.org"));
  const second = await talkTo(daemon, "two");
  await second.say("/model loop");
  for (const cmd of [
    "git status",
    "git status -s | cat",
    "git ls-files -o",
    "cd sub && git status --short",
    "git add -v .",
    "git diff --stat HEAD",
  ]) {
    remote.provider.add(calls(["shell", { cmd }]), { text: "Told." });
    const told = await second.say("what is here?");
    if (told.end === "approval-required") await second.say(`/approve ${second.token()}`);
    const body = sent(remote, remote.provider.requests.length - 1);
    assert.match(body, /"role":"tool"/, cmd);
    assertWithheld(body, cmd);
  }
});

test("names that the owner says, and names in a folder without private ones, are listed", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "plan.txt", content: "nothing\n" }]),
    { text: "Made." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("make plan.txt")).text, "Made.");
  world.provider.add(calls(["list-files", {}], ["shell", { cmd: "ls" }]), { text: "Listed." });
  assert.equal((await talk.say("what is here?")).text, "Listed.");
  const body = sent(world, world.provider.requests.length - 1);
  assert.doesNotMatch(body, /withheld/);
  assert.match(body.slice(body.lastIndexOf('"role":"tool"')), /stdout[\\":]+plan\.txt/);
});
