import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isRealFolder } from "./identify.ts";
import { followLinks, realPath } from "./real-path.ts";
import { resolveTypedPath } from "./typed-path.ts";

/** A folder with `a/file`, and links: `to-a` → `a`, `a/up` → `..`, `chain` → `to-a/up/to-a/file`, `dangling` → `gone/x`, `circle` → itself. */
function makeTree(t: TestContext): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "real-path-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "a"));
  writeFileSync(join(root, "a/file"), "x");
  for (const [name, target] of [
    ["to-a", "a"],
    ["a/up", ".."],
    ["chain", "to-a/up/to-a/file"],
    ["absolute", join(root, "to-a")],
    ["dangling", "gone/x"],
    ["circle", "circle"],
  ] as const)
    symlinkSync(target, join(root, name));
  return root;
}

test("what the kernel shows of one program is not followed: it leads elsewhere for each", async (t) => {
  if (process.platform !== "linux") return t.skip("needs /proc of Linux");
  for (const [path, stays] of [
    ["/dev/stderr", "/proc/self/fd/2"],
    ["/dev/fd/1", "/proc/self/fd/1"],
    ["/proc/thread-self/fd/0", "/proc/thread-self/fd/0"],
    ["/proc/self/../self/environ", "/proc/self/environ"],
    [`/proc/${process.pid}/exe`, `/proc/${process.pid}/exe`],
    ["/proc/self/fd/../status", "/proc/self/status"],
  ] as const)
    assert.equal(await realPath("/", path), stays, path);
  for (const path of ["/proc/self/cwd/x", "/proc/self/root/etc/..", `/proc/${process.pid}/cwd/..`])
    await assert.rejects(realPath("/", path), /may not be entered/, path);
  assert.equal(await isRealFolder("/proc/self/cwd/."), false);
});

test("a path leads where the kernel's own look-up leads, as a command or a person writes it", async (t) => {
  const root = makeTree(t);
  for (const path of [
    "a/file",
    "to-a/file",
    "chain",
    "a/up/a",
    "to-a/..",
    "absolute/up/chain",
    "./a//up/",
    "a/up/..",
  ]) {
    // Put together by hand, since `join` would take `..` for the folder above the link.
    const real = realpathSync.native(`${root}/${path}`);
    assert.equal(await realPath(root, path), real, path);
    const typed = await resolveTypedPath(path, { workspace: root, home: "/" });
    assert.equal(typed.ok && typed.value, real, path);
  }
});

test("names that do not exist stay, and a link behind a folder that does not exist yet is followed or refused", async (t) => {
  const root = makeTree(t);
  assert.equal(await realPath(root, "dangling"), join(root, "gone/x"));
  assert.equal(await realPath(root, "to-a/new/file"), join(root, "a/new/file"));
  assert.equal(await realPath(root, "new/../chain"), join(root, "a/file"));
  const typed = await resolveTypedPath("new/../chain", { workspace: root, home: "/" });
  assert.equal(typed.ok ? "" : typed.code, "invalid-path");
});

test("a circle of links leads nowhere", async (t) => {
  const root = makeTree(t);
  await assert.rejects(realPath(root, "circle"), /circle of links/);
  assert.equal((await followLinks(join(root, "circle/x"))).obstacle, "circle");
  const typed = await resolveTypedPath("circle", { workspace: root, home: "/" });
  assert.equal(typed.ok ? "" : typed.code, "invalid-path");
});

test("what is behind a folder that may not be entered is not known to a command", {
  skip: process.getuid?.() === 0 ? "root enters every folder" : false,
}, async (t) => {
  const root = makeTree(t);
  chmodSync(join(root, "a"), 0o000);
  const real = realPath(root, "to-a/file");
  await assert.rejects(real, /may not be entered/);
  chmodSync(join(root, "a"), 0o700);
});
