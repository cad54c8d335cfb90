import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { type AgentWorld, calls, isMissing, named, talkTo } from "../agent-world.ts";
import { gitIn, repositoryWorld } from "../repository-world.ts";

/** A repository with three stashes, and with commits that only the logs lead to. */
async function stashedWorld(t: Parameters<typeof repositoryWorld>[0]): Promise<AgentWorld> {
  const world = await repositoryWorld(t);
  for (const name of ["one", "two", "three"]) {
    writeFileSync(world.path("left.txt"), `${name}\n`);
    gitIn(world, "add", "-A");
    gitIn(world, "commit", "-q", "-m", `left ${name}`);
  }
  gitIn(world, "reset", "-q", "--hard", "HEAD~3");
  for (const name of ["first", "second", "third"]) {
    writeFileSync(world.path("a.txt"), `${name}\n`.repeat(50));
    gitIn(world, "stash", "push", "-q", "-m", name);
  }
  gitIn(world, "branch", "feat");
  return world;
}

const attacks: readonly (readonly [line: string, asked: RegExp])[] = [
  [
    "git reflog delete --rewrite 'refs/stash@{1}'",
    /1 commits of \.git that only its logs, or its stash, led to.*On main: second/,
  ],
  ["git reflog delete 'refs/stash@{2}'", /1 commits of \.git.*On main: first/],
  ["git reflog delete --updateref --rewrite 'refs/stash@{0}'", /On main: third/],
  ["sed -i 2d .git/logs/refs/stash", /1 commits of \.git.*On main: second/],
  ["sed -i '2s/> /, /' .git/logs/refs/stash", /1 commits of \.git.*On main: second/],
  ["sed -i '1,2d' .git/logs/refs/stash", /2 commits of \.git.*On main: second/],
  ["perl -e 'open F, q{>.git/logs/refs/stash}'", /commits of \.git.*On main: second/],
  [
    "for f in HEAD refs/heads/main; do tail -n 1 .git/logs/$f > .git/x; cp .git/x .git/logs/$f; done; rm .git/x",
    /3 commits of \.git.*left three.*left two.*left one/,
  ],
  ["mkdir .git/old; mv .git/logs/HEAD .git/logs/refs .git/old", /commits of \.git.*left three/],
  ["for f in HEAD refs/heads/main refs/heads/feat; do echo > .git/logs/$f; done", /3 commits of \.git/],
];

test("what only entries of logs lead to is not put out of reach unasked", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await stashedWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [line, asked] of attacks) {
    writeFileSync(world.path("attack.txt"), `${line}\n`);
    world.provider.add(calls(["shell", { cmd: "sh attack.txt" }]), { text: "Done." });
    const said = await talk.say("go on");
    assert.equal(said.end, "approval-required", `${line}: ${JSON.stringify(named(said.events, "outcome"))}`);
    assert.match(said.text, asked, line);
    await talk.say(`/deny ${talk.token()}`);
  }
  assert.match(gitIn(world, "stash", "list"), /third\n.*second\n.*first/);
});

test("entries of logs that go while something else leads to the same commits are not asked about", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await stashedWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const line of [
    "perl -e 'open F, q{>.git/logs/refs/heads/feat}'",
    "sed -i 1d .git/logs/refs/heads/main",
    "echo 1 > 1.txt; git add 1.txt; git commit -qm one; git commit -q --amend -m two; git reset -q --hard HEAD~1",
    "git checkout -q feat; echo 2 > 2.txt; git add 2.txt; git commit -qm 2; git checkout -q main; git rebase -q feat",
  ]) {
    writeFileSync(world.path(".git/work.txt"), `${line}\n`);
    world.provider.add(calls(["shell", { cmd: "sh .git/work.txt" }]), { text: "Done." });
    const said = await talk.say("go on");
    assert.doesNotMatch(said.text, /only its logs/, line);
    if (said.end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    else assert.match(JSON.stringify(named(said.events, "outcome")), /"exitCode":0/, line);
  }
});
