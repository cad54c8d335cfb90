import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { makeWorld } from "../agent-world.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const report = z.object({
  files: z.int(),
  omitted: z.array(z.object({ path: z.string(), why: z.string() })),
});

test("a backup with notes fails in words where their disk is not mounted, and one without them is made", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }]);
  const notes = join(world.home, "stick");
  mkdirSync(notes);
  writeFileSync(join(notes, "house.org"), "* Boiler\n");
  const settings = { MEMEX_DIR: notes };
  assert.equal((await world.command(["memory", "search", "boiler"], { settings })).code, 0);
  renameSync(notes, `${notes}-away`);
  const file = join(world.home, "b.tgz");
  const gone = (): void => rmSync(notes, { recursive: true, force: true });
  for (const plant of [gone, () => mkdirSync(notes), () => writeFileSync(join(notes, "other.org"), "")]) {
    plant();
    const made = await world.command(["backup", "--notes", file], { settings });
    assert.equal(made.code, 1, made.out);
    assert.match(made.err, new RegExp(`${notes}: .*(gone or empty|in its place).*Mount its disk`));
    assert.match(made.err, /No backup was made.*without --notes/);
    assert.equal(existsSync(file), false);
  }
  assert.equal((await world.command(["backup", file], { settings })).code, 0);
});

test("a backup with notes fails where MEMEX_DIR names a folder that is not there, though nothing is known of it", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }]);
  await world.command(["ask", "hello"]);
  const file = join(world.home, "b.tgz");
  const fresh = await world.command(["backup", "--notes", file]);
  assert.equal(fresh.code, 0, fresh.err);
  assert.match(fresh.out, /Left out:\n {2}notes\/0: .*memex is not there/);
  assert.doesNotMatch(fresh.out, /restore --notes/);
  const dry = await world.command(["restore", "--dry-run", file]);
  assert.match(dry.out, /No notes are in it/);
  assert.doesNotMatch(dry.out, /add --notes/);
  const settings = { MEMEX_DIR: join(world.home, "never") };
  const named = await world.command(["backup", "--notes", `${file}2`], { settings });
  assert.deepEqual([named.code, existsSync(`${file}2`)], [1, false]);
  assert.match(named.err, /never is not there.*No backup was made/);
});

test("a folder or file of the notes that cannot be read is named, and the rest is backed up", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }]);
  await world.command(["ask", "hello"]);
  const closed = join(world.home, "memex", "lost+found");
  const locked = join(world.home, "memex", "closed.org");
  mkdirSync(closed, { recursive: true });
  writeFileSync(locked, "* No\n");
  writeFileSync(join(world.home, "memex", "house.org"), "* Boiler\n");
  chmodSync(closed, 0);
  chmodSync(locked, 0);
  const file = join(world.home, "b.tgz");
  // Root reads all, but not without its capabilities.
  const ended = spawnSync(
    "unshare",
    ["--user", process.execPath, main, "backup", "--notes", "--json", file],
    {
      env: world.environment,
      encoding: "utf8",
    },
  );
  if (ended.stderr.includes("unshare")) return t.skip("needs user namespaces");
  chmodSync(closed, 0o700);
  assert.equal(ended.status, 0, ended.stderr);
  const { omitted } = report.parse(JSON.parse(ended.stdout));
  assert.deepEqual(omitted, [
    { path: "notes/0/lost+found", why: "it is a folder that cannot be read" },
    { path: "notes/0/closed.org", why: "it cannot be read" },
  ]);
  assert.match((await world.command(["restore", "--notes", "--dry-run", file])).out, /memex: 1 file /);
});
