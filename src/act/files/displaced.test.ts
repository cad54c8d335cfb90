import assert from "node:assert/strict";
import { chmodSync, closeSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../machine/digest.ts";
import { makeWriteFileTool } from "../tools/files/write-file.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench } from "../tools/workbench.fixture.ts";
import { replaceFile } from "./replace.ts";
import { undoFile } from "./undo-file.ts";

/** Opens a file as a program does that saves in place. What it writes goes into the file that it opened, once another one has its name. */
function programAt(path: string) {
  const file = openSync(path, "r+");
  const opened = statSync(path).ino;
  return {
    async saves(text: string): Promise<void> {
      while (statSync(path, { throwIfNoEntry: false })?.ino === opened) await setImmediate();
      ftruncateSync(file);
      writeSync(file, text, 0);
      closeSync(file);
    },
  };
}

const old = "one\ntwo\nthree\nfour\nfive\n";
const ours = old.replace("two", "2");

for (const { name, theirs, left } of [
  { name: "added at the end", theirs: `${old}six\n`, left: `${ours}six\n` },
  { name: "changed in another line", theirs: old.replace("five", "5"), left: ours.replace("five", "5") },
  { name: "changed and added", theirs: `zero\n${old}six`, left: `zero\n${ours}six` },
]) {
  test(`what a program that had the file open ${name} while it was replaced is in the new file`, async () => {
    await using bench = await openWorkbench();
    const path = await bench.write("a.txt", old);
    const saved = programAt(path).saves(theirs);
    const tool = makeWriteFileTool(bench.ports);
    contentOf(await callTool(tool, { path: "a.txt", content: ours }, callerAt(bench.workspace)));
    await saved;
    assert.equal(await bench.read("a.txt"), left);
    assert.ok(bench.origins.has(sha256(left)), "the label of what the file holds is known");
    assert.deepEqual(await bench.names("."), ["a.txt"]);
  });
}

test("what was added to a file that is read-only by the time is in the new file, which stays read-only", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", old);
  const saved = programAt(path).saves(`${old}six\n`);
  chmodSync(path, 0o444);
  const tool = makeWriteFileTool(bench.ports);
  contentOf(await callTool(tool, { path: "a.txt", content: ours }, callerAt(bench.workspace)));
  await saved;
  assert.equal(await bench.read("a.txt"), `${ours}six\n`);
  assert.equal(statSync(path).mode & 0o777, 0o444);
});

test("where a program saved other words in the same line while the file was replaced, its words win", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", old);
  const theirs = old.replace("two", "TWO");
  const saved = programAt(path).saves(theirs);
  const tool = makeWriteFileTool(bench.ports);
  const outcome = await callTool(tool, { path: "a.txt", content: ours }, callerAt(bench.workspace));
  await saved;
  assert.equal(codeOf(outcome), "conflict");
  assert.equal(await bench.read("a.txt"), theirs);
  assert.deepEqual(await bench.names("."), ["a.txt"]);
});

test("what was added to a file while an undo deleted it is in a new file", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", old);
  const saved = programAt(path).saves(`${old}mine\n`);
  const { keepPreImage } = bench.ports;
  const undone = await undoFile({ path, from: Buffer.from(old), preImage: null, keepPreImage });
  await saved;
  assert.equal(undone.status, "merged");
  assert.equal(await bench.read("a.txt"), "mine\n");
});

test("a change that is carried over is made on each version that it meets, once", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "old\n");
  const add = (found: Uint8Array | null) => Buffer.concat([found ?? Buffer.from(""), Buffer.from("ours\n")]);
  const saved = programAt(path).saves("theirs\n");
  const replaced = await replaceFile({
    path,
    before: Buffer.from("older\n"),
    after: Buffer.from("older\nours\n"),
    mode: null,
    keepPreImage: bench.ports.keepPreImage,
    carryOver: (found) => ({ ok: true, value: add(found) }),
  });
  await saved;
  assert.ok(replaced.ok);
  assert.equal(await readFile(path, "utf8"), "theirs\nours\n");
});
