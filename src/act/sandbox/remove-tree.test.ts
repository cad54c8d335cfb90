import assert from "node:assert/strict";
import { ChildProcess, execFileSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { removeTree } from "./overlay.ts";

function makePlace(t: TestContext): { readonly tree: string; readonly outside: string } {
  const place = mkdtempSync(join(tmpdir(), "remove-tree-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const [tree, outside] = [join(place, "tree"), join(place, "outside")];
  for (const folder of [tree, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "kept"), "kept");
  return { tree, outside };
}

/** Removes a folder, and counts the programs that it took: those that were given its path. */
async function programsOf(folder: string): Promise<number> {
  const started: ChildProcess[] = [];
  const count = (message: unknown): void => {
    if (typeof message === "object" && message !== null && "process" in message)
      if (message.process instanceof ChildProcess) started.push(message.process);
  };
  subscribe("child_process", count);
  try {
    await removeTree(folder);
  } finally {
    unsubscribe("child_process", count);
  }
  assert.ok(!existsSync(folder));
  return started.filter(({ spawnargs }) => spawnargs.includes(folder)).length;
}

test("a few files and folders are removed without a program, and what their links lead to stays", async (t) => {
  const { tree, outside } = makePlace(t);
  mkdirSync(join(tree, "upper/a/b"), { recursive: true });
  writeFileSync(join(tree, "upper/a/b/file"), "gone");
  for (const link of ["upper/folder", "upper/a/b/folder"]) symlinkSync(outside, join(tree, link));
  symlinkSync(join(outside, "kept"), join(tree, "file"));
  symlinkSync("nowhere", join(tree, "dangling"));
  execFileSync("mkfifo", [join(tree, "pipe")]);
  assert.equal(await programsOf(tree), 0);
  assert.equal(readFileSync(join(outside, "kept"), "utf8"), "kept");
});

test("a link in place of a folder goes, and what it leads to stays", async (t) => {
  const { tree, outside } = makePlace(t);
  symlinkSync(outside, join(tree, "link"));
  await removeTree(join(tree, "link"));
  assert.ok(!existsSync(join(tree, "link")));
  assert.equal(readFileSync(join(outside, "kept"), "utf8"), "kept");
});

test("closed folders, odd names, long paths and many files are removed, and what is missing is no fault", async (t) => {
  const { tree } = makePlace(t);
  const closed = join(tree, "closed/below");
  mkdirSync(closed, { recursive: true });
  writeFileSync(join(closed, "file"), "gone");
  chmodSync(closed, 0);
  chmodSync(join(tree, "closed"), 0);
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0x80])]), "gone");
  await removeTree(tree);
  assert.ok(!existsSync(tree));
  const deep = [
    "-c",
    `mkdir -p "$1" && cd -P "$1" && mkdir -p "$1"`,
    "bash",
    Array(200).fill("some-folder").join("/"),
  ];
  mkdirSync(tree);
  execFileSync("/bin/bash", deep, { cwd: tree });
  assert.notEqual(await programsOf(tree), 0);
  mkdirSync(tree);
  for (let each = 0; each < 300; each += 1) writeFileSync(join(tree, `${each}`), "gone");
  assert.notEqual(await programsOf(tree), 0);
  await removeTree(tree);
});
