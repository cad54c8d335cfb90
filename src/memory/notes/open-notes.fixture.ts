import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { type Notes, type NotesOptions, openNotes } from "./open-notes.ts";

const root = mkdtempSync(join(tmpdir(), "open-notes-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** A notes folder, the file of its index, and the reported messages. */
export type World = { readonly folder: string; readonly file: string; readonly reports: string[] };

/** Makes a notes folder with these files. */
export function makeWorld(files: Readonly<Record<string, string | Buffer>> = {}): World {
  const place = mkdtempSync(join(root, "a-"));
  const world = { folder: join(place, "notes"), file: join(place, "index.db"), reports: [] };
  mkdirSync(world.folder);
  for (const [path, text] of Object.entries(files)) put(world, path, text);
  return world;
}

/** Writes a file of the notes folder. */
export function put({ folder }: World, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Opens the notes of a world, by default without a child process. */
export function open({ folder, file, reports }: World, given: Partial<NotesOptions> = {}): Notes {
  return openNotes({
    folder,
    variables: [],
    file,
    clock: Date.now,
    worker: null,
    progress: () => undefined,
    labels: { privacyTags: ["@personal"], originsOf: async () => new Map() },
    yieldToEventLoop: () => setImmediate(),
    report: (message) => reports.push(message),
    ...given,
  });
}

/** Ids of the notes that a search finds. */
export async function found(notes: Notes, words: string): Promise<readonly string[]> {
  return (await notes.index.search(words, 10)).map(({ id }) => id);
}

/** Waits until a change of the folder has arrived in the index; fails after two minutes. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 12_000, "the condition never became true");
    await pause(10);
  }
}
