import assert from "node:assert/strict";
import { chmod, rename, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeWriteFileTool } from "../tools/files/write-file.ts";
import { callerAt, openWorkbench, prepareCall, type Workbench } from "../tools/workbench.fixture.ts";
import { asRedone, describeUndone, undoFile } from "./undo-file.ts";

async function written(bench: Workbench, content: string) {
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a.txt", content },
    callerAt(bench.workspace),
  );
  await prepared.run(new AbortController().signal);
  const kept = bench.kept.at(-1);
  const change = prepared.changes[0];
  assert.ok(kept !== undefined && change !== undefined);
  const preImage = kept.bytes === null ? null : { bytes: kept.bytes, mode: kept.mode ?? 0o600 };
  return { path: change.path, from: Buffer.from(content), preImage, keepPreImage: bench.ports.keepPreImage };
}

test("undo restores what the file held, byte for byte, with its mode", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "old\r\n");
  await chmod(path, 0o640);
  assert.equal((await undoFile(await written(bench, "new"))).status, "restored");
  assert.equal(await bench.read("a.txt"), "old\r\n");
  assert.equal((await stat(path)).mode & 0o777, 0o640);
});

test("undo deletes a file that was created, and keeps its bytes so that the undo can be undone", async () => {
  await using bench = await openWorkbench();
  assert.equal((await undoFile(await written(bench, "new"))).status, "deleted");
  assert.deepEqual(await bench.names("."), []);
  assert.equal(Buffer.from(bench.kept.at(-1)?.bytes ?? []).toString(), "new");
});

test("a file that a person changed since stays, and the conflict is reported", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const change = await written(bench, "new");
  await bench.write("a.txt", "new, and a person's");
  const outcome = await undoFile(change);
  assert.equal(outcome.status, "conflict");
  assert.match(outcome.message, /a\.txt was changed/);
  assert.equal(await bench.read("a.txt"), "new, and a person's");
});

test("a created file that a person deleted, and an undo done twice, change nothing", async () => {
  await using bench = await openWorkbench();
  const change = await written(bench, "new");
  assert.equal((await undoFile(change)).status, "deleted");
  assert.equal((await undoFile(change)).status, "unchanged");
});

test("undo does not follow a link that was put in the file's or its folder's place", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const change = await written(bench, "new");
  await rename(change.path, join(bench.home, "a.txt"));
  await symlink(join(bench.home, "a.txt"), change.path);
  assert.equal((await undoFile(change)).status, "failed");
  assert.equal(await bench.read("../home/a.txt"), "new");
});

test("two changes are taken back one after the other, the last first", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "one");
  const first = await written(bench, "two");
  const second = await written(bench, "three");
  assert.equal((await undoFile(first)).status, "conflict");
  assert.equal((await undoFile(second)).status, "restored");
  assert.equal((await undoFile(first)).status, "restored");
  assert.equal(await bench.read("a.txt"), "one");
});

test("what is told of an undo is told of a redo as the change that is there again", () => {
  const undone = (["restored", "merged", "deleted"] as const).map((how) => describeUndone("a b.txt", how));
  assert.equal(
    asRedone(["Done again.", ...undone].join("\n")),
    [
      "Done again.",
      "a b.txt has that change again.",
      "a b.txt has that change again. What somebody else changed in it since stays.",
      "a b.txt is deleted again.",
    ].join("\n"),
  );
});
