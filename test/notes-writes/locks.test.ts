import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { test } from "node:test";
import { lockPathOf, readLock } from "../../src/act/files/locks/lock-file.ts";
import { undoFile } from "../../src/act/files/undo-file.ts";
import { makeEditFileTool } from "../../src/act/tools/files/edit-file.ts";
import { makeWriteFileTool } from "../../src/act/tools/files/write-file.ts";
import {
  callerAt,
  callTool,
  codeOf,
  contentOf,
  openWorkbench,
} from "../../src/act/tools/workbench.fixture.ts";
import { isMissing, makeWorld } from "../agent-world.ts";
import { openInEmacs } from "./open-emacs.ts";

test("no tool writes a file with unsaved changes in a real Emacs until they are saved", async (t) => {
  if (isMissing(t, "emacs", "emacs-nox")) return;
  await using bench = await openWorkbench();
  const path = await bench.write("plan.org", "* TODO buy milk\n");
  await using emacs = await openInEmacs(path, "* from Emacs\n");
  assert.equal((await readLock(lockPathOf(path)))?.process, emacs.pid);
  const caller = callerAt(bench.workspace);
  const write = await callTool(makeWriteFileTool(bench.ports), { path: "plan.org", content: "x" }, caller);
  const edit = { path: "plan.org", old: "milk", new: "bread" };
  assert.equal(codeOf(write), "locked");
  assert.equal(codeOf(await callTool(makeEditFileTool(bench.ports), edit, caller)), "locked");
  assert.equal(await bench.read("plan.org"), "* TODO buy milk\n");
  await emacs.save();
  assert.equal(await readLock(lockPathOf(path)), null);
  contentOf(await callTool(makeEditFileTool(bench.ports), edit, caller));
  assert.equal(await bench.read("plan.org"), "* TODO buy bread\n* from Emacs\n");
});

test("the lock of a killed Emacs does not count", async (t) => {
  if (isMissing(t, "emacs", "emacs-nox")) return;
  await using bench = await openWorkbench();
  const path = await bench.write("plan.org", "a\n");
  await (await openInEmacs(path, "b\n"))[Symbol.asyncDispose]();
  assert.match(String(await readFile(path, "utf8")), /^a\n$/);
  assert.equal(await readLock(lockPathOf(path)), null);
  const outcome = await callTool(
    makeWriteFileTool(bench.ports),
    { path: "plan.org", content: "c\n" },
    callerAt(bench.workspace),
  );
  contentOf(outcome);
});

test("an undo neither deletes nor restores a locked file, and says who holds it", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("plan.org", "new");
  const lock = lockPathOf(path);
  await symlink(`me@${hostname()}.${process.pid}:1`, lock);
  const { keepPreImage } = bench.ports;
  const from = Buffer.from("new");
  for (const preImage of [null, { bytes: Buffer.from("old"), mode: 0o600 }]) {
    const undone = await undoFile({ path, from, preImage, keepPreImage });
    assert.equal(undone.status, "failed");
    assert.match(undone.message, new RegExp(`plan\\.org has unsaved changes.*process ${process.pid}`));
  }
  assert.equal(await bench.read("plan.org"), "new");
  await rm(lock);
  assert.equal((await undoFile({ path, from, preImage: null, keepPreImage })).status, "deleted");
});

test("a file whose folder is gone is not recreated with the folder", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/plan.org", "old");
  const tool = makeWriteFileTool(bench.ports);
  const caller = callerAt(bench.workspace);
  const prepared = await tool.prepare(
    { path: "sub/plan.org", content: "new" },
    caller,
    () => caller.promptLabel,
  );
  await rm(`${bench.workspace}/sub`, { recursive: true });
  assert.ok(prepared.ok);
  assert.equal(codeOf(await prepared.run(new AbortController().signal)), "not-found");
  assert.equal(existsSync(`${bench.workspace}/sub`), false);
});

test("org edit writes neither a locked file nor its archive", async (t) => {
  const world = await makeWorld(t);
  const [plan, archive] = [world.path("plan.org"), world.path("plan.org_archive")];
  const edit = (op: object) => world.command(["org", "edit", "plan.org"], { input: JSON.stringify([op]) });
  await writeFile(plan, "* TODO a\n* b\n");
  await symlink(`me@${hostname()}.${process.pid}:1`, lockPathOf(plan));
  for (const op of [
    { op: "todo", at: "a", state: "DONE" },
    { op: "archive", at: "b" },
  ]) {
    const { code, err } = await edit(op);
    assert.equal(code, 1);
    assert.match(err, /plan\.org has unsaved changes in an editor/);
    assert.equal(await readFile(plan, "utf8"), "* TODO a\n* b\n");
    assert.equal(existsSync(archive), false);
  }
  await rm(lockPathOf(plan));
  assert.equal((await edit({ op: "archive", at: "b" })).code, 0);
  assert.equal(existsSync(archive), true);
});
