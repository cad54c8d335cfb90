import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";

test("git is told to take secret files for changed, and a pipe for nothing", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(t);
  writeFileSync(join(folder, ".env"), "KEY=words");
  execFileSync("mkfifo", [join(folder, "p")]);
  for (const args of [
    ["init", "-q"],
    ["add", ".env"],
  ])
    execFileSync("git", ["-C", folder, ...args]);
  const said = outputOf(await shellIn(folder, { sandbox }).run("git status -s"));
  assert.match(said, /secret files \(\.env\), so that git takes them/);
  assert.match(said, /"hidden":\["\.env"\]/);
});

test("where git refuses a step in a clean repository since a secret file is hidden, the true reason is told", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(t);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", "-C", folder, ...args]);
  const commit = (name: string): void => {
    writeFileSync(join(folder, name), name);
    git("add", name);
    git("commit", "-qm", name);
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.org");
  commit(".env");
  git("checkout", "-qb", "feat");
  commit("f");
  git("checkout", "-q", "main");
  commit("a");
  for (const cmd of ["git rebase feat", "git merge -q feat", "git stash", "git commit -qam x"]) {
    const said = outputOf(await shellIn(folder, { sandbox }).run(cmd));
    assert.match(said, /secret files \(\.env\), so that git takes them for changed/, `${cmd}: ${said}`);
    assert.match(said, /though its owner changed nothing\. The owner does that step in a terminal/, cmd);
  }
});
