import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { BackupProblem } from "./backup-problem.ts";
import {
  type BackupWorld,
  type Entry,
  makeBackupWorld,
  openArchive,
  sayInto,
  writeArchiveOf,
} from "./backup-world.fixture.ts";
import { tarHeader } from "./tar.ts";

/** A header of another kind than a plain file. */
function headerOf(path: string, kind: string, size = 0): Buffer {
  const header = tarHeader(path, size);
  header.write(kind, 156, "latin1");
  header.write("/etc/passwd", 157, "latin1");
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function worldWithBackup(t: Parameters<typeof makeBackupWorld>[0]): Promise<BackupWorld> {
  const world = makeBackupWorld(t);
  world.write("memex/house.org", "* Then\n");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Ada\n");
  {
    await using state = await world.open();
    await sayInto(state, "one", "then");
  }
  await world.backup();
  world.write("memex/house.org", "* Now\n");
  return world;
}

async function assertRefused(world: BackupWorld, words: RegExp, what: string): Promise<void> {
  const before = world.tree();
  await assert.rejects(world.restore(), (error: unknown) => {
    assert.ok(error instanceof BackupProblem, `${what}: ${error instanceof Error ? error.stack : error}`);
    assert.match(error.message, words, what);
    return true;
  });
  assert.deepEqual(world.tree(), before, what);
}

test("an archive with anything but the plain files of its manifest is refused in words, and changes nothing", async (t) => {
  const world = await worldWithBackup(t);
  const { manifest, entries } = openArchive(world.file);
  const bytes = Buffer.from("* Mine\n");
  const named = (path: string): readonly [unknown, readonly Entry[]] => [
    { ...manifest, files: [...manifest.files, { path, size: bytes.length, sha256: sha256(bytes) }] },
    [...entries, { path, bytes }],
  ];
  const kinds = [
    ["1", /a hard link/],
    ["2", /a symbolic link/],
    ["3", /a device/],
    ["4", /a device/],
    ["5", /a folder of its own/],
    ["6", /a named pipe/],
    ["g", /no plain file/],
  ] as const;
  for (const [kind, words] of kinds) {
    const path = "notes/0/mine.org";
    const [listed] = named(path);
    const header = headerOf(path, kind);
    writeArchiveOf(world.file, listed, [...entries, { path, bytes: Buffer.alloc(0), header }]);
    await assertRefused(world, words, `kind ${kind}`);
  }
  const paths = [
    ["../../.bashrc", /leads out of its folder/],
    ["notes/0/../../../.bashrc", /leads out of its folder/],
    ["configuration/./x", /leads out of its folder/],
    ["configuration//x", /leads out of its folder/],
    ["/etc/cron.d/mine", /no path of a backup/],
    ["notes/0/a\\..\\b", /no path of a backup/],
    ["notes/1/mine.org", /belongs to no folder/],
    ["notes/0", /belongs to no folder/],
    ["home/.bashrc", /belongs to no folder/],
    ["state/wire-secret", /no such file/],
    ["state/sealing-key", /no such file/],
    ["state/run/passepartout.sock", /no such file/],
    ["notes/0/a\nb", /cannot be the name of a file/],
    [`notes/0/${"a".repeat(300)}`, /cannot be the name of a file/],
    ["notes/0/house.org", /twice/],
    ["notes/0/house.org/below", /two files that this disk cannot hold/],
  ] as const;
  for (const [path, words] of paths) {
    writeArchiveOf(world.file, ...named(path));
    await assertRefused(world, words, path);
  }
});

test("an archive that is truncated, changed, or not what its manifest says is refused in words, and changes nothing", async (t) => {
  const world = await worldWithBackup(t);
  const whole = readFileSync(world.file);
  const { manifest, entries } = openArchive(world.file);
  for (const length of [0, 1, 20, 500, whole.length - 1, Math.floor(whole.length / 2)]) {
    writeFileSync(world.file, whole.subarray(0, length));
    await assertRefused(world, /not whole|begin with a manifest|damaged/, `${length} bytes`);
  }
  for (const at of [12, 200, Math.floor(whole.length / 2), whole.length - 6]) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(world.file, changed);
    await assertRefused(world, /cannot be used/, `byte ${at}`);
  }
  const tar = gunzipSync(whole);
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ["text", Buffer.from("hello, this is no archive"), /cannot be used/],
    ["a cut tar", gzipSync(tar.subarray(0, tar.length - 1024 - 700)), /not whole/],
    ["more behind the end", gzipSync(Buffer.concat([tar, Buffer.from("more")])), /something follows its end/],
    [
      "zeros behind the end",
      gzipSync(Buffer.concat([tar, Buffer.alloc(1_000_000)])),
      /something follows its end/,
    ],
  ];
  for (const [what, bytes, words] of cases) {
    writeFileSync(world.file, bytes);
    await assertRefused(world, words, what);
  }
  const [first, ...rest] = entries;
  assert.ok(first);
  const other = { ...first, bytes: Buffer.from(first.bytes).fill(1, 40, 44) };
  const forms: readonly (readonly [string, unknown, readonly Entry[], RegExp])[] = [
    ["another hash", manifest, [other, ...rest], /its hash differs/],
    ["a file less", manifest, rest, /where its manifest names/],
    ["a file more", manifest, [...entries, first], /manifest does not name/],
    ["an order of its own", manifest, [...rest, first], /where its manifest names/],
    [
      "a newer version",
      { ...manifest, version: 3 },
      entries,
      /version 3, and this program reads versions up to 2/,
    ],
    ["no manifest", { files: [] }, entries, /its manifest is not one/],
    ["no files", { ...manifest, files: [] }, [], /has no files/],
  ];
  for (const [what, listed, files, words] of forms) {
    writeArchiveOf(world.file, listed, files);
    await assertRefused(world, words, what);
  }
});

