import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

/**
 * A world whose workspace is a repository with three commits in a pack and one outside, and a staged file.
 */
async function repositoryWorld(t: TestContext): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  writeFileSync(join(world.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  git(world, "init", "-q", "-b", "main");
  for (const name of ["one", "two", "three", "four"]) {
    if (name === "four") git(world, "repack", "-adq");
    writeFileSync(world.path(`${name}.txt`), `${name}\n`.repeat(100));
    git(world, "add", "-A");
    git(world, "commit", "-q", "-m", name);
  }
  writeFileSync(world.path("staged.txt"), "staged\n");
  git(world, "add", "-A");
  return world;
}

function git(world: AgentWorld, ...args: readonly string[]): string {
  const env = { ...process.env, HOME: world.home, GIT_CONFIG_GLOBAL: join(world.home, ".gitconfig") };
  return execFileSync("git", args, { cwd: world.workspace, encoding: "utf8", env });
}

const python = (lines: string): string => `python3 -c "\nimport glob, os, subprocess, zlib\n${lines}\n"`;
const overwrite = (pattern: string, made: string): string =>
  python(`for f in glob.glob('.git/objects/${pattern}'):
    os.chmod(f, 0o644)
    s = open(f, 'rb').read()
    open(f, 'wb').write(${made})`);

const attacks: Readonly<Record<string, string>> = {
  "the first bytes of a pack": overwrite("pack/*.pack", "b'XXXX' + s[4:]"),
  "one byte within a pack": overwrite("pack/*.pack", "s[:300] + bytes([s[300] ^ 1]) + s[301:]"),
  "the index of a pack": overwrite("pack/*.idx", "s[:1040] + bytes(20) + s[1060:]"),
  "a pack that is emptied": overwrite("pack/*.pack", "b''"),
  "one object":
    python(`f = subprocess.run(['git', 'rev-parse', 'HEAD:four.txt'], capture_output=True, text=True).stdout.strip()
f = '.git/objects/' + f[:2] + '/' + f[2:]
os.chmod(f, 0o644)
open(f, 'wb').write(zlib.compress(b'blob 4\\0evil'))`),
  "what only the index leads to":
    python(`f = subprocess.run(['git', 'rev-parse', ':staged.txt'], capture_output=True, text=True).stdout.strip()
os.remove('.git/objects/' + f[:2] + '/' + f[2:])`),
};

test("no object that a branch or the index leads to is damaged or deleted unasked", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await repositoryWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [what, cmd] of Object.entries(attacks)) {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const said = await talk.say("tidy up");
    assert.match(said.text, /objects of \.git that a branch, a tag, a log or the index leads to/, what);
    await talk.say(`/deny ${talk.token()}`);
  }
});

test("git packs objects and branches unasked, and asks in a line about objects that nothing leads to", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await repositoryWorld(t);
  git(world, "tag", "-am", "first", "v1");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asks = async (cmd: string): Promise<string> => {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const said = await talk.say("tidy up");
    if (said.end !== "answered") return said.text;
    assert.match(JSON.stringify(named(said.events, "outcome")), /"exitCode":0/, cmd);
    git(world, "fsck", "--full");
    return "";
  };
  for (const cmd of [
    "git repack -dq",
    "sh -c 'echo more >> one.txt; git add -A; git commit -qm five'",
    "git gc -q",
    "git maintenance run",
  ])
    assert.equal(await asks(cmd), "", cmd);
  assert.match(git(world, "count-objects", "-v"), /^count: 0\n(?:.*\n)*packs: 1\n/);
  for (const cmd of ["git prune --expire=now", "git gc -q --prune=now"]) {
    execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: world.workspace, input: cmd });
    const one = /^[^;]*1 objects of \.git that no branch, tag, log or index leads to \(\/undo brings [^;]*$/;
    assert.match(await asks(cmd), one, cmd);
    await talk.say(`/approve ${talk.token()}`);
    git(world, "fsck", "--full");
  }
  const alternates = join(world.workspace, ".git/objects/info/alternates");
  writeFileSync(alternates, `${join(world.workspace, ".git/objects")}\n`);
  const cmd = python("os.unlink('.git/objects/info/alternates')");
  world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
  assert.equal(
    (await talk.say("tidy up")).end,
    "approval-required",
    "where objects are borrowed from is no object",
  );
});

test("a list of packed branches that is not as git writes it asks, and so does a branch that goes", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await repositoryWorld(t);
  git(world, "tag", "-am", "first", "v1");
  git(world, "branch", "side");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const packed = (made: string): string =>
    python(`subprocess.run(['git', 'pack-refs', '--all'], check=True)
s = open('.git/packed-refs').read()
open('.git/packed-refs', 'w').write(${made})`);
  const kinds: Readonly<Record<string, string>> = {
    "a tag that stands for another commit": packed("s[:s.index('^') + 1] + 'a' * 40 + s[-1]"),
    "branches in another order": packed(
      "chr(10).join([s.split(chr(10))[i] for i in (0, 2, 1, 3, 4)]) + chr(10)",
    ),
    "a line that git does not write": packed("s + '# more' + chr(10)"),
    "a branch that stands twice": packed(
      "chr(10).join(l for l in s.split(chr(10)) for _ in range(2 if 'side' in l else 1))",
    ),
    "a branch that is left out": packed("chr(10).join(l for l in s.split(chr(10)) if 'side' not in l)"),
  };
  for (const [what, cmd] of Object.entries(kinds)) {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    assert.match((await talk.say("tidy up")).text, /work\/\.git\/packed-refs is executed later/, what);
    await talk.say(`/deny ${talk.token()}`);
  }
});
