import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sandboxFor } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const withoutLists: string | false =
  existsSync("/usr/bin/setfacl") && existsSync("/usr/bin/getfacl") ? false : "install the package acl";

/** Lists of access of a folder that has none of its own, set before a session as its owner would. */
async function play(context: TestContext, cmd: string, before: readonly (readonly string[])[] = []) {
  if ((await sandboxFor(context)) === null) return null;
  const world = await makeWorld(context, [calls(["shell", { cmd }]), { text: "Done." }], {
    TRIALS: "true",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  });
  mkdirSync(world.path("d"));
  for (const name of ["a.txt", "d/e.txt"]) writeFileSync(world.path(name), "hello\n", { mode: 0o664 });
  for (const words of before) execFileSync("setfacl", words, { cwd: world.workspace });
  const daemon = await world.open();
  context.after(() => daemon[Symbol.asyncDispose]());
  const talk = await talkTo(daemon);
  const said = await talk.say("please do it");
  const listOf = (name: string) =>
    execFileSync("getfacl", ["--absolute-names", join(world.workspace, name)], { encoding: "utf8" });
  return { world, talk, said, listOf };
}

const own = `${process.getgid?.()}`;
const python = (words: readonly string[]): string =>
  `python3 -c "import subprocess; open('a.txt','a').write('x'); subprocess.run(${JSON.stringify(words).replaceAll('"', "'")}, check=True)"`;

for (const [what, cmd, shown] of [
  ["a named group", python(["setfacl", "-m", `g:${own}:rwx,m::rw`, "a.txt"]), /group \S+ r-- → rw-/],
  ["a named group alone", `setfacl -m g:${own}:rw a.txt`, /group \S+ r-- → rw-/],
  ["a new file", python(["sh", "-c", `echo > n.txt; setfacl -m g:${own}:rw n.txt`]), /group \S+ r-- → rw-/],
  [
    "all that is made in a new folder",
    python(["sh", "-c", "mkdir n; setfacl -d -m o::rwx n"]),
    /by default other --- → rwx/,
  ],
] as const)
  test(`a list of access that a command gives to ${what} asks and is shown`, {
    skip: withoutLists,
  }, async (context) => {
    const played = await play(context, cmd);
    if (played === null) return;
    assert.equal(played.said.end, "approval-required", played.said.text);
    assert.match(played.said.text, shown);
    assert.doesNotMatch(played.listOf("a.txt"), /rw-?x?\s*#?effective/);
    const kept = await played.talk.say(`/approve ${played.talk.token()}`);
    assert.equal(kept.end, "answered", kept.text);
    const path = ["n.txt", "n", "a.txt"].find((name) => existsSync(played.world.path(name))) ?? "";
    assert.match(played.listOf(path), /^(?:group:.+:rw|default:other::rwx)/m);
  });

test("rights behind a mask that stays ask, too", { skip: withoutLists }, async (context) => {
  const before = [["-m", `g::---,g:${own}:rw,o::---`, "a.txt"]];
  const played = await play(context, python(["setfacl", "-m", "g::rw", "a.txt"]), before);
  if (played === null) return;
  assert.equal(played.said.end, "approval-required", played.said.text);
  assert.match(played.said.text, /group --- → rw-/);
});

test("a folder that stays gets a list of access only in the folder itself, after a yes", {
  skip: withoutLists,
}, async (context) => {
  const cmd = `sh -c 'setfacl -d -m o::rwx d; echo y > d/new'`;
  const played = await play(context, cmd);
  if (played === null) return;
  assert.equal(played.said.end, "approval-required", played.said.text);
  assert.match(played.said.text, /d gets a list of access \(by default [^)]*other --- → rwx/);
  assert.doesNotMatch(played.listOf("d"), /default/);
  assert.equal(existsSync(played.world.path("d/new")), false);
  assert.equal((await played.talk.say(`/approve ${played.talk.token()}`)).end, "answered");
  assert.match(played.listOf("d"), /default:other::rwx/);
});

test("lists of access that were there before void nothing and stay", {
  skip: withoutLists,
}, async (context) => {
  const before = [
    ["-m", `g:${own}:rw`, "a.txt"],
    ["-d", "-m", `g:${own}:rwx`, "d"],
  ];
  const played = await play(
    context,
    `sh -c 'echo x >> a.txt; mkdir d/n; echo y > d/new; echo z > d/n/deep'`,
    before,
  );
  if (played === null) return;
  assert.equal(played.said.end, "answered", played.said.text);
  assert.match(played.listOf("a.txt"), /^group:.+:rw-/m);
  assert.match(played.listOf("d/n/deep"), /^group:.+:rw/m);
  assert.match(readFileSync(played.world.path("a.txt"), "utf8"), /x/);
});
