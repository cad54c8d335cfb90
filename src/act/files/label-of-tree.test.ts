import assert from "node:assert/strict";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { sha256 } from "../../machine/digest.ts";
import { bottomLabel, joinAll, type Label } from "../../signal/label.ts";
import type { FilePorts, OriginPort } from "./file-ports.ts";
import { TreeLabels } from "./label-of-tree.ts";

const privateLabel: Label = { ...bottomLabel, secrecy: "private" };

async function folderWith(context: TestContext, names: readonly string[]): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "label-of-tree-")));
  context.after(() => rm(folder, { recursive: true }));
  for (const name of names) await writeFile(join(folder, name), name);
  return folder;
}

function portsWith(changed: Partial<OriginPort>): FilePorts {
  return {
    folders: { notes: "/nowhere/notes", home: "/nowhere", own: [] },
    isSecretPath: () => false,
    origins: {
      of: async () => null,
      inside: async () => bottomLabel,
      insideLarge: async () => bottomLabel,
      touched: async () => bottomLabel,
      lifted: async () => [],
      keep: async () => {},
      ...changed,
    },
    keepPreImage: async () => "",
    planPreImage: async () => [],
    isTrusted: async () => true,
  };
}

test("a fault of one file while another is read is the fault of the call, and of nothing else", async (t) => {
  const path = await folderWith(t, ["a.txt", "b.org"]);
  const inside = async (file: string): Promise<Label> => {
    if (file.endsWith(".txt")) throw new Error("unreadable");
    for (let turn = 0; turn < 100; turn += 1) await turnOfLoop();
    return bottomLabel;
  };
  const labels = new TreeLabels(portsWith({ inside }));
  await assert.rejects(labels.labelOf({ path, tree: true }), /unreadable/);
});

test("what is not looked into counts as private, until a later call has looked into it", async (t) => {
  const names = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"];
  for (const limit of [
    { files: 3, bytes: 1_000 },
    { files: 100, bytes: 11 },
  ]) {
    const path = await folderWith(t, names);
    const labels = new TreeLabels(portsWith({}), limit);
    assert.equal((await labels.labelOf({ path, tree: true })).secrecy, "private");
    assert.equal((await labels.labelOf({ path, tree: true })).secrecy, "public");
  }
});

test("an origin or a note that a file gets later counts, whichever of many files it is, though none changed", async (t) => {
  const names = Array.from({ length: 600 }, (_, at) => `${String(at).padStart(3, "0")}.txt`);
  const path = await folderWith(t, names);
  const [origins, attached] = [new Map<string, Label>(), new Set<string>()];
  const labels = new TreeLabels(
    portsWith({
      of: async (digests) => joinAll(digests.flatMap((digest) => origins.get(digest) ?? [])),
      attached: async (paths) => (paths.some((one) => attached.has(one)) ? privateLabel : bottomLabel),
    }),
  );
  const secrecy = async () => (await labels.labelOf({ path, tree: true })).secrecy;
  assert.equal(await secrecy(), "public");
  for (const name of ["000.txt", "001.txt", "300.txt", "599.txt"]) {
    origins.set(sha256(name), privateLabel);
    assert.equal(await secrecy(), "private", name);
    origins.clear();
    attached.add(join(path, name));
    assert.equal(await secrecy(), "private", name);
    attached.clear();
    assert.equal(await secrecy(), "public", name);
  }
});
