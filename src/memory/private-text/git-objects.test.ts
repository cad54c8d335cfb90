import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countCalls } from "../../../test/count-calls.ts";
import { findObjects, readBlobs } from "./git-objects.ts";

const searchPath = process.env["PATH"] ?? "/usr/bin:/bin";

test("a repository whose settings name a pipe is given up after its time, and its git is ended", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-pipe-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  execFileSync("mkfifo", [join(folder, "pipe")]);
  appendFileSync(join(folder, ".git", "config"), `[include]\n\tpath = ${join(folder, "pipe")}\n`);
  const repository = { folder: join(folder, ".git"), searchPath, seconds: 1 };
  await assert.rejects(readBlobs(repository, () => false).next(), /git ended with 124/);
});

test("without git a repository has no history that a command prints", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-no-git-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  const repository = { folder: join(folder, ".git"), searchPath: folder, programs: folder };
  assert.equal((await readBlobs(repository, () => false).next()).done, true);
});

test("a git of the workspace is never started: the system's reads the history, and without that it is not known", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-own-git-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  const ran = join(folder, "ran");
  writeFileSync(join(folder, "git"), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const repository = { folder: join(folder, ".git"), searchPath: `${folder}:${searchPath}` };
  assert.equal((await readBlobs(repository, () => false).next()).done, true);
  const lacking = { ...repository, programs: join(folder, "none") };
  await assert.rejects(readBlobs(lacking, () => false).next(), /git is not installed/);
  assert.equal(existsSync(ran), false);
});

test("a repository whose settings name places of the home folder is read", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-home-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  const settings = "[core]\n\thooksPath = ~/hk\n\texcludesFile = ~/.ignored\n[include]\n\tpath = ~/.team\n";
  appendFileSync(join(folder, ".git", "config"), settings);
  execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: folder, input: "words" });
  const found = [];
  for await (const { bytes } of readBlobs({ folder: join(folder, ".git"), searchPath }, () => false))
    found.push(bytes.toString());
  assert.deepEqual(found, ["words"]);
});

test("a folder that is no repository is known by two looks", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-none-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { files } = await countCalls(() => findObjects(folder));
  assert.equal(files, 2 * folder.split("/").length);
  execFileSync("git", ["init", "--quiet", folder]);
  assert.equal(await findObjects(join(folder, "below")), join(folder, ".git"));
});
