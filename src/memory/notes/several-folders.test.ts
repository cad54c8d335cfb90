import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { statNote } from "./folder/walk-notes.ts";
import { found, makeWorld, open, put, until, type World } from "./open-notes.fixture.ts";
import type { Notes, NotesOptions } from "./open-notes.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";

/** A notes folder with a second one beside it. */
function makeFolders(files: Readonly<Record<string, string>>): {
  readonly world: World;
  readonly office: string;
} {
  const world = makeWorld();
  const office = join(dirname(world.folder), "office");
  mkdirSync(office);
  for (const [path, text] of Object.entries(files)) put(world, path, text);
  return { world, office };
}

async function names(notes: Notes): Promise<readonly string[]> {
  return (await notes.index.files()).map(({ path }) => path).sort();
}

const workers: readonly (readonly [who: string, given: Partial<NotesOptions>])[] = [
  ["this process", {}],
  ["a child process", { worker: locateIndexWorker() }],
];

for (const [who, given] of workers) {
  test(`${who} indexes the notes of all folders, by their path from the first one`, async () => {
    const large = "some words of a note ".repeat(20_000);
    const { world, office } = makeFolders({
      "home.org": "* Boat\n",
      "../office/deep/plan.org": `* Crane\n${large}\n`,
    });
    await using notes = open(world, { otherFolders: [office], ...given });
    await notes.ready();
    await until(async () => notes.status().indexing === null && (await notes.index.count()) > 3);
    assert.deepEqual(await names(notes), ["../office/deep/plan.org", "home.org"]);
    assert.deepEqual(await found(notes, "crane"), ["../office/deep/plan.org::Crane"]);
    const node = await notes.index.node("../office/deep/plan.org::Crane");
    assert.ok(node !== null);
    assert.match([...(await notes.texts([node])).values()].join(), /^\* Crane\nsome words/);
    assert.deepEqual(notes.status().missing, []);
  });
}

test("a folder that has only the root in common with the first is named by its absolute path", async () => {
  const { world, office } = makeFolders({ "../office/plan.org": "* Crane\n" });
  await using notes = open(world, { folder: "/nowhere/notes", otherFolders: [office] });
  await notes.sync();
  assert.deepEqual(await names(notes), [join(office, "plan.org")]);
  assert.deepEqual(notes.status().missing, ["/nowhere/notes"]);
});

test("a change in any of the folders is noticed when it happens", async () => {
  const { world, office } = makeFolders({ "a.org": "* Boat\n", "../office/b.org": "* Crane\n" });
  await using notes = open(world, { otherFolders: [office] });
  notes.watch();
  await notes.sync();
  put(world, "../office/b.org", "* Derrick\n");
  await until(async () => (await found(notes, "derrick")).length === 1);
  put(world, "../office/new/c.org", "* Hoist\n");
  await until(async () => (await found(notes, "hoist")).length === 1);
  put(world, "a.org", "* Sail\n");
  await until(async () => (await found(notes, "sail")).length === 1);
  rmSync(join(office, "new"), { recursive: true });
  await until(async () => (await found(notes, "hoist")).length === 0);
});

test("one folder that is gone keeps its notes in the index, while the others are kept up to date", async () => {
  const { world, office } = makeFolders({ "a.org": "* Boat\n", "../office/b.org": "* Crane\n" });
  await using notes = open(world, { otherFolders: [office] });
  notes.watch();
  await notes.sync();
  renameSync(office, `${office}-away`);
  await until(async () => notes.status().missing.length === 1);
  assert.deepEqual([notes.status().present, notes.status().missing], [true, [office]]);
  put(world, "a.org", "* Sail\n");
  await until(async () => (await found(notes, "sail")).length === 1);
  assert.deepEqual(await found(notes, "crane"), ["../office/b.org::Crane"]);
  writeFileSync(join(`${office}-away`, "b.org"), "* Derrick\n");
  renameSync(`${office}-away`, office);
  await until(async () => (await found(notes, "derrick")).length === 1);
  assert.deepEqual(notes.status().missing, []);
});

