import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

/** A project with tests, as a repository whose first commit has all of it. */
function makeProject(world: AgentWorld, more: Readonly<Record<string, string>> = {}): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: world.workspace });
  writeFileSync(world.path("package.json"), '{"scripts":{"test":"true","format":"true"}}');
  writeFileSync(world.path("a.ts"), "export const a = 1;\n");
  for (const [name, text] of Object.entries(more)) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), text);
  }
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
}

const edit = calls(["edit-file", { path: "a.ts", old: "1", new: "2" }]);
const notices = (events: Parameters<typeof named>[0]) =>
  named(events, "thinking").flatMap(({ text }) => (text.includes("not committed") ? [text] : []));

test("before the first change of a session in a work tree that is not clean its owner is told once, and is not asked", async (t) => {
  if (isMissing(t, "git", "git")) return;
  const world = await makeWorld(t, [
    edit,
    { text: "Done." },
    calls(["edit-file", { path: "a.ts", old: "2", new: "3" }]),
    { text: "Done." },
  ]);
  makeProject(world);
  writeFileSync(world.path("mine.txt"), "mine");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const first = await talk.say("change a.ts");
  assert.equal(first.end, "answered");
  assert.deepEqual(notices(first.events), [
    "The work tree has changes that are not committed (mine.txt). Mine come on top of them; /undo takes back mine alone.",
  ]);
  const second = await talk.say("again");
  assert.deepEqual(notices(second.events), []);
});

test("a clean work tree, a folder without git and a repository whose settings name programs are told nothing, and nothing of them runs", async (t) => {
  if (isMissing(t, "git", "git")) return;
  for (const kind of ["clean", "plain", "hostile"]) {
    const world = await makeWorld(t, [edit, { text: "Done." }]);
    if (kind === "plain") writeFileSync(world.path("a.ts"), "export const a = 1;\n");
    else makeProject(world, { ".npmrc": "fund=false\n", "keys/server.pem": "a key" });
    if (kind === "hostile") {
      mkdirSync(world.path("sub"));
      writeFileSync(world.path("sub/b.txt"), "b");
      writeFileSync(world.path(".gitattributes"), "* filter=evil\n");
      execFileSync("git", ["config", "filter.evil.clean", `touch ${world.path("ran")}`], {
        cwd: world.workspace,
      });
    }
    await using daemon = await world.open();
    const { end, events } = await (await talkTo(daemon)).say("change a.ts");
    assert.equal(end, "answered", kind);
    assert.deepEqual(notices(events), [], kind);
    assert.throws(() => execFileSync("test", ["-e", world.path("ran")]), kind);
  }
});

test("a turn that changed code and ran no tests after it says so with the project's own command; one that did, or changed none, does not", async (t) => {
  const world = await makeWorld(t, [
    edit,
    { text: "Changed." },
    calls(["edit-file", { path: "a.ts", old: "2", new: "3" }], ["shell", { cmd: "echo npm test" }]),
    { text: "Tested." },
    calls(["shell", { cmd: "echo npm test" }], ["edit-file", { path: "a.ts", old: "3", new: "4" }]),
    { text: "Too early." },
    calls(["write-file", { path: "notes.txt", content: "x" }]),
    { text: "Words." },
    { text: "Nothing." },
    calls(["edit-file", { path: "a.ts", old: "const", new: "let" }]),
    calls(["shell", { cmd: "echo npm test" }]),
    calls(["read-file", { path: "a.ts" }]),
    { text: "Tested and read." },
  ]);
  writeFileSync(world.path("package.json"), '{"scripts":{"test":"true","format":"true"}}');
  writeFileSync(world.path("a.ts"), "export const a = 1;\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const told =
    "Changed without running tests: a.ts. The project's own are run by `npm test`, its formatter `npm run format`.";
  assert.equal((await talk.say("change")).text, `Changed.\n\n${told}`);
  assert.equal((await talk.say("change and test")).text, "Tested.");
  assert.equal((await talk.say("test and change")).text, `Too early.\n\n${told}`);
  assert.equal((await talk.say("note")).text, "Words.");
  assert.equal((await talk.say("hi")).text, "Nothing.");
  // What was done after the tests, under the same id of the model, does not hide them.
  assert.equal((await talk.say("change, test and read")).text, "Tested and read.");
});
