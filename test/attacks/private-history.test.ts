import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";

const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
const telling = /lump in my left lung/i;
const open = "the weather in the mountains was fine and we walked for hours without meeting anybody";
const note = `* Trip\n${open}\n* Health :@personal:\nOn Tuesday ${passage}, and nobody may know.\n`;

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
}

/** Commits a file, and then the work tree without it. */
function bury(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  git(folder, "init", "-q");
  writeFileSync(join(folder, name), text);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "one");
  git(folder, "tag", "old");
  rmSync(join(folder, name));
  git(folder, "commit", "-qam", "two");
}

type Buried = { readonly place: (folder: string) => void; readonly cmd: string };

/** Pieces of a private note that is in no work tree and was never indexed; none of them shows the tag. */
const pieces: Readonly<Record<string, Buried>> = {
  "the end of an old version": {
    place: (folder) => bury(folder, "p.org", note),
    cmd: "git show HEAD~1:p.org | tail -n 1",
  },
  "a search in an old version": {
    place: (folder) => bury(folder, "p.org", note),
    cmd: "git grep -h lump old",
  },
  "a blob by its tag": {
    place(folder) {
      bury(folder, "p.org", note);
      git(folder, "tag", "thing", git(folder, "rev-parse", "old:p.org"));
    },
    cmd: "git show thing | tail -n 1",
  },
  "a note that was packed": {
    place(folder) {
      bury(folder, "deep/diary.txt", note);
      git(folder, "gc", "-q");
    },
    cmd: "git show old:deep/diary.txt | tail -n 1",
  },
  "a commit that was amended": {
    place(folder) {
      git(folder, "init", "-q");
      writeFileSync(join(folder, "p.org"), note);
      git(folder, "add", ".");
      git(folder, "commit", "-qm", "one");
      writeFileSync(join(folder, "p.org"), "* Work\n");
      git(folder, "commit", "-qa", "--amend", "-m", "one");
    },
    cmd: "git show HEAD@{1}:p.org | tail -n 1",
  },
  "a stash": {
    place(folder) {
      bury(folder, "p.org", note);
      writeFileSync(join(folder, "q.org"), note);
      git(folder, "add", ".");
      git(folder, "stash");
    },
    cmd: "git show stash@{0}:q.org | tail -n 1",
  },
  "a commit message": {
    place(folder) {
      git(folder, "init", "-q");
      git(folder, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", note);
    },
    cmd: "git log -1 --format=%B | tail -n 2",
  },
  "file tags far above": {
    place: (folder) =>
      bury(folder, "p.org", `#+FILETAGS: :@personal:\n* A\n${"words\n".repeat(50)}${passage}\n`),
    cmd: "git show old:p.org | tail -n 1",
  },
};

/** The same in a repository below the workspace, which the words of the command do not name as a folder of their own. */
const below: Readonly<Record<string, Buried>> = {
  "folders one inside the other": {
    place: (folder) => bury(join(folder, "a/b"), "p.org", note),
    cmd: "git -C a -C b show old:p.org | tail -n 1",
  },
  "a script in many words": {
    place: (folder) => bury(join(folder, "sub"), "p.org", note),
    cmd: `bash -c 'true ${"w1 w2 w3 w4 w5 ".repeat(12)}; git -C sub show old:p.org | tail -n 1'`,
  },
  "a variable": {
    place: (folder) => bury(join(folder, "sub"), "p.org", note),
    cmd: "GIT_DIR=sub/.git git show old:p.org | tail -n 1",
  },
  "a pattern": {
    place: (folder) => bury(join(folder, "sub"), "p.org", note),
    cmd: "git -C s* show old:p.org | tail -n 1",
  },
  "a script": {
    place(folder) {
      bury(join(folder, "sub"), "p.org", note);
      writeFileSync(join(folder, "s.sh"), "git -C sub show old:p.org | tail -n 1\n");
    },
    cmd: "sh s.sh",
  },
  "a submodule": {
    place(folder) {
      const library = join(folder, "../library");
      bury(library, "p.org", note);
      git(folder, "init", "-q");
      git(folder, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "sub");
      git(join(folder, "sub"), "checkout", "-q", "old");
      git(folder, "add", ".");
      git(folder, "commit", "-qm", "one");
      git(join(folder, "sub"), "checkout", "-q", "-");
      git(folder, "commit", "-qam", "two");
    },
    cmd: "git log -p --submodule=diff | grep lump",
  },
  "a clone of a bundle in the same line": {
    place(folder) {
      const other = join(folder, "../other");
      bury(other, "p.org", note);
      git(other, "bundle", "create", "-q", join(folder, "b.bundle"), "--all");
    },
    cmd: "git clone -q b.bundle x && git -C x show old:p.org | tail -n 1",
  },
  "what the line fetches": {
    place(folder) {
      const other = join(folder, "../other");
      bury(other, "p.org", note);
      git(other, "bundle", "create", "-q", join(folder, "b.bundle"), "--all");
      git(folder, "init", "-q");
    },
    cmd: "git fetch -q b.bundle old && git show FETCH_HEAD:p.org | tail -n 1",
  },
};

async function bodiesAfter(world: AgentWorld, cmd: string): Promise<readonly string[]> {
  world.provider.add(calls(["shell", { cmd }]), { text: "Read." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const { end } = await talk.say("What does it say?");
  if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
  assert.equal(world.provider.requests.length, 2);
  return world.provider.requests.map(({ body }) => body);
}

for (const [name, { place, cmd }] of Object.entries(pieces)) {
  test(`a piece of a private note of the past reaches no provider: ${name}`, async (t) => {
    const world = await makeWorld(t, []);
    place(world.workspace);
    for (const body of await bodiesAfter(world, cmd)) assert.doesNotMatch(body, telling);
  });
}

test("a piece of the past of a repository reaches no provider, however a line comes to it", async (t) => {
  for (const [name, { place, cmd }] of Object.entries(below)) {
    await t.test(name, async () => {
      const world = await makeWorld(t, []);
      place(world.workspace);
      for (const body of await bodiesAfter(world, cmd)) assert.doesNotMatch(body, telling);
    });
  }
});

test("a piece of the past of a repository below the workspace reaches no provider", async (t) => {
  const world = await makeWorld(t, []);
  const sub = join(world.workspace, "sub");
  mkdirSync(sub);
  bury(sub, "p.org", note);
  const [, last = ""] = await bodiesAfter(world, "cd sub && git show old:p.org | tail -n 1");
  assert.doesNotMatch(last, telling);
});

test("the rest of an old version goes to the provider as it is", async (t) => {
  const world = await makeWorld(t, []);
  bury(world.workspace, "p.org", note);
  const [, last = ""] = await bodiesAfter(world, "git show HEAD~1:p.org | sed -n 2p");
  assert.match(last, /without meeting anybody/);
});
