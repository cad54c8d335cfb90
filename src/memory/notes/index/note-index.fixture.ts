import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sha256 } from "../../../machine/digest.ts";
import type { NoteNode, ParsedFile } from "../../../notes/note-node.ts";
import { parseNoteFile, type SetupReader } from "../../../notes/parse-note-file.ts";
import { MemoryNoteIndex } from "./memory-note-index.fixture.ts";
import type { NoteIndex } from "./note-index.ts";
import { SelfHealingIndex } from "./self-healing-index.ts";

const root = mkdtempSync(join(tmpdir(), "note-index-"));
after(() => rmSync(root, { recursive: true, force: true }));

function unexpected(message: string): void {
  throw new Error(message);
}

/** Makes an empty index in memory, and in a database. */
export const implementations: readonly [name: string, make: () => NoteIndex][] = [
  ["in memory", () => new MemoryNoteIndex()],
  [
    "SQLite",
    () =>
      new SelfHealingIndex({
        file: join(mkdtempSync(join(root, "a-")), "index.db"),
        clock: Date.now,
        report: unexpected,
        emptied: () => unexpected("it was emptied"),
      }),
  ],
];

/** The setup files of a note that names none. */
export const noSetup: SetupReader = {
  read: () => null,
  variables: [],
  seen: () => "",
  problem: () => null,
};

/** A parsed file of the notes folder with this text. */
export function file(path: string, text: string): ParsedFile {
  const bytes = Buffer.from(text);
  const found = { path, size: bytes.length, modified: "1", changed: "1", inode: "1" };
  return parseNoteFile({ found, bytes, digest: sha256(bytes) }, noSetup);
}

/** All nodes of an index. */
export async function collect(index: NoteIndex): Promise<readonly NoteNode[]> {
  const nodes: NoteNode[] = [];
  for await (const node of index.all()) nodes.push(node);
  return nodes;
}

/** Registers a test of the contract of an index, once for each implementation. */
export function testEachIndex(contract: string, check: (make: () => NoteIndex) => Promise<void>): void {
  for (const [name, make] of implementations) test(`the index ${name} ${contract}`, () => check(make));
}
