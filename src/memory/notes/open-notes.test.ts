import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isProgramFile } from "../../signal/program-files.ts";
import { found, makeWorld, open, put } from "./open-notes.fixture.ts";

test("the index follows the files: new, changed, moved and deleted ones", async () => {
  const world = makeWorld({ "a.org": "* Boat\n", "deep/er/b.org": "* Sail\n", "c.txt": "* Not a note\n" });
  await using notes = open(world);
  await notes.ready();
  assert.deepEqual(
    (await notes.index.files()).map(({ path }) => path),
    ["a.org", "deep/er/b.org"],
  );
  put(world, "a.org", "* Boat\nwith an anchor\n");
  put(world, "new.org_archive", "* Oar\n");
  renameSync(join(world.folder, "deep"), join(world.folder, "shallow"));
  await notes.sync();
  assert.deepEqual(await found(notes, "anchor"), ["a.org::Boat"]);
  assert.deepEqual(await found(notes, "sail"), ["shallow/er/b.org::Sail"]);
  assert.equal((await notes.index.node("new.org_archive::Oar"))?.archived, true);
  unlinkSync(join(world.folder, "a.org"));
  await notes.sync(["a.org"]);
  assert.deepEqual(await found(notes, "anchor"), []);
});

test("a rebuilt index has the same root and the same nodes", async () => {
  const world = makeWorld({
    "a.org": "* A\n:PROPERTIES:\n:ID: x\n:END:\n",
    "b.org": "* B\n:PROPERTIES:\n:ID: x\n:END:\n",
  });
  await using notes = open(world);
  await notes.sync();
  put(world, "a.org", "* A\n:PROPERTIES:\n:ID: y\n:END:\nmore\n");
  await notes.sync();
  const before = [await notes.index.root(), await Array.fromAsync(notes.index.all())];
  await notes.rebuild();
  assert.deepEqual([await notes.index.root(), await Array.fromAsync(notes.index.all())], before);
});

test("a file written twice with the same time and size is read again", async () => {
  const world = makeWorld({ "a.org": "* One\n" });
  await using notes = open(world);
  await notes.sync();
  put(world, "a.org", "* Two\n");
  utimesSync(join(world.folder, "a.org"), 1_700_000_000, 1_700_000_000);
  await notes.sync();
  put(world, "a.org", "* Six\n");
  utimesSync(join(world.folder, "a.org"), 1_700_000_000, 1_700_000_000);
  await notes.sync();
  assert.notEqual(await notes.index.node("a.org::Six"), null);
});

test("editors' files, hidden files and encrypted files are skipped, and a Syncthing conflict is reported", async () => {
  const world = makeWorld({ "a.org": "* A\n" });
  for (const name of ["#a.org#", "a.org~", ".hidden.org", ".git/x.org", "s.org.gpg"])
    put(world, name, "* Secret\n");
  symlinkSync("me@host.1:2", join(world.folder, ".#a.org"));
  put(world, "a.sync-conflict-20250101-120000-ABCDEFG.org", "* A\n");
  await using notes = open(world);
  await notes.sync();
  assert.deepEqual(
    (await notes.index.files()).map(({ path }) => path),
    ["a.org"],
  );
  assert.deepEqual(
    notes.status().problems.map(({ path }) => path),
    ["a.sync-conflict-20250101-120000-ABCDEFG.org"],
  );
});

