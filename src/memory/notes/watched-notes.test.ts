import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { found, makeWorld, open, put, until } from "./open-notes.fixture.ts";

test("a missing folder keeps its index, and is indexed again when it comes back", async () => {
  const world = makeWorld({ "a.org": "* Anchor\n" });
  await using notes = open(world);
  await notes.sync();
  notes.watch();
  await notes.sync();
  renameSync(world.folder, `${world.folder}-away`);
  await until(async () => !notes.status().present);
  assert.equal((await found(notes, "anchor")).length, 1);
  const node = await notes.index.node("a.org::Anchor");
  assert.ok(node !== null);
  assert.equal((await notes.texts([node])).size, 0);
  writeFileSync(join(`${world.folder}-away`, "b.org"), "* Buoy\n");
  renameSync(`${world.folder}-away`, world.folder);
  await until(async () => (await found(notes, "buoy")).length === 1);
  assert.equal(notes.status().present, true);
  assert.deepEqual(world.reports, []);
});

for (const [who, write] of [
  ["an editor that writes in place", (path: string) => writeFileSync(path, "* Lantern\n")],
  [
    "an editor that renames",
    (path: string) => {
      writeFileSync(`${path}.tmp`, "* Lantern\n");
      renameSync(`${path}.tmp`, path);
    },
  ],
  [
    "Emacs with a lock, a backup and an autosave",
    (path: string) => {
      const [folder, name] = [dirname(path), path.slice(dirname(path).length + 1)];
      symlinkSync("me@host.1:2", join(folder, `.#${name}`));
      writeFileSync(join(folder, `#${name}#`), "* Lant\n");
      renameSync(path, `${path}~`);
      writeFileSync(path, "* Lantern\n");
      unlinkSync(join(folder, `#${name}#`));
      unlinkSync(join(folder, `.#${name}`));
    },
  ],
  ["a program that appends", (path: string) => appendFileSync(path, "* Lantern\n")],
] as const) {
  test(`a file saved by ${who} is found without a sync request`, async () => {
    const world = makeWorld({ "sub/a.org": "* Old\n", "b.org": "* Other\n" });
    await using notes = open(world);
    notes.watch();
    await notes.ready();
    await notes.sync();
    write(join(world.folder, "sub", "a.org"));
    await until(async () => (await found(notes, "lantern")).length === 1);
    assert.equal((await notes.index.files()).length, 2);
  });
}

test("a new folder is watched too, with the folders below it", async () => {
  const world = makeWorld({ "a.org": "* A\n" });
  await using notes = open(world);
  notes.watch();
  await notes.ready();
  await notes.sync();
  put(world, "one/two/three.org", "* Three\n");
  await until(async () => (await found(notes, "three")).length > 0);
  put(world, "one/two/three.org", "* Four\n");
  await until(async () => (await found(notes, "four")).length > 0);
  rmSync(join(world.folder, "one"), { recursive: true });
  await until(async () => (await notes.index.files()).length === 1);
});

test("a removed folder with the name of a note takes everything in it out of the index", async () => {
  const world = makeWorld({ "a.org": "* A\n", "garden.org/b.org": "* B\n" });
  await using notes = open(world);
  notes.watch();
  await notes.ready();
  await notes.sync();
  renameSync(join(world.folder, "garden.org"), `${world.folder}-away`);
  await until(async () => (await notes.index.files()).length === 1);
});

test("another folder in the place of the notes folder is noticed at the next heartbeat", async () => {
  const world = makeWorld();
  const [first, second] = [`${world.folder}-1`, `${world.folder}-2`];
  for (const [folder, title] of [
    [first, "Anchor"],
    [second, "Buoy"],
  ] as const) {
    mkdirSync(folder);
    writeFileSync(join(folder, "a.org"), `* ${title}\n`);
  }
  rmSync(world.folder, { recursive: true });
  symlinkSync(first, world.folder);
  await using notes = open(world);
  notes.watch();
  await notes.ready();
  await notes.sync();
  unlinkSync(world.folder);
  symlinkSync(second, world.folder);
  await until(async () => {
    notes.onHeartbeat();
    return (await found(notes, "buoy")).length === 1;
  });
  put(world, "a.org", "* Cleat\n");
  await until(async () => (await found(notes, "cleat")).length === 1);
});

test("a lock is reported with the path of the file that it locks", async () => {
  const world = makeWorld({ "sub/a.org": "* A\n" });
  await using notes = open(world);
  const locked: string[] = [];
  notes.onLock((path) => locked.push(path));
  notes.watch();
  await notes.ready();
  await notes.sync();
  symlinkSync("me@host.1:2", join(world.folder, "sub", ".#a.org"));
  await until(async () => locked.includes("sub/a.org"));
});
