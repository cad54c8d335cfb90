import assert from "node:assert/strict";
import { test } from "node:test";
import { isInteractive } from "./interactive.ts";

test("a program talks with a person by its words: a prompt without a script, a rebase by hand, a wizard without --yes", () => {
  const talks = [
    "python3",
    "python3 -q",
    "/usr/bin/python3 -i",
    "node",
    "bash",
    "bash -i",
    "sqlite3",
    "git rebase -i HEAD~3",
    "git -c core.pager=cat rebase --interactive main",
    "git add -p",
    "git commit --patch",
    "ssh-keygen -t ed25519 -f key",
    "npm init",
    "bc",
    "gdb ./a.out",
  ];
  const silent = [
    "python3 a.py",
    "python3 -c 1",
    "python3 -m pytest",
    "python3 --version",
    "node -e 1",
    "bash -c ls",
    "bash build.sh",
    "git rebase main",
    "git add .",
    "git commit -m x",
    "git log -p",
    "ssh-keygen -N '' -f key",
    "npm init -y",
    "npm install",
    "bc sums.txt",
    "gdb -batch -ex bt ./a.out",
    "less file",
    "ls",
  ];
  for (const line of talks) assert.ok(isInteractive(line.split(" ")), line);
  for (const line of silent) assert.ok(!isInteractive(line.split(" ")), line);
});
