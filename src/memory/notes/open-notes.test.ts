import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import type { Label } from "../../signal/label.ts";
import type { TextOrigin } from "../state/origins.ts";
import { MemoryNoteIndex } from "./index/memory-note-index.ts";
import type { NoteIndex } from "./index/note-index.ts";
import { type Notes, type NotesOptions, openNotes } from "./open-notes.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";
import { applyChanges, bulkSlice, scanFolder } from "./sync/sync-notes.ts";

const root = mkdtempSync(join(tmpdir(), "open-notes-"));
after(() => rmSync(root, { recursive: true, force: true }));

type World = { readonly folder: string; readonly file: string; readonly said: string[] };

function makeWorld(files: Readonly<Record<string, string | Buffer>> = {}): World {
  const place = mkdtempSync(join(root, "a-"));
  const world = { folder: join(place, "notes"), file: join(place, "index.db"), said: [] };
  mkdirSync(world.folder);
  for (const [path, text] of Object.entries(files)) put(world, path, text);
  return world;
}

function put({ folder }: World, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function open({ folder, file, said }: World, given: Partial<NotesOptions> = {}): Notes {
  return openNotes({
    ...{ folder, file, clock: Date.now, worker: null, progress: () => undefined },
    labels: { privacyTags: ["@personal"], originsOf: async () => new Map() },
    yieldToEventLoop: () => setImmediate(),
    report: (message) => said.push(message),
    ...given,
  });
}

async function found(notes: Notes, words: string): Promise<readonly string[]> {
  return (await notes.index.search(words, 10)).map(({ id }) => id);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 1000, "it never came to hold");
    await pause(10);
  }
}

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

