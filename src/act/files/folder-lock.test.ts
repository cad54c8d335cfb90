import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openWorkbench, type Workbench } from "../tools/workbench.fixture.ts";
import { removeDrafts } from "./drafts.ts";
import { lockFolder } from "./folder-lock.ts";
import { openFolder } from "./open-file.ts";

const name = ".passepartout-lock";

async function folderOf({ workspace }: Workbench) {
  const opened = await openFolder(workspace);
  assert.ok(opened.ok);
  return opened.value;
}

async function lockOf(bench: Workbench) {
  const folder = await folderOf(bench);
  const locked = await lockFolder(folder);
  assert.ok(locked.ok, locked.ok ? "" : locked.message);
  const { isHeld, ...lock } = locked.value;
  return {
    isHeld,
    async [Symbol.asyncDispose]() {
      await lock[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The lock of a process of this machine. */
function lockOfProcess(pid: number | undefined): string {
  return `${hostname().replaceAll(/\s/g, "-")} ${readlinkSync("/proc/self/ns/pid")} ${pid} 12-ab`;
}

test("a folder is locked by one at a time, and nothing is left of the lock", async () => {
  await using bench = await openWorkbench();
  let inside = 0;
  const work = async () => {
    await using lock = await lockOf(bench);
    inside += 1;
    assert.equal(inside, 1);
    assert.ok(lock.isHeld());
    await sleep(2);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 12 }, work));
  assert.deepEqual(readdirSync(bench.workspace), []);
});

test("the lock of a process that ended is taken over at once by one of many, and the lock of a running one is not", async (t) => {
  if (process.platform !== "linux") return t.skip("needs /proc");
  await using bench = await openWorkbench();
  const path = join(bench.workspace, name);
  symlinkSync(lockOfProcess(spawnSync("true").pid), path);
  let inside = 0;
  const work = async () => {
    await using lock = await lockOf(bench);
    inside += 1;
    assert.deepEqual([inside, lock.isHeld()], [1, true]);
    await sleep(2);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, work));
  assert.deepEqual(readdirSync(bench.workspace), []);
  const child = spawn("sleep", ["60"]);
  symlinkSync(lockOfProcess(child.pid), path);
  const waiting = lockOf(bench);
  assert.equal(await Promise.race([waiting, sleep(300, "waits")]), "waits");
  child.kill();
  await using lock = await waiting;
  assert.ok(lock.isHeld());
});

test("the lock of a process whose number another process has by now, or that ran before the machine was started, is taken over at once", async (t) => {
  if (process.platform !== "linux") return t.skip("needs /proc");
  await using bench = await openWorkbench();
  await using folder = await folderOf(bench);
  const path = join(bench.workspace, name);
  const own = await lockFolder(folder);
  assert.ok(own.ok);
  const token = readlinkSync(path);
  await own.value[Symbol.asyncDispose]();
  const [, boot = "", ticks = ""] = /(\w+)@(\d+)\//.exec(token) ?? [];
  for (const start of [`${boot}@${Number(ticks) - 1}`, `00000000@${ticks}`]) {
    symlinkSync(token.replace(`${boot}@${ticks}`, start), path);
    const locked = await lockFolder(folder, { same: 60_000, all: 200 });
    assert.ok(locked.ok && locked.value.isHeld());
    await locked.value[Symbol.asyncDispose]();
  }
  symlinkSync(token, path);
  const held = await lockFolder(folder, { same: 60_000, all: 200 });
  assert.equal(held.ok, false);
});

test("a lock of another machine that is as old as a lock is waited for is not waited for again", async () => {
  await using bench = await openWorkbench();
  await using folder = await folderOf(bench);
  const path = join(bench.workspace, name);
  symlinkSync("another-machine pid:[1] 1 ab-12", path);
  lutimesSync(path, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
  const locked = await lockFolder(folder, { same: 60_000, all: 200 });
  assert.ok(locked.ok && locked.value.isHeld());
  await locked.value[Symbol.asyncDispose]();
});

test("a lock that was taken over is not ours any more, and stays when we are done", async () => {
  await using bench = await openWorkbench();
  const path = join(bench.workspace, name);
  const lock = await lockOf(bench);
  spawnSync("ln", ["-sfn", "somebody else", path]);
  assert.equal(lock.isHeld(), false);
  await lock[Symbol.asyncDispose]();
  assert.equal(readlinkSync(path), "somebody else");
});

test("a lock as a file counts like one as a link, and only the lock of a process that ended is swept", async (t) => {
  if (process.platform !== "linux") return t.skip("needs /proc");
  await using bench = await openWorkbench();
  const path = join(bench.workspace, name);
  writeFileSync(path, lockOfProcess(process.pid));
  await removeDrafts(bench.workspace);
  assert.ok(existsSync(path));
  writeFileSync(path, lockOfProcess(spawnSync("true").pid));
  await removeDrafts(bench.workspace);
  assert.equal(existsSync(path), false);
});

test("a pipe with the name of the lock is replaced, and a folder is told in words", async () => {
  await using bench = await openWorkbench();
  const path = join(bench.workspace, name);
  const waits = { same: 50, all: 200 };
  await using folder = await folderOf(bench);
  spawnSync("mkfifo", [path]);
  const piped = await lockFolder(folder, waits);
  assert.ok(piped.ok && piped.value.isHeld());
  await piped.value[Symbol.asyncDispose]();
  mkdirSync(path);
  const held = await lockFolder(folder, waits);
  assert.ok(!held.ok);
  assert.match(held.message, /hold \.passepartout-lock in this folder for too long, so nothing was written/);
  assert.deepEqual(readdirSync(bench.workspace), [name]);
});

test("a lock that stays the same is taken over, whoever holds it", async () => {
  await using bench = await openWorkbench();
  await using folder = await folderOf(bench);
  symlinkSync("another-machine pid:[1] 1 ab-12", join(bench.workspace, name));
  const locked = await lockFolder(folder, { same: 50, all: 5000 });
  assert.ok(locked.ok && locked.value.isHeld());
  await locked.value[Symbol.asyncDispose]();
  assert.deepEqual(readdirSync(bench.workspace), []);
});
