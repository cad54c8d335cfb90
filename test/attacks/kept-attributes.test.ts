import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { sandboxFor } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const withoutAttributes: string | false =
  existsSync("/usr/bin/setfattr") && existsSync("/usr/bin/getfattr") ? false : "install the package attr";
const withoutLists: string | false = existsSync("/usr/bin/setfacl")
  ? withoutAttributes
  : "install the package acl";

/** Tries a command in a folder of two names of one file, a file with an attribute, and a folder. */
async function play(context: TestContext, cmd: string, before: readonly (readonly string[])[] = []) {
  if ((await sandboxFor(context)) === null) return null;
  const world = await makeWorld(context, [calls(["shell", { cmd }]), { text: "Done." }], {
    TRIALS: "true",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  });
  mkdirSync(world.path("d"));
  for (const name of ["a.txt", "one", "d/e.txt"]) writeFileSync(world.path(name), "hello\n");
  const here = (...words: readonly string[]): string =>
    execFileSync(words[0] ?? "", words.slice(1), { cwd: world.workspace, encoding: "utf8" });
  here("ln", "one", "two");
  for (const words of before) here(...words);
  const daemon = await world.open();
  context.after(() => daemon[Symbol.asyncDispose]());
  const talk = await talkTo(daemon);
  const said = await talk.say("please do it");
  return {
    world,
    talk,
    said,
    here,
    attributesOf: (name: string) =>
      here("getfattr", "-d", "--match=^user.", name).split("\n").slice(1).join(" ").trim(),
    inodeOf: (name: string) => statSync(world.path(name)).ino,
  };
}

const keep = ["setfattr", "-n", "user.keep", "-v", "me", "a.txt"];
const python = (code: string): string => `python3 -c "import os; ${code}"`;

for (const [what, cmd, then] of [
  ["sets", "setfattr -n user.tag -v red a.txt", 'user.keep="me" user.tag="red"'],
  ["removes", "setfattr -x user.keep a.txt", ""],
  ["changes", python("os.setxattr('a.txt','user.keep',b'you')"), 'user.keep="you"'],
] as const)
  test(`an extended attribute that a command ${what} on a file is so afterwards, and as it was after an undo`, {
    skip: withoutAttributes,
  }, async (context) => {
    const played = await play(context, cmd, [keep]);
    if (played === null) return;
    assert.equal(played.said.end, "answered", played.said.text);
    assert.equal(played.attributesOf("a.txt"), then);
    await played.talk.say("/undo");
    assert.equal(played.attributesOf("a.txt"), 'user.keep="me"');
    assert.equal(readFileSync(played.world.path("a.txt"), "utf8"), "hello\n");
  });

test("a folder that stays gets an extended attribute only in the folder itself, after a yes", {
  skip: withoutAttributes,
}, async (context) => {
  const played = await play(context, "sh -c 'setfattr -n user.tag -v red d; echo y > d/new'");
  if (played === null) return;
  assert.equal(played.said.end, "approval-required", played.said.text);
  assert.match(played.said.text, /d gets other extended attributes \(user\.tag\)/);
  assert.equal(existsSync(played.world.path("d/new")), false);
  assert.equal((await played.talk.say(`/approve ${played.talk.token()}`)).end, "answered");
  assert.equal(played.attributesOf("d"), 'user.tag="red"');
});

test("attributes that were there before void nothing and stay, of the workspace too", {
  skip: withoutAttributes,
}, async (context) => {
  const tagged = ["d", ".", "d/e.txt"].map((name) => ["setfattr", "-n", "user.tag", "-v", "red", name]);
  const played = await play(
    context,
    "sh -c 'echo x >> d/e.txt; mkdir d/n; echo y > d/n/deep; ln -s nowhere d/n/leads; ln -sf nowhere leads; : >> a.txt'",
    [...tagged, keep, ["ln", "-s", "nowhere", "leads"]],
  );
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  for (const name of ["d", ".", "d/e.txt"]) assert.equal(played.attributesOf(name), 'user.tag="red"');
  assert.equal(played.attributesOf("a.txt"), 'user.keep="me"');
});

test("a list of access that a command takes from a file is gone afterwards", {
  skip: withoutLists,
}, async (context) => {
  const given = ["setfacl", "-m", `g:${process.getgid?.()}:r`, "a.txt"];
  const played = await play(context, "setfacl -b a.txt", [given]);
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.doesNotMatch(played.here("getfacl", "-n", "a.txt"), /^group:\d/m);
});

test("permissions of a folder with a list of access are changed as those of any other", {
  skip: withoutLists,
}, async (context) => {
  const played = await play(context, "sh -c 'chmod 700 d; :'", [["setfacl", "-m", "u:4003:rx", "d"]]);
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.equal(statSync(played.world.path("d")).mode & 0o777, 0o700);
  assert.match(played.here("getfacl", "-n", "d"), /user:4003:r-x\s*#effective:---/);
});

test("the time that a command gives to a folder that stays is its time, and as it was after an undo", async (context) => {
  const played = await play(context, "sh -c 'echo x > d/new; touch -d 2001-02-03T04:05:06Z d'");
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.equal(statSync(played.world.path("d")).mtime.toISOString(), "2001-02-03T04:05:06.000Z");
  await played.talk.say("/undo");
  assert.equal(existsSync(played.world.path("d/new")), false);
  assert.ok(statSync(played.world.path("d")).mtime.getFullYear() > 2001);
});

test("a time far ahead that a command gives to the workspace itself is its time", async (context) => {
  const played = await play(context, python("os.utime('.',(1,4e9))"));
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.equal(statSync(played.world.workspace).mtimeMs, 4e12);
});

test("hard links that a command makes to a file that was there are links, as are its other names", async (context) => {
  const links = "os.link('one','three'); os.mkdir('n'); os.link('one','n/four'); os.link('a.txt','b.txt')";
  const played = await play(context, python(links));
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  const { inodeOf } = played;
  for (const name of ["two", "three", "n/four"]) assert.equal(inodeOf(name), inodeOf("one"), name);
  assert.equal(inodeOf("b.txt"), inodeOf("a.txt"));
  await played.talk.say("/undo");
  assert.equal(inodeOf("two"), inodeOf("one"));
  assert.equal(existsSync(played.world.path("n")), false);
});

test("a file that a command replaces by a hard link to one that is the same is that link", async (context) => {
  const played = await play(context, "ln -f one d/e.txt", [["cp", "-p", "one", "d/e.txt"]]);
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.equal(played.inodeOf("d/e.txt"), played.inodeOf("one"));
  assert.equal(played.inodeOf("two"), played.inodeOf("one"));
});

test("a file that a command changes and links has both names", async (context) => {
  const played = await play(context, "sh -c 'echo more >> a.txt; ln a.txt d/b.txt'");
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.equal(played.inodeOf("d/b.txt"), played.inodeOf("a.txt"));
  assert.equal(readFileSync(played.world.path("d/b.txt"), "utf8"), "hello\nmore\n");
});