test("a file written twice at the same time of day, with as many bytes, is read again", async () => {
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

test("editors' files, hidden ones and encrypted ones are passed over; a conflict of Syncthing is told", async () => {
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

test("links are followed inside the folder only, a file is read once, and a loop ends", async () => {
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

test("what cannot be read is told by its file, and the rest is read", async (t) => {
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

test("a folder that is not there keeps its index, and is taken up when it comes back", async () => {
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
  assert.deepEqual(world.said, []);
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
  ["appending", (path: string) => appendFileSync(path, "* Lantern\n")],
] as const) {
  test(`what ${who} saves is found without being asked for`, async () => {
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

test("a folder that is made is watched too, with the folders below it", async () => {
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

test("a folder that has the name of a note goes with all that is in it", async () => {
  const world = makeWorld({ "a.org": "* A\n", "garden.org/b.org": "* B\n" });
  await using notes = open(world);
  notes.watch();
  await notes.ready();
  await notes.sync();
  renameSync(join(world.folder, "garden.org"), `${world.folder}-away`);
  await until(async () => (await notes.index.files()).length === 1);
});

test("another folder in the place of the notes folder is seen at the next heartbeat", async () => {
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

test("a name that is not UTF-8 is told, with what to do", async () => {
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

test("locks that come and go are told by the file that they are of", async () => {
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

for (const [what, harm] of [
  ["damaged", (file: string) => writeFileSync(file, Buffer.alloc(20_000, 7))],
  ["cut short", (file: string) => truncateSync(file, 5000)],
  ["missing", (file: string) => rmSync(file)],
] as const) {
  test(`an index that is ${what} is made anew`, async () => {
    const world = makeWorld({ "a.org": "* Anchor\n" });
    {
      await using notes = open(world);
      await notes.sync();
    }
    harm(world.file);
    await using notes = open(world);
    await notes.sync();
    assert.equal((await found(notes, "anchor")).length, 1);
    assert.equal(world.said.length, what === "missing" ? 0 : 1);
  });
}

test("an index of another version is made anew, with a word", async () => {
  const world = makeWorld({ "a.org": "* Anchor\n" });
  const { DatabaseSync } = await import("node:sqlite");
  const other = new DatabaseSync(world.file);
  other.exec("CREATE TABLE nodes (x); PRAGMA user_version = 999999999; PRAGMA application_id = 1347447160");
  other.close();
  await using notes = open(world);
  await notes.sync();
  assert.equal((await found(notes, "anchor")).length, 1);
  assert.match(world.said.join(), /another version/);
});

test("an index whose file is taken away or replaced while it is open is turned to the new one", async () => {
  const world = makeWorld({ "a.org": "* Anchor\n" });
  await using notes = open(world);
  await notes.sync();
  for (const end of ["", "-wal", "-shm"]) if (existsSync(world.file + end)) rmSync(world.file + end);
  put(world, "b.org", "* Buoy\n");
  await notes.sync();
  assert.equal((await found(notes, "buoy")).length, 1);
  assert.equal((await found(notes, "anchor")).length, 1);
});

test("many files are indexed in a process of their own, while others are answered", async () => {
  const world = makeWorld();
  const line = `${"some words of a note ".repeat(40)}\n`;
  for (let file = 0; file < 40; file += 1) {
    put(
      world,
      `n${file}.org`,
      Array.from({ length: 100 }, (_, node) => `* Node ${node} of ${file}\n${line}`).join(""),
    );
  }
  const seen: number[] = [];
  await using notes = open(world, {
    worker: locateIndexWorker(),
    progress: ({ done }) => void seen.push(done),
  });
  await notes.ready();
  assert.notEqual(notes.status().indexing, null, "it is ready before all is read");
  assert.deepEqual(await notes.index.search("never", 1), []);
  await notes.sync();
  assert.equal(await notes.index.count(), 40 * 101);
  assert.equal(seen.at(-1), 40);
  assert.deepEqual(world.said, []);
});

test("what is small and takes long is taken in a process of its own, and what is small alone is not", async () => {
  const world = makeWorld({ "small.org": "* Small\n" });
  const cell = { inThread: false };
  await using notes = open(world, {
    worker: locateIndexWorker(),
    progress() {
      if (notes.status().indexing !== null) cell.inThread = true;
    },
  });
  const tookThread = async (path: string, text: string): Promise<boolean> => {
    cell.inThread = false;
    put(world, path, text);
    await notes.sync([path]);
    return cell.inThread;
  };
  await notes.sync();
  assert.equal(await tookThread("small.org", `* Small\n${"words ".repeat(5000)}\n`), false);
  assert.equal(notes.lastChanged(), "small.org::Small");
  assert.equal(await tookThread("many.org", "* a\n".repeat(2000)), true);
  assert.equal(await tookThread("links.org", `* Links\n${"[[a]]".repeat(18_000)}\n`), true);
  assert.equal(notes.lastChanged(), "links.org::Links");
  assert.equal(await tookThread("many.org", "* a\n"), true, "many nodes go");
  assert.equal(await tookThread("many.org", "* b\n"), false);
  assert.equal(await tookThread("large.org", "words\n".repeat(40_000)), true);
  assert.equal(await notes.index.count(), 7);
  assert.deepEqual(world.said, []);
});

test("files of many nodes are written before more are read, and one of too many is told and not read", async () => {
  const world = makeWorld();
  for (const name of ["a", "b", "c"]) put(world, `${name}.org`, "* \n".repeat(10_500));
  put(world, "d.org", `${"* \n".repeat(200_002)}`);
  const written: number[] = [];
  class CountingIndex extends MemoryNoteIndex {
    override async replace(files: Parameters<NoteIndex["replace"]>[0]): ReturnType<NoteIndex["replace"]> {
      written.push(files.flatMap(({ nodes }) => nodes).length);
      return super.replace(files);
    }
  }
  const index = new CountingIndex();
  const parts = { folder: world.folder, index, clock: Date.now, yieldToEventLoop: () => null };
  const difference = await scanFolder(parts);
  assert.ok(difference !== null);
  await applyChanges(parts, difference, { slice: bulkSlice, progress: () => {}, changed: () => {} });
  assert.deepEqual(written, [21_002, 10_501]);
  assert.match((await index.file("d.org"))?.problem ?? "", /too many headings .*\(200001; at most 200000\)/);
});

test("notes that are closed while another process indexes are closed at once, and go on next time", async () => {
  const world = makeWorld();
  for (let file = 0; file < 300; file += 1)
    put(world, `n${file}.org`, `* Node ${file}\n${"words ".repeat(2000)}\n`);
  {
    await using notes = open(world, { worker: locateIndexWorker() });
    await notes.ready();
  }
  assert.deepEqual(world.said, []);
  await using notes = open(world, { worker: locateIndexWorker() });
  await notes.sync();
  assert.equal((await notes.index.files()).length, 300);
  const root = await notes.index.root();
  await notes.rebuild();
  assert.equal(await notes.index.root(), root);
});

test("two that sync one folder into one index at once come to the same", async () => {
  const world = makeWorld();
  for (let file = 0; file < 100; file += 1) put(world, `n${file}.org`, `* Node ${file}\n`);
  await using one = open(world);
  await using other = open(world);
  await Promise.all([one.sync(), other.sync()]);
  put(world, "n5.org", "* Changed\n");
  await Promise.all([one.sync(["n5.org"]), other.sync(["n5.org"])]);
  assert.equal(await one.index.root(), await other.index.root());
  assert.equal(await one.index.count(), 200);
});

test("the text of a node is that of its file now, also where nobody told of a change", async () => {
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

const web: Label = { integrity: "untrusted", secrecy: "public", sources: [{ id: "r1", path: "" }] };

test("a node has the label of its tags, of its origin property, and of what is kept for its words", async () => {
  const origins = new Map<string, TextOrigin>();
  const world = makeWorld({
    "a.org":
      "* Diary :@Personal:\n** Below\n* Web\n:PROPERTIES:\n:ORIGIN: untrusted r1\n:END:\n** Part\n* Mine\n:PROPERTIES:\n:ORIGIN: Munich\n:END:\n* Copied\nfrom a page\n",
  });
  const originsOf = async (hashes: readonly string[]) =>
    new Map([...origins].filter(([hash]) => hashes.includes(hash)));
  await using notes = open(world, { labels: { privacyTags: ["@personal"], originsOf } });
  await notes.sync();
  const labelOf = async (id: string) => (await notes.index.node(id))?.label;
  assert.equal((await labelOf("a.org::Diary/Below"))?.secrecy, "private");
  assert.equal((await labelOf("a.org::Web/Part"))?.integrity, "untrusted");
  assert.equal((await labelOf("a.org::Mine"))?.integrity, "user");
  assert.equal((await labelOf("a.org::Copied"))?.integrity, "user");
  origins.set((await notes.index.node("a.org::Copied"))?.words ?? "", { label: web, trusted: false });
  assert.deepEqual(await labelOf("a.org::Copied"), web);
  put(world, "b.org", "* Else\n*** Copied\n   from a\n   page\n");
  await notes.rebuild();
  assert.equal((await labelOf("b.org::Else/Copied"))?.integrity, "untrusted", "a copy, filled otherwise");
  origins.set((await notes.index.node("a.org::Copied"))?.words ?? "", { label: web, trusted: true });
  assert.equal((await labelOf("a.org::Copied"))?.integrity, "user");
});

test("nothing of an encrypted subtree, decrypted or not, is in the index, nor of armour and private keys", async () => {
  const world = makeWorld({
    "a.org": [
      "* Passwords :crypt:",
      ":PROPERTIES:\n:CRYPTKEY: wombat\n:END:",
      "the word is platypus",
      "** Bank of marsupials",
      "pin echidna <2026-01-01>",
      "* Letter",
      "-----BEGIN PGP MESSAGE-----\nquollquollquoll\n-----END PGP MESSAGE-----",
      "** Reply\nplain numbat",
      "* Key",
      "  -----BEGIN OPENSSH PRIVATE KEY-----\n  bandicoot\n",
    ].join("\n"),
  });
  {
    await using notes = open(world);
    await notes.sync();
    for (const word of ["wombat", "platypus", "marsupials", "echidna", "quollquollquoll", "bandicoot"]) {
      assert.deepEqual(await found(notes, word), [], word);
    }
    assert.deepEqual(await found(notes, "passwords"), ["a.org::Passwords"]);
    assert.equal((await found(notes, "numbat")).length, 1);
    const secret = await notes.index.node("a.org::Passwords");
    assert.equal(secret?.label.secrecy, "secret");
    assert.deepEqual(await notes.index.children("a.org::Passwords"), []);
    assert.equal((await notes.texts(secret === null ? [] : [secret])).size, 0);
    assert.deepEqual(await notes.index.stampsFor("2025-01-01", "2027-01-01"), []);
  }
  const { readFileSync } = await import("node:fs");
  const bytes = readFileSync(world.file).toString("latin1");
  for (const word of ["wombat", "platypus", "marsupials", "echidna", "quollquoll", "bandicoot"]) {
    assert.equal(bytes.includes(word), false, word);
  }
});

test("ten thousand files are one look", async () => {
  const world = makeWorld();
  for (let folder = 0; folder < 100; folder += 1) {
    for (let file = 0; file < 100; file += 1)
      put(world, `f${folder}/n${file}.org`, `* Node ${folder} ${file}\n`);
  }
  await using notes = open(world);
  await notes.sync();
  assert.equal(await notes.index.count(), 20_000);
  put(world, "f50/n50.org", "* Anchor\n");
  await notes.sync();
  assert.equal((await found(notes, "anchor")).length, 1);
});

/** Indexes in small slices, and says so after each. */
const indexing = ({ folder, file }: World): string => `
  import { openIndexFile } from ${JSON.stringify(import.meta.resolve("./index/open-index-file.ts"))};
<<<<<<< HEAD
  import { makeSqliteNoteIndex } from ${JSON.stringify(import.meta.resolve("./index/sqlite-note-index.ts"))};
  import { applyChanges, scanFolder } from ${JSON.stringify(import.meta.resolve("./sync/sync-notes.ts"))};
  const index = makeSqliteNoteIndex(openIndexFile(${JSON.stringify(file)}).database);
=======
  import { SqliteNoteIndex } from ${JSON.stringify(import.meta.resolve("./index/sqlite-note-index.ts"))};
  import { scanFolder, applyChanges } from ${JSON.stringify(import.meta.resolve("./sync/sync-notes.ts"))};
  const index = new SqliteNoteIndex(openIndexFile(${JSON.stringify(file)}).database);
>>>>>>> d0db54d (Make the notes and their indexes classes, and read nodes in files with names)
  const parts = { folder: ${JSON.stringify(folder)}, index, clock: Date.now, yieldToEventLoop: () => null };
  await applyChanges(parts, await scanFolder(parts), {
    slice: { bytes: 20_000, files: 10 },
    progress: ({ done }) => process.stdout.write(done + "\\n"),
    changed: () => undefined,
  });`;

test("a process that is killed while it indexes leaves an index that goes on from there", async () => {
  const world = makeWorld();
  for (let file = 0; file < 200; file += 1) {
    put(
      world,
      `n${file}.org`,
      Array.from({ length: 30 }, (_, node) => `* Node ${node}\nsome words ${file}\n`).join(""),
    );
  }
  for (let kill = 0; kill < 3; kill += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", indexing(world)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), exited]);
    child.kill("SIGKILL");
    await exited;
  }
  await using notes = open(world);
  await notes.sync();
  const [root, count] = [await notes.index.root(), await notes.index.count()];
  assert.equal(count, 200 * 31);
  await notes.rebuild();
  assert.deepEqual([await notes.index.root(), await notes.index.count()], [root, count]);
});

test("two processes that index one folder at once leave one whole index", async () => {
  const world = makeWorld();
  for (let file = 0; file < 60; file += 1) {
    const nodes = Array.from({ length: 20 }, (_, node) => `* Node ${node}\nsome words ${file}\n`);
    put(world, `n${file}.org`, nodes.join(""));
  }
  const children = [1, 2].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", indexing(world)], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const ends = await Promise.all(children.map((child) => once(child, "exit")));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0],
  );
  await using notes = open(world);
  assert.deepEqual([await notes.index.count(), (await notes.index.files()).length], [60 * 21, 60]);
  const root = await notes.index.root();
  await notes.rebuild();
  assert.equal(await notes.index.root(), root);
});