test("a bomb is refused by what it says or by where it stops, and a state that is none by what it holds", async (t) => {
  const world = await worldWithBackup(t);
  const { manifest, entries } = openArchive(world.file);
  const path = "notes/0/bomb";
  const zeros = Buffer.alloc(50_000_000);
  const listed = (size: number) => ({
    ...manifest,
    files: [...manifest.files, { path, size, sha256: sha256(zeros) }],
  });
  writeArchiveOf(world.file, listed(1e15), [...entries, { path, bytes: zeros }]);
  await assertRefused(world, /There is no room on the disk of .* Free 1000 TB/, "a size that no disk has");
  writeArchiveOf(world.file, listed(10), [...entries, { path, bytes: zeros }]);
  await assertRefused(
    world,
    /50000000 bytes\) where its manifest names .* \(10 bytes\)/,
    "more than it says",
  );
  const withState = (name: string, bytes: Buffer): void => {
    const files = manifest.files.map((file) =>
      file.path === name ? { ...file, size: bytes.length, sha256: sha256(bytes) } : file,
    );
    writeArchiveOf(
      world.file,
      { ...manifest, files },
      entries.map((entry) => (entry.path === name ? { path: name, bytes } : entry)),
    );
  };
  withState("state/state.db", Buffer.from("no database"));
  await assertRefused(world, /state in the backup cannot be used: .*damaged/, "a database that is none");
  withState("state/state.db", Buffer.alloc(0));
  await assertRefused(world, /state in the backup cannot be used/, "an empty database");
  const journal = entries.find((entry) => entry.path === "state/journal.jsonl")?.bytes ?? Buffer.alloc(0);
  withState("state/journal.jsonl", Buffer.from(journal.toString("utf8").replace("one", "eno")));
  await assertRefused(world, /its journal is damaged/, "another journal");
  withState("state/journal.jsonl", Buffer.alloc(0));
  await assertRefused(world, /its journal is damaged/, "no journal");
});
