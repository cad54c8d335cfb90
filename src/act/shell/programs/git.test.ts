import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathUse } from "./proof.ts";
import { proveHarmless } from "./prove-harmless.ts";

const harmless = [
  "git status -s",
  "git log --oneline -5",
  "git diff HEAD",
  "git show HEAD",
  "git branch --list",
  "git ls-files",
  "git -C src log --oneline",
  "git -C src -C a --no-pager diff HEAD",
  "git -c color.ui=never -c core.quotePath=off status",
  "git rev-parse HEAD",
];

for (const cmd of harmless) {
  test(`only shows: ${cmd}`, () => {
    const proof = proveHarmless(cmd.split(" "));
    assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
  });
}

const doubtful = [
  "git -C x push",
  "git -C x -c core.pager=sh log",
  "git -C x --exec-path=y log",
  "git -C",
  "git -c a=b status",
  "git -c core.fsmonitor=x status",
  "git -c core.hooksPath=x status",
  "git -c alias.x=!sh x",
  "git -c diff.external=x diff",
  "git -c diff.x.textconv=sh diff",
  "git -c core.sshCommand=x log",
  "git -c status.submoduleSummary=1 status",
  "git -c color.ui=1 -c log.showSignature=1 log",
  "git --paginate log",
  "git -p log",
  "git --config-env=core.pager=x log",
  "git --work-tree=/ status",
  "git --git-dir=x log",
  "git --exec-path=x log",
  "git status --foo",
  "git log --output=x",
  "git diff --ext-diff",
  "git diff --no-index a b",
  "git diff --outpu=x",
  "git show --textconv HEAD:f",
  "git log --show-signature",
  "git log --format=%G?",
  "git log --pretty=%GS",
  "git branch x",
  "git branch -d x",
  "git branch --edit-description",
  "git tag x",
  "git remote add a b",
  "git grep -Oless x",
  "git grep --open-files-in-pager=sh x",
  "git config --list",
  "git fetch",
  "git stash",
  "git reflog expire",
  "git help log",
  "git log --help",
  "git diff -Ofile",
  "git cat-file -p HEAD:x",
  "git archive HEAD",
  "git rev-parse HEAD:.env",
  "git show :.env",
  "git x",
];

for (const cmd of doubtful) {
  test(`is not known to only show: ${cmd}`, () => {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false);
  });
}

function reads(...argv: readonly string[]): readonly PathUse[] {
  const proof = proveHarmless(argv);
  assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
  return proof.harmless ? proof.reads : [];
}

test("git in another folder reads that folder, and its guards come behind its own settings", () => {
  const proof = proveHarmless([
    "git",
    "-C",
    "a",
    "-C",
    "b",
    "-c",
    "color.ui=always",
    "diff",
    "HEAD",
    "--",
    "f",
  ]);
  assert.ok(proof.harmless);
  assert.equal(proof.harmless && proof.folder, "a/b");
  assert.deepEqual(proof.harmless && proof.reads.map(({ path }) => path), [
    "a/b",
    "a/b/.",
    "a/b/HEAD",
    "a/b/f",
  ]);
  const argv = proof.harmless ? proof.argv : [];
  assert.ok(argv.indexOf("color.ui=always") < argv.indexOf("core.fsmonitor=false"));
  assert.ok(proof.harmless && proof.exclusion?.at === argv.length);
  assert.ok(
    reads("git", "-C", "/etc", "status").some(({ path, access }) => path === "/etc" && access === "contents"),
  );
});

test("a file in a git revision is a read of that file", () => {
  assert.ok(
    reads("git", "show", "HEAD:.env").some(({ path, access }) => path === ".env" && access === "contents"),
  );
  assert.ok(
    reads("git", "diff", "/dev/null", "/home/u/.ssh/id_rsa").some(
      ({ path }) => path === "/home/u/.ssh/id_rsa",
    ),
  );
});
