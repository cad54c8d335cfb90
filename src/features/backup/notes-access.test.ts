import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeBackupWorld, openArchive, writeArchiveOf } from "./backup-world.fixture.ts";

/** A group other than the usual one that this user may give to files; null where there is none. */
function otherGroup(): number | null {
  if (process.geteuid?.() === 0) return 12_345;
  return process.getgroups?.().find((group) => group !== process.getegid?.()) ?? null;
}

test("a restore gives notes back with their empty folders, modes, groups and times", async (t) => {
  const world = makeBackupWorld(t);
  const at = (name: string): string => join(world.home, "memex", name);
  world.write("memex/team/plan.org", "* Plan\n");
  mkdirSync(at("empty/below"), { recursive: true });
  const group = otherGroup();
  const uid = process.getuid?.() ?? 0;
  if (group !== null) for (const name of ["", "team", "team/plan.org"]) chownSync(at(name), uid, group);
  const modes = { "team/plan.org": 0o664, team: 0o2775, "empty/below": 0o555, empty: 0o1777, "": 0o2775 };
  for (const [name, mode] of Object.entries(modes)) chmodSync(at(name), mode);
  for (const name of Object.keys(modes)) utimesSync(at(name), 1_000_000, 1_000_000);
  await world.backup();
  rmSync(at(""), { recursive: true });
  const umask = process.umask(0o077);
  try {
    await world.restore();
    await world.restore({ now: new Date(Date.now() + 60_000) });
  } finally {
    process.umask(umask);
  }
  for (const [name, mode] of Object.entries(modes)) {
    const found = statSync(at(name));
    assert.equal((found.mode & 0o7777).toString(8), mode.toString(8), name);
    assert.equal(found.mtimeMs, 1_000_000_000, name);
    if (group !== null && !name.startsWith("empty")) assert.equal(found.gid, group, name);
  }
});

test("a git repository in the notes is one after a restore", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/a.org", "* A\n");
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], {
      cwd: join(world.home, "memex"),
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: world.home },
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  git("gc", "--quiet");
  await world.backup();
  await world.restore();
  assert.match(git("log", "--oneline"), /first/);
});

test("a backup without notes is of the version before, and one of that version restores notes with the access of now", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/a.org", "* A\n");
  world.write(".config/passepartout/rules.json", "{}");
  const bare = join(world.home, "bare");
  assert.equal((await world.backup({ file: bare, notes: false })).version, 1);
  assert.equal((await world.backup()).version, 2);
  const { manifest, entries } = openArchive(world.file);
  const { folders: _, ...older } = manifest;
  const files = older.files.map(({ owner: __, group: ___, ...file }) => file);
  writeArchiveOf(world.file, { ...older, files, version: 1 }, entries);
  chmodSync(join(world.home, "memex"), 0o755);
  await world.restore();
  assert.equal(statSync(join(world.home, "memex")).mode & 0o7777, 0o755);
});

test("notes whose names are not UTF-8 are left out and named as that", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/a.org", "* A\n");
  const odd = (name: string): Buffer =>
    Buffer.concat([Buffer.from(join(world.home, "memex", name)), Buffer.from([0xff])]);
  mkdirSync(odd("folder"));
  writeFileSync(odd("file"), "x");
  const { omitted } = await world.backup();
  const notes = omitted.filter(({ path }) => path.startsWith("notes/")).map(({ why }) => why);
  assert.equal(notes.length, 2);
  for (const why of notes) assert.match(why, /a name that is not UTF-8; give it another one/);
});