for (const [which, isFirst] of [
  ["the first", true],
  ["another", false],
] as const) {
  test(`${which} folder that is empty, though it had many notes, is taken for lost, not for emptied`, async () => {
    const { world, office } = makeFolders({});
    const [gone, kept] = isFirst ? [world.folder, office] : [office, world.folder];
    for (let number = 0; number < 7; number += 1)
      writeFileSync(join(gone, `n${number}.org`), `* Old${number}\n`);
    writeFileSync(join(kept, "other.org"), "* Boat\n");
    await using notes = open(world, { otherFolders: [office] });
    await notes.sync();
    renameSync(gone, `${gone}-away`);
    mkdirSync(gone);
    await notes.sync();
    assert.equal((await names(notes)).length, 8);
    assert.deepEqual(notes.status().missing, [gone]);
    assert.deepEqual([await notes.countLost(gone), await notes.countLost(kept)], [7, null]);
  });
}

for (const how of ["is synced", "ends"])
  test(`the first note that a process made in a folder is known once it ${how}, so that an empty folder in its place is taken for lost`, async () => {
    const { world, office } = makeFolders({ "a.org": "* Boat\n" });
    {
      await using notes = open(world, { otherFolders: [office] });
      await notes.sync();
      put(world, "../office/inbox.org", "* Crane\n");
      if (how === "is synced") await notes.sync(["../office/inbox.org"]);
      else await notes[Symbol.asyncDispose]();
      renameSync(office, `${office}-away`);
      mkdirSync(office);
      assert.equal(await notes.countLost(office), 1);
    }
  });

test("a folder that is no longer one of the notes leaves the index", async () => {
  const { world, office } = makeFolders({ "a.org": "* Boat\n" });
  for (let number = 0; number < 7; number += 1) put(world, `../office/n${number}.org`, `* Crane${number}\n`);
  {
    await using notes = open(world, { otherFolders: [office] });
    await notes.sync();
    assert.equal((await names(notes)).length, 8);
  }
  await using notes = open(world);
  await notes.sync();
  assert.deepEqual(await names(notes), ["a.org"]);
  assert.deepEqual(notes.status().missing, []);
});

for (const [how, order] of [
  ["outside first", (outer: string, inner: string) => [outer, inner]],
  ["inside first", (outer: string, inner: string) => [inner, outer]],
  ["far inside first", (outer: string, inner: string) => [join(inner, "c"), outer]],
] as const) {
  test(`where one folder holds another (${how}), each note is indexed once`, async () => {
    const world = makeWorld({
      "a.org": "* Boat\n",
      "inner/b.org": "* Crane\n",
      "inner/c/d.org": "* Hoist\n",
    });
    const [folder = "", other = ""] = order(world.folder, join(world.folder, "inner"));
    await using notes = open(world, { folder, otherFolders: [other] });
    notes.watch();
    await notes.sync();
    assert.equal((await names(notes)).length, 3);
    put(world, "inner/c/d.org", "* Winch\n");
    await until(async () => (await found(notes, "winch")).length === 1);
    assert.equal((await names(notes)).length, 3);
  });
}

test("where a mount inside a notes folder is named itself, its loss is noticed", async () => {
  const world = makeWorld({ "a.org": "* Boat\n" });
  for (let number = 0; number < 7; number += 1) put(world, `disk/n${number}.org`, `* Crane${number}\n`);
  const disk = join(world.folder, "disk");
  await using notes = open(world, { otherFolders: [disk] });
  await notes.sync();
  rmSync(disk, { recursive: true });
  mkdirSync(disk);
  await notes.sync();
  assert.deepEqual([(await names(notes)).length, notes.status().missing], [8, [disk]]);
});

