import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openOverlay } from "../sandbox/overlay.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { findDifference } from "./difference.ts";
import { lostCommits } from "./lost-commits.ts";

const env = {
  PATH: "/usr/bin:/bin",
  HOME: "/nowhere",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_EDITOR: "true",
};

/**
 * A repository with the commits `one` to `four` on the branch `main` and one more on `side`. The function
 * gives the commits that a script would lose of the branch.
 */
async function repository(t: TestContext, how = "", branch = "refs/heads/main") {
  const folder = await makeScratchFolder(t);
  const [work, state] = [join(folder, "work"), join(folder, "state")];
  mkdirSync(work);
  const begin = `git init -q -b main ${how}
    add() { for name; do echo $name > $name; git add $name; git commit -qm $name; done; }
    add one two; git checkout -qb side; add aside; git checkout -q main; add three four`;
  execFileSync("/bin/sh", ["-ec", begin], { cwd: work, env });
  return async (script: string) => {
    const overlay = await openOverlay(work, state);
    if (typeof overlay === "string") throw new Error(overlay);
    await using _ = overlay;
    const [program = "", ...enter] = overlay.enter;
    const words = `cd ${work}; ${script}`;
    execFileSync(program, [...enter, "/bin/sh", "-ec", words], { cwd: "/", env, stdio: "pipe" });
    const { exchanges } = await findDifference(overlay);
    const lost = await lostCommits(join(work, ".git", branch), { exchanges, overlay });
    return lost?.map((line) => line.replace(/^[0-9a-f]+ /, "")) ?? null;
  };
}

for (const how of ["", "--object-format=sha256"])
  test(`commits that no branch leads to any more are lost, however they leave${how && " (SHA-256)"}`, async (t) => {
    const lostBy = await repository(t, how);
    const ways = [
      "git update-ref refs/heads/main HEAD~2",
      "git reset -q --hard HEAD~2",
      "id=$(git rev-parse HEAD~2); echo $id > .git/refs/heads/main",
      "git checkout -q -B main HEAD~2",
      "git checkout -q side; git branch -f main main~2",
      "git rebase -q --onto HEAD~2 HEAD",
      "git reset -q --soft HEAD~2; git commit -qm both",
      "git update-ref refs/heads/main $(git commit-tree -p HEAD~2 -m x HEAD^{tree})",
      "git reset -q --hard HEAD~2; git gc -q --prune=now; git reflog expire --expire=now --all",
    ];
    for (const way of ways) assert.deepEqual(await lostBy(way), ["four", "three"], way);
    const last = [
      "git reset -q --hard HEAD~1",
      "git update-ref refs/heads/main $(git commit-tree -p HEAD~1 -m x HEAD~1^{tree})",
    ];
    for (const way of last) assert.deepEqual(await lostBy(way), ["four"], way);
    const all = "git update-ref refs/heads/main $(git commit-tree -m x HEAD^{tree})";
    assert.deepEqual(await lostBy(all), ["four", "three"], "the others are on the branch beside it");
  });

test("commits are not lost that stay in another place, as the same change, or amended", async (t) => {
  const lostBy = await repository(t);
  const ways = [
    "echo more >> one; git commit -qam more",
    "git merge -q --no-edit side",
    "git merge -q --squash side; git commit -qm side",
    "git commit -q --amend -m words",
    "echo more >> four; echo more > more; git add more; git commit -qa --amend --no-edit",
    "git rebase -q side",
    "git checkout -q -B main side; git cherry-pick main@{1}~1 main@{1}",
    "git branch keep; git reset -q --hard HEAD~2",
    "git tag -m x keep; git pack-refs --all; git reset -q --hard HEAD~2",
    "git reset -q --hard HEAD~2; git reset -q --hard ORIG_HEAD",
    "git checkout -q side",
  ];
  for (const way of ways) assert.deepEqual(await lostBy(way), [], way);
});

test("what a command writes beside the commits does not hide their loss", async (t) => {
  const lostBy = await repository(t);
  const old = "git rev-parse HEAD > .git/old; drop() { git reset -q --hard HEAD~2; }; ";
  const ways = [
    "git commit-graph write --reachable; drop",
    "git replace $(git rev-parse HEAD~2) $(git rev-parse HEAD); drop",
    "printf '%s refs/heads/main\\n' $(cat .git/old) > .git/packed-refs; drop",
    "mkdir -p .git/refs/elsewhere; cp .git/old .git/refs/elsewhere/x; drop",
    "git config core.fsmonitor 'touch /tmp/never'; drop",
  ];
  for (const way of ways) assert.deepEqual(await lostBy(old + way), ["four", "three"], way);
});

test("where the history cannot be read nobody says that nothing is lost", async (t) => {
  const lostBy = await repository(t);
  assert.equal(await lostBy(`echo ${"a".repeat(40)} > .git/refs/heads/main`), null);
  assert.equal(await lostBy("rm .git/refs/heads/main"), null);
});

test("a work tree without a branch loses what only its HEAD led to", async (t) => {
  const lostBy = await repository(t, "", "HEAD");
  assert.deepEqual(await lostBy("git checkout -q side"), []);
});
