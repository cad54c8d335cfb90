import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { describeLock, lockPathOf, readLock } from "./lock-file.ts";

const root = mkdtempSync(join(tmpdir(), "lock-file-"));
after(() => rmSync(root, { recursive: true, force: true }));

function lockOf(target: string, as: "link" | "file" = "link"): string {
  const path = lockPathOf(join(mkdtempSync(join(root, "a-")), "notes.org"));
  if (as === "link") symlinkSync(target, path);
  else writeFileSync(path, target);
  return path;
}

/** A process number that was in use and is not any more. */
function goneProcess(): number {
  return spawnSync("true").pid;
}

const here = hostname();

test("a lock of a running process of this machine counts, as a dangling link and as a file", async () => {
  for (const as of ["link", "file"] as const) {
    const lock = await readLock(lockOf(`me@${here}.${process.pid}:1700000000`, as));
    assert.deepEqual(lock, { who: `me@${here}`, process: process.pid });
  }
});

test("a lock of a process that has ended does not count", async () => {
  assert.equal(await readLock(lockOf(`me@${here}.${goneProcess()}:1700000000`)), null);
  assert.equal(await readLock(lockOf(`me@${here}.${goneProcess()}`, "file")), null);
});

test("a lock of another machine counts, whatever runs here", async () => {
  const lock = await readLock(lockOf(`first.last@host.example.org.${goneProcess()}:1700000000`));
  assert.deepEqual(lock?.who, "first.last@host.example.org");
});

test("a lock from before a reboot does not count if its process number belongs to another process now", async (t) => {
  if (process.platform !== "linux") return t.skip("needs /proc");
  const child = spawn("sleep", ["60"]);
  const old = lockOf(`me@${here}.${child.pid}:1500000000`, "file");
  utimesSync(old, 1_500_000_100, 1_500_000_100);
  assert.equal(await readLock(old), null);
  assert.notEqual(await readLock(lockOf(`me@${here}.${child.pid}:1500000000`)), null);
  child.kill();
});

test("a link that cannot be parsed as a lock counts; a file or folder of that name that is no lock does not", async () => {
  assert.deepEqual(await readLock(lockOf("locked")), { who: "another program", process: null });
  assert.equal(await readLock(lockOf("a copy of version 1.2\n", "file")), null);
  const folder = join(mkdtempSync(join(root, "a-")), ".#notes.org");
  mkdirSync(folder);
  assert.equal(await readLock(folder), null);
  assert.equal(await readLock(join(root, ".#none.org")), null);
});

test("a lock is described with its holder and the lock file", () => {
  const words = describeLock("/notes/plan.org", { who: "me@laptop", process: 7 });
  assert.match(words, /plan\.org .*me@laptop, process 7.*\.#plan\.org/);
});
