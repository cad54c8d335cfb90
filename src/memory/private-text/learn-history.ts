import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findObjects, objectsOf, readBlobs, stampOfObjects } from "./git-objects.ts";
import { listObjects, type ObjectListing, readAdded } from "./loose-objects.ts";
import { historyPlace, type PrivateTexts } from "./private-texts.ts";

/**
 * How many folders below one are looked at, the nearest first, how many at once, and how many repositories
 * are taken.
 */
const most = { folders: 2000, atOnce: 32, repositories: 20 };

/**
 * The folders with the objects of the repositories that a command may read which runs in a folder: the
 * nearest at or above it, and those below it, submodules and bare ones among them.
 */
async function findRepositories(folder: string): Promise<readonly string[]> {
  const above = await findObjects(folder);
  const found = new Set(above === null ? [] : [above]);
  const folders = [folder];
  for (let at = 0; at < Math.min(folders.length, most.folders) && found.size < most.repositories; ) {
    const next = folders.slice(at, at + most.atOnce);
    at += next.length;
    const looked = await Promise.all(next.map(lookAt));
    for (const { objects, below } of looked) {
      if (objects !== null) found.add(objects);
      for (const each of below) folders.push(each);
    }
  }
  return [...found];
}

type Looked = { readonly objects: string | null; readonly below: readonly string[] };

/** The objects of the repository that a folder is, and the folders in it that may be or hold others. */
async function lookAt(folder: string): Promise<Looked> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isBare = entries.some(({ name }) => name === "HEAD");
  const objects = isBare || entries.some(({ name }) => name === ".git") ? await objectsOf(folder) : null;
  if (isBare && objects !== null) return { objects, below: [] };
  const below = entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name));
  return { objects, below: below.map(({ name }) => join(folder, name)) };
}

/** Folders with many others in them that are no work of the owner's. */
const skipped = new Set(["node_modules", ".git"]);

/** What learning from history needs. Milliseconds. */
export type HistoryLearnerParts = {
  readonly privateTexts: Pick<PrivateTexts, "keep" | "learnedFiles" | "markLearned" | "ready">;
  /** The parts of a text that its privacy tags cover, from its bytes. */
  readonly privateParts: (bytes: Uint8Array) => readonly string[];
  /** Stands for the rules of privacy: where they change, all is read again. */
  readonly rules: string;
  readonly yieldToEventLoop: () => Promise<void> | null;
  readonly patience: number;
  /** The folders in which commands find git, as in `PATH`. */
  readonly searchPath: string;
};

/** How many blobs are read before it is noted that they were, and how many code units of private text are kept at once. */
const atOnce = { blobs: 5000, units: 100_000 };
/** How much of an id is kept. */
const kept = 12;

type Learned = { readonly stamp: string; readonly listing: ObjectListing | null };

/**
 * Keeps the fingerprints of the private text in the history of repositories, so that a command may print any piece of it. Each blob is read once, as long as
 * the rules of privacy stay.
 */
export class HistoryLearner {
  readonly #parts: HistoryLearnerParts;
  /** By repository: what it was when all of it was learned. */
  readonly #learned = new Map<string, Learned>();
  readonly #learning = new Map<string, Promise<void>>();

  constructor(parts: HistoryLearnerParts) {
    this.#parts = parts;
  }

  /** True when all private text in the repositories around these folders is known; false where that takes longer than the patience, and goes on. */
  async learn(folders: readonly string[]): Promise<boolean> {
    const found = await Promise.all([...new Set(folders)].map(findRepositories));
    const repositories = [...new Set(found.flat())];
    if (repositories.length === 0) return true;
    const all = this.#learnInTurn(repositories).then(() => true);
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), this.#parts.patience);
    try {
      return await Promise.race([all.catch(() => false), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One after another: each is read by programs that need a processor, and so does this one. */
  async #learnInTurn(repositories: readonly string[]): Promise<void> {
    for (const each of repositories) await this.#learnOne(each);
  }

  #learnOne(repository: string): Promise<void> {
    const running = this.#learning.get(repository);
    if (running !== undefined) return running;
    const learning = this.#learnAll(repository).finally(() => this.#learning.delete(repository));
    this.#learning.set(repository, learning);
    return learning;
  }

  async #learnAll(repository: string): Promise<void> {
    const { privateTexts, privateParts, rules, yieldToEventLoop, searchPath } = this.#parts;
    const isSeen = (id: string): boolean => seen.has(id.slice(0, kept));
    const stamp = await stampOfObjects(repository);
    const last = this.#learned.get(repository);
    if (last?.stamp === stamp) return;
    await privateTexts.ready();
    const place = historyPlace(repository);
    const [, ...before] = readingOf(privateTexts.learnedFiles().get(place), rules);
    const seen = new Set(before);
    let parts: string[] = [];
    let [read, units] = [0, 0];
    const keep = async (): Promise<void> => {
      if (parts.length > 0) await privateTexts.keep(parts);
      parts = [];
      units = 0;
    };
    const mark = async (): Promise<void> => {
      await keep();
      privateTexts.markLearned(place, [rules, ...seen].join("\n"));
    };
    const listing = await listObjects(repository);
    const known = before.length === 0 ? null : (last?.listing ?? null);
    const added = await readAdded(repository, known, listing);
    let isWhole = true;
    const unread = (): void => {
      isWhole = false;
    };
    const blobs =
      added?.filter(({ id, type }) => type !== "tree" && !isSeen(id)) ??
      readBlobs({ folder: repository, searchPath }, isSeen, unread);
    for await (const { id, bytes } of blobs) {
      for (const part of privateParts(bytes)) {
        parts.push(part);
        units += part.length;
      }
      seen.add(id.slice(0, kept));
      read += 1;
      if (units > atOnce.units) await keep();
      if (read % atOnce.blobs === 0) await mark();
      await yieldToEventLoop();
    }
    if (read > 0) await mark();
    this.#learned.set(repository, { stamp, listing: isWhole ? listing : null });
  }
}

/** The rules that a repository was read by, and the blobs that were read; nothing where the rules are others. */
function readingOf(reading: string | undefined, rules: string): readonly string[] {
  const parts = reading?.split("\n") ?? [];
  return parts[0] === rules ? parts : [];
}
