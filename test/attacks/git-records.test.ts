import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { paths } from "../../src/gate/paths.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { calls, isMissing, named, talkTo } from "../agent-world.ts";
import { gitIn, repositoryWorld } from "../repository-world.ts";

const records = [
  "index",
  "sharedindex.0123456789012345678901234567890123456789",
  "COMMIT_EDITMSG",
  "ORIG_HEAD",
  "MERGE_HEAD",
  "MERGE_MSG",
  "logs/HEAD",
  "logs/refs/stash",
  "objects/00/11223344556677889900112233445566778899",
  "objects/pack/pack-0123456789012345678901234567890123456789.idx",
  "objects/info/commit-graph",
  "modules/m/index",
  "worktrees/w/logs/HEAD",
];

test("what git keeps in its own folder asks by whatever way it is written, but for what a trial shows to be data", () => {
  for (const name of records) {
    const target = `${sampleFacts.folders.workspace}/.git/${name}`;
    const effect = {
      kind: "write-path",
      target,
      change: "replace",
      label: bottomLabel,
      reversal: "undoable",
    } as const;
    assert.equal(paths.answer(effect, sampleFacts, 0).result, "ask", name);
    assert.equal(paths.answer({ ...effect, repositoryData: true }, sampleFacts, 0).result, "passed", name);
  }
});

test("no file tool, redirection or copy writes what git keeps in its own folder unasked", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await repositoryWorld(t);
  const head = gitIn(world, "rev-parse", "HEAD").trim();
  const commit = `.git/objects/${head.slice(0, 2)}/${head.slice(2)}`;
  writeFileSync(world.path("x.org"), "#+begin_src text :tangle .git/ORIG_HEAD\nx\n#+end_src\n");
  const index = () => readFileSync(world.path(".git/index"), "latin1");
  const before = index();
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const call of [
    ["write-file", { path: commit, content: "x\n" }],
    ["write-file", { path: ".git/index", content: "x\n" }],
    ["write-file", { path: ".git/logs/HEAD", content: "x\n" }],
    ["edit-file", { path: ".git/COMMIT_EDITMSG", edits: [{ old: "begin", new: "end" }] }],
    ["tangle", { path: "x.org" }],
    ["shell", { cmd: "echo x > .git/index" }],
    ["shell", { cmd: "cp a.txt .git/index" }],
  ] as const) {
    world.provider.add(calls(call), { text: "Done." });
    const said = await talk.say("go on");
    assert.equal(
      said.end,
      "approval-required",
      `${JSON.stringify(call)}: ${JSON.stringify(named(said.events, "outcome"))}`,
    );
    await talk.say(`/deny ${talk.token()}`);
    assert.equal(index(), before);
  }
});
