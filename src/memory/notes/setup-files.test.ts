import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { labelOfFile } from "./labels/label-of-file.ts";
import { findLiftedMarks } from "./labels/lifted-marks.ts";
import { makeWorld, open, put, until } from "./open-notes.fixture.ts";
import type { Notes } from "./open-notes.ts";

async function secrecyOf(notes: Notes, id: string): Promise<string | undefined> {
  return (await notes.index.node(id))?.label.secrecy;
}

const privately = "#+FILETAGS: :@personal:\n";

test("a local setup file sets tags, groups, and TODO words of the notes that name it", async () => {
  const world = makeWorld({
    "a.org": "#+SETUPFILE: setup/tags.inc\n* One\n",
    "b.org": '#+setupfile: "setup/spaced name.inc"\n* WAIT Two\n',
    "deep/c.org": "#+SETUPFILE: ../setup/outer.org\n* Three :diary:\n",
    "setup/tags.inc": privately,
    "setup/spaced name.inc": "#+TODO: WAIT | OVER\n#+begin_src org\n#+FILETAGS: :@personal:\n#+end_src\n",
    "setup/outer.org": "#+SETUPFILE: inner.inc\n",
    "setup/inner.inc": "#+SETUPFILE: outer.org\n#+TAGS: [ @personal : diary ]\n",
  });
  await using notes = open(world);
  await notes.sync();
  assert.equal(await secrecyOf(notes, "a.org::One"), "private");
  const two = await notes.index.node("b.org::Two");
  assert.deepEqual([two?.todo, two?.label.secrecy], ["WAIT", "public"]);
  assert.equal(await secrecyOf(notes, "deep/c.org::Three"), "private");
});

test("a changed, new or deleted setup file has the notes read again that name it", async () => {
  const world = makeWorld({ "a.org": "#+SETUPFILE: s.inc\n* One\n", "s.inc": "#+TODO: A | B\n" });
  {
    await using notes = open(world);
    await notes.sync();
    assert.equal(await secrecyOf(notes, "a.org::One"), "public");
  }
  put(world, "s.inc", privately);
  await using notes = open(world);
  await notes.sync();
  assert.equal(await secrecyOf(notes, "a.org::One"), "private");
  put(world, "s.inc", "");
  await notes.sync(["s.inc"]);
  assert.equal(await secrecyOf(notes, "a.org::One"), "public");
  notes.watch();
  await notes.sync();
  put(world, "s.inc", privately);
  await until(async () => (await secrecyOf(notes, "a.org::One")) === "private");
  assert.deepEqual(await notes.index.files().then((files) => files.map(({ path }) => path)), ["a.org"]);
});

test("a note whose setup file cannot be read counts as private, and the owner is told", async () => {
  const world = makeWorld({
    "gone.org": "#+SETUPFILE: gone.inc\n* One\n",
    "out.org": "#+SETUPFILE: ../out.inc\n* One\n",
    "link.org": "#+SETUPFILE: link.inc\n* One\n",
    "large.org": "#+SETUPFILE: large.inc\n* One\n",
    "packed.org": "#+SETUPFILE: packed.inc.gz\n* One\n",
    "folder.org": "#+SETUPFILE: .\n* One\n",
    "many.org": `${"#+SETUPFILE: many.inc\n".repeat(40)}* One\n`,
    "many.inc": "",
    "large.inc": " ".repeat(300_000),
    "packed.inc.gz": Buffer.from([0x1f, 0x8b, 8, 0]),
  });
  const outside = join(dirname(world.folder), "out.inc");
  writeFileSync(outside, "");
  symlinkSync(outside, join(world.folder, "link.inc"));
  await using notes = open(world);
  await notes.sync();
  for (const { path, problem } of await notes.index.files()) {
    assert.equal(await secrecyOf(notes, `${path}::One`), "private", path);
    assert.match(problem ?? "", /setup file|#\+SETUPFILE/, path);
  }
  put(world, "gone.inc", "");
  await notes.sync();
  assert.equal(await secrecyOf(notes, "gone.org::One"), "public");
  unlinkSync(join(world.folder, "gone.inc"));
  await notes.sync();
  assert.equal(await secrecyOf(notes, "gone.org::One"), "private");
});

test("a setup file elsewhere on the network sets nothing and takes nothing away", async () => {
  const world = makeWorld({
    "a.org": "#+SETUPFILE: https://fniessen.github.io/org-html-themes/org/theme-readtheorg.setup\n* One\n",
    "b.org": "#+SETUPFILE: /ssh:host:/x.inc\n* One\n",
  });
  await using notes = open(world);
  await notes.sync();
  assert.equal(await secrecyOf(notes, "a.org::One"), "public");
  assert.equal(await secrecyOf(notes, "b.org::One"), "public");
});

test("a file that is no note has the setup files beside it and in its repository, and others take nothing away", async () => {
  const world = makeWorld({ "tags.inc": privately });
  const project = join(dirname(world.folder), "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "doc"));
  writeFileSync(join(project, "tags.inc"), privately);
  writeFileSync(join(dirname(world.folder), "tags.inc"), privately);
  const rules = {
    privacyTags: ["@personal"],
    originsOf: async () => new Map(),
    notes: { folder: world.folder, variables: [] },
  };
  const secrecyIn = async (path: string, name: string): Promise<string> => {
    const text = Buffer.from(`#+SETUPFILE: ${name}\n* One\nwords\n`);
    return (await labelOfFile(join(project, path), text, rules)).label.secrecy;
  };
  assert.equal(await secrecyIn("a.org", "tags.inc"), "private");
  assert.equal(await secrecyIn("doc/a.org", "../tags.inc"), "private");
  assert.equal(await secrecyIn("a.org.bak", "./tags.inc"), "private");
  assert.equal(await secrecyIn("a.org", join(world.folder, "tags.inc")), "private");
  assert.equal(await secrecyIn("a.org", "../tags.inc"), "public");
  assert.equal(await secrecyIn("a.org", "gone.inc"), "public");
});

test("a change that takes a privacy tag out of a setup file lifts a mark", async () => {
  const lifted = (path: string, before: string, after: string): Promise<readonly unknown[]> =>
    findLiftedMarks(
      { path, notes: { folder: "/n", variables: [] }, privacyTags: ["@personal"] },
      { before: [Buffer.from(before)], after: [Buffer.from(after)] },
    );
  const group = "#+TAGS: [ @personal : diary ]\n";
  assert.equal((await lifted("/n/s.inc", privately, "#+TODO: A | B\n")).length, 1);
  assert.equal((await lifted("/n/s.org", group, group.replace("diary", "day"))).length, 1);
  assert.equal((await lifted("/n/s.org", group, group + privately)).length, 0);
  assert.equal((await lifted("/n/s.txt", "#+TAGS: work\n", "")).length, 0);
});