test("a link that leads out of a folder is followed where its target's folder is named, and reported elsewhere", async () => {
  const { world, office } = makeFolders({
    "../office/plan.org": "* Crane\n",
    "../office/.attic/old.org": "* Derrick\n",
  });
  put(world, "../elsewhere/secret.org", "* Treasure\n");
  symlinkSync("../office/plan.org", join(world.folder, "plan.org"));
  symlinkSync(office, join(world.folder, "all-office"));
  symlinkSync(join(office, ".attic"), join(world.folder, "attic"));
  symlinkSync("../elsewhere", join(world.folder, "shared"));
  symlinkSync("../elsewhere/secret.org", join(office, "secret.org"));
  await using notes = open(world, { otherFolders: [office] });
  await notes.sync();
  assert.deepEqual(await names(notes), ["../office/plan.org", "attic/old.org"]);
  assert.deepEqual(
    notes
      .status()
      .problems.map(({ path }) => path)
      .sort(),
    ["../office/secret.org", "shared"],
  );
  assert.match(notes.status().problems[0]?.problem ?? "", /MEMEX_DIR/);
});

for (const [what, swap] of [
  [
    "a note",
    (world: World) => {
      unlinkSync(join(world.folder, "sub/a.org"));
      symlinkSync("../../elsewhere/a.org", join(world.folder, "sub/a.org"));
    },
  ],
  [
    "its folder",
    (world: World) => {
      rmSync(join(world.folder, "sub"), { recursive: true });
      symlinkSync("../elsewhere", join(world.folder, "sub"));
    },
  ],
] as const) {
  test(`a link out of the folders that takes the place of ${what} leads nowhere`, async () => {
    const { world, office } = makeFolders({ "sub/a.org": "* Boat\n", "../elsewhere/a.org": "* Treasure\n" });
    const folders = { folder: world.folder, otherFolders: [office] };
    await using notes = open(world, folders);
    await notes.sync();
    const node = await notes.index.node("sub/a.org::Boat");
    assert.ok(node !== null);
    const seen = await statNote(folders, "sub/a.org");
    assert.ok(seen !== null);
    swap(world);
    assert.equal((await readNoteBytes(folders, seen)).kind, "gone");
    assert.deepEqual([...(await notes.texts([node])).values()], []);
    await notes.sync(["sub/a.org"]);
    assert.deepEqual(await found(notes, "treasure"), []);
  });
}

test("a setup file in another notes folder sets tags, and one elsewhere makes the note private", async () => {
  const { world, office } = makeFolders({
    "../office/setup.org": "#+FILETAGS: :@personal:\n",
    "../elsewhere/setup.org": "#+FILETAGS: :@personal:\n",
    "a.org": "#+SETUPFILE: ../office/setup.org\n* Boat\n",
    "../office/b.org": "#+SETUPFILE: ../elsewhere/setup.org\n* Crane\n",
  });
  await using notes = open(world, { otherFolders: [office] });
  await notes.sync();
  const boat = await notes.index.node("a.org::Boat");
  assert.deepEqual([boat?.tags, boat?.label.secrecy], [["@personal"], "private"]);
  const crane = await notes.index.node("../office/b.org::Crane");
  assert.deepEqual([crane?.tags, crane?.label.secrecy], [[], "private"]);
});

test("the agenda shows files of other folders, where it names them or nothing", async () => {
  const { world, office } = makeFolders({
    "a.org": "* One\nSCHEDULED: <2026-03-01 Sun>\n",
    "../office/b.org": "* Two\nSCHEDULED: <2026-03-01 Sun>\n",
  });
  const shown = async (agendaFiles: readonly string[]): Promise<readonly string[]> => {
    await using notes = open(world, { otherFolders: [office], agendaFiles });
    await notes.sync();
    return (await notes.agendaStamps("2026-03-01", "2026-03-01")).map(({ file }) => file).sort();
  };
  assert.deepEqual(await shown([]), ["../office/b.org", "a.org"]);
  assert.deepEqual(await shown([office]), ["../office/b.org"]);
  assert.deepEqual(await shown([join(office, "b.org")]), ["../office/b.org"]);
});
