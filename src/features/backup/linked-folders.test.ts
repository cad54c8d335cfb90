import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type BackupWorld, makeBackupWorld, openArchive, sayInto } from "./backup-world.fixture.ts";
import { planRestore } from "./plan-restore.ts";

const settings = ".config/passepartout";

/** Moves what is at a path of a home into another folder, and puts a link in its place. */
function moveBehindLink({ home }: BackupWorld, path: string, to: string): void {
  mkdirSync(dirname(join(home, to)), { recursive: true });
  renameSync(join(home, path), join(home, to));
  symlinkSync(join(home, to), join(home, path));
}

const pathsIn = (world: BackupWorld): readonly string[] =>
  openArchive(world.file).entries.map(({ path }) => path);

test("notes, settings and state behind links are in a backup, and a restore goes through the links", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/house.org", "* Then\n");
  world.write(`${settings}/rules.json`, "{}");
  {
    await using state = await world.open();
    await sayInto(state, "one", "the first");
  }
  moveBehindLink(world, "memex", "data/notes");
  moveBehindLink(world, settings, "dotfiles/passepartout");
  moveBehindLink(world, ".local/state/passepartout", "data/state");
  const { omitted } = await world.backup();
  assert.deepEqual(omitted, []);
  for (const path of ["notes/0/house.org", "configuration/rules.json", "state/state.db"])
    assert.ok(pathsIn(world).includes(path), path);
  world.write("memex/house.org", "* Now\n");
  await world.restore();
  assert.ok(lstatSync(join(world.home, "memex")).isSymbolicLink());
  assert.equal(readFileSync(join(world.home, "data/notes/house.org"), "utf8"), "* Then\n");
});

test("links in the settings are followed, stay where they hold what is restored, and one that matters and leads nowhere fails the backup", async (t) => {
  const world = makeBackupWorld(t);
  world.write("dotfiles/identity.org", "I am Ada.\n");
  world.write("dotfiles/jobs.org", "* job\n");
  world.write("dotfiles/skills/a/SKILL.md", "A skill.\n");
  world.write(`${settings}/rules.json`, "{}");
  const linked = (name: string): string => join(world.home, settings, name);
  for (const name of ["identity.org", "jobs.org", "skills"])
    symlinkSync(join(world.home, "dotfiles", name), linked(name));
  symlinkSync("..", linked("around"));
  symlinkSync("nowhere", linked("dead"));
  const { omitted } = await world.backup();
  assert.deepEqual(
    omitted.filter(({ path }) => path.startsWith("configuration/")),
    [
      { path: "configuration/around", why: "it is a link to a folder that holds it" },
      { path: "configuration/dead", why: "it is a link that leads nowhere" },
    ],
  );
  for (const path of ["identity.org", "jobs.org", "skills/a/SKILL.md"])
    assert.ok(pathsIn(world).includes(`configuration/${path}`), path);
  world.write("dotfiles/jobs.org", "* other\n");
  await world.restore();
  assert.equal(readlinkSync(linked("identity.org")), join(world.home, "dotfiles/identity.org"));
  assert.ok(!lstatSync(linked("jobs.org")).isSymbolicLink());
  assert.equal(readFileSync(linked("jobs.org"), "utf8"), "* job\n");
  assert.equal(readFileSync(join(world.home, "dotfiles/jobs.org"), "utf8"), "* other\n");
  for (const name of ["vault.json", "jobs.org"]) {
    rmSync(linked(name), { force: true });
    symlinkSync("not-mounted", linked(name));
    const file = `${world.file}-${name}`;
    await assert.rejects(world.backup({ file }), /is a link that leads nowhere\. No backup was made\. Mount/);
    assert.ok(!existsSync(file));
    rmSync(linked(name));
  }
});

test("a state that should be there and is not fails a backup; without one that was ever kept the backup says so", async (t) => {
  const world = makeBackupWorld(t);
  world.write(`${settings}/rules.json`, "{}");
  const { omitted } = await world.backup({ notes: false });
  assert.match(omitted.find(({ path }) => path === "state")?.why ?? "", /there is none in/);
  const file = join(world.home, "b.backup");
  mkdirSync(world.policy.config.places.state, { recursive: true });
  await assert.rejects(
    world.backup({ file, notes: false }),
    /state folder \S+ is empty\. No backup was made\. Mount its disk/,
  );
  writeFileSync(join(world.policy.config.places.state, "journal.jsonl"), "{}\n");
  await assert.rejects(world.backup({ file, notes: false }), /state\.db is missing or empty/);
  assert.ok(!existsSync(file));
});

test("restored notes go where the restored settings look for them, and the plan says so before", async (t) => {
  const world = makeBackupWorld(t);
  const home = (name: string): string => join(world.home, name);
  world.write(`${settings}/.env`, "MEMEX_DIR=~/notes\n");
  world.write("notes/house.org", "* Call Hansen\n");
  await world.backup();
  rmSync(home("notes"), { recursive: true });
  rmSync(home(".config"), { recursive: true });
  const planned = (environment: Readonly<Record<string, string>>) =>
    planRestore(world.policy, world.file, { notes: true, environment });
  const { places, notes } = await planned({});
  assert.equal(places.find(({ kind }) => kind === "notes")?.place, home("notes"));
  assert.deepEqual(notes, { now: [home("memex")], after: [home("notes")], bySettings: [home("notes")] });
  const elsewhere = await planned({ MEMEX_DIR: "~/here" });
  assert.equal(elsewhere.places.find(({ kind }) => kind === "notes")?.place, home("here"));
  assert.deepEqual(elsewhere.notes.bySettings, [home("notes")]);
  symlinkSync(home("disk/notes"), home("notes"));
  await assert.rejects(planned({}), /The notes go to \S+, as MEMEX_DIR says after the restore, and the link/);
  rmSync(home("notes"));
  await world.restore();
  assert.equal(readFileSync(home("notes/house.org"), "utf8"), "* Call Hansen\n");
  assert.ok(!existsSync(home("memex")));
});
