import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { court } from "../../../test/attacks/trial-court.ts";
import { probe } from "../tools/shell/sandbox.fixture.ts";
import { outputOf } from "../tools/shell/shell.fixture.ts";

test("a command that fails because it renames a folder that must stay is told what to do, and not to ask for the network", async (context) => {
  const made = await court(context);
  if (made === null) return;
  for (const name of ["src", "secret"]) mkdirSync(made.path(name));
  writeFileSync(made.path("src/a"), "mine");
  writeFileSync(made.path("secret/.env"), "KEY=mine");
  const refused = await made.attempt(
    probe(`fs.renameSync("secret", "lib");`).replace("process.on", "0 && process.on"),
  );
  assert.match(refused.said, /renamed a folder that was there before/);
  assert.match(refused.said, /Use mv, which copies the folder/);
  assert.doesNotMatch(refused.said, /network/);
  const other = await made.attempt(`${probe("process.exit(3);")}`);
  assert.match(other.said, /If it needs the network/);
  assert.doesNotMatch(other.said, /renamed/);
  const moved = await made.attempt(`sh -c 'mv src lib && cat lib/a'`);
  assert.match(moved.said, /mine/);
  const fresh = await made.attempt(
    probe(`fs.mkdirSync("new"); fs.renameSync("new", "newer"); console.log("DONE");`),
  );
  assert.match(fresh.said, /DONE/);
});

test("git with a remote that is a folder outside of the workspace is told so, and not of ssh, the network or rights", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const git = (...words: readonly string[]): Buffer => execFileSync("git", ["-C", made.workspace, ...words]);
  git("init", "-q", "-b", "main");
  git("-c", "user.name=Ada", "-c", "user.email=a@b.example", "commit", "-q", "--allow-empty", "-m", "one");
  git("init", "-q", "--bare", join(made.workspace, "../hub.git"));
  git("remote", "add", "origin", "../hub.git");
  const outside = /The remote \S*hub\.git is a folder outside of the workspace, and commands do not see it/;
  for (const line of ["git fetch", "git push origin main", "git ls-remote ../hub.git"]) {
    const said = outputOf(await made.approve(line));
    assert.match(said, outside, line);
    assert.match(said, /The owner runs this git command in a terminal/, line);
    assert.doesNotMatch(said, /ssh is not carried|If it needs the network/, line);
  }
  assert.doesNotMatch(outputOf(await made.approve("git fetch nowhere")), outside);
});