test("links are followed inside the folder only, a file is read once, and a link loop ends", async () => {
  const world = makeWorld({ "a.org": "* A\n", "sub/b.org": "* B\n", ".store/c.org": "* C\n" });
  const outside = join(dirname(world.folder), "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "x.org"), "* X\n");
  symlinkSync("..", join(world.folder, "sub", "loop"));
  symlinkSync("a.org", join(world.folder, "again.org"));
  symlinkSync(".store", join(world.folder, "store"));
  symlinkSync(outside, join(world.folder, "out"));
  symlinkSync("circle.org", join(world.folder, "circle.org"));
  await using notes = open(world);
  await notes.sync();
  assert.deepEqual(
    (await notes.index.files()).map(({ path }) => path),
    ["a.org", "store/c.org", "sub/b.org"],
  );
  const problems = new Map(notes.status().problems.map(({ path, problem }) => [path, problem]));
  assert.match(problems.get("out") ?? "", /out of the notes folder/);
  assert.match(problems.get("circle.org") ?? "", /circle/);
});

test("an unreadable file is reported by its path, and the others are read", async (t) => {
  const world = makeWorld({ "good.org": "* Good\n", "latin.org": Buffer.from("* Stra\xdfe\n", "latin1") });
  put(world, "huge.org", "* Huge\n");
  truncateSync(join(world.folder, "huge.org"), 100 * 1024 * 1024);
  put(world, "utf16.org", Buffer.from("\ufeff* Wide\n", "utf16le"));
  put(world, "closed.org", "* Closed\n");
  chmodSync(join(world.folder, "closed.org"), 0);
  await using notes = open(world);
  await notes.sync();
  const problemOf = async (path: string) => (await notes.index.file(path))?.problem ?? null;
  assert.equal(await problemOf("good.org"), null);
  assert.match((await problemOf("huge.org")) ?? "", /too large.*100 MB/);
  assert.match((await problemOf("latin.org")) ?? "", /not UTF-8/);
  assert.match((await problemOf("utf16.org")) ?? "", /not text/);
  assert.deepEqual((await found(notes, "good")).toSorted(), ["good.org", "good.org::Good"]);
  if (process.getuid?.() === 0) t.diagnostic("root reads what is closed to others");
  else assert.match((await problemOf("closed.org")) ?? "", /EACCES/);
});

test("a name that is not UTF-8 is reported, with what to do", async () => {
  const world = makeWorld({ "a.org": "* A\n" });
  writeFileSync(
    Buffer.concat([Buffer.from(`${world.folder}/b`), Buffer.from([0xff]), Buffer.from(".org")]),
    "* B\n",
  );
  await using notes = open(world);
  await notes.sync();
  const [problem] = notes.status().problems;
  assert.match(problem?.problem ?? "", /name is not UTF-8.*another name/);
});

test("the text of a node is the current text of its file, even where no change was reported", async () => {
  const world = makeWorld({ "a.org": "* One\nfirst\n* Two\nsecond\n** Three\nthird\n" });
  await using notes = open(world);
  await notes.sync();
  const two = await notes.index.node("a.org::Two");
  assert.ok(two !== null);
  assert.equal((await notes.texts([two])).get(two.id), "* Two\nsecond\n");
  put(world, "a.org", "* One\nfirst, and longer\n* Two\nchanged\n** Three\nthird\n");
  assert.equal((await notes.texts([two])).get(two.id), "* Two\nchanged\n");
  assert.deepEqual(
    (await notes.subtree("a.org::Two")).map(({ title }) => title),
    ["Two", "Three"],
  );
  assert.deepEqual(
    (await notes.subtree("a.org")).map(({ title }) => title),
    ["a", "One", "Two", "Three"],
  );
});

test("two thousand files with more nodes than are written at once are compared in one scan", async () => {
  const world = makeWorld();
  const headings = Array.from({ length: 10 }, (_, index) => `* Node ${index}\n`).join("");
  for (let folder = 0; folder < 20; folder += 1) {
    for (let file = 0; file < 100; file += 1) put(world, `f${folder}/n${file}.org`, headings);
  }
  await using notes = open(world);
  await notes.sync();
  assert.equal(await notes.index.count(), 22_000);
  put(world, "f10/n50.org", "* Anchor\n");
  await notes.sync();
  assert.equal((await found(notes, "anchor")).length, 1);
  assert.equal(await notes.index.count(), 22_000 - 9);
});

test("the note that changed last is none of a file that the program keeps for itself, also where both change at once", async () => {
  const world = makeWorld({ "a.org": "* A\n", "review.org": "" });
  await using notes = open(world, {
    isProgramFile: (path) => isProgramFile(path, { notes: world.folder, own: [] }),
  });
  await notes.sync();
  put(world, "review.org", "* TODO Proposed\n");
  await notes.sync(["review.org"]);
  assert.equal(notes.lastChanged(), null);
  put(world, "a.org", "* A\nmore\n");
  put(world, "review.org", "* DONE Proposed\n");
  await notes.sync(["a.org", "review.org"]);
  assert.equal(notes.lastChanged(), "a.org::A");
  put(world, "review.org", "* TODO Proposed again\n");
  await notes.sync(["review.org"]);
  assert.equal(notes.lastChanged(), "a.org::A");
});
