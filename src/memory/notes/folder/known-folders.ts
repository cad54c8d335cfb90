import { randomUUID } from "node:crypto";
import { lstat, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { lastingIdentity } from "../../storage/lasting-identity.ts";
import type { DeadLinks } from "./notes-folders.ts";

/** A notes folder as it was indexed last. */
type KnownFolder = {
  readonly identity: string | null;
  readonly files: number;
  /** Some of the names in it, by which a copy of it is known again. */
  readonly names: readonly string[];
};

/**
 * How many files of notes were known in a folder that is lost, whether another folder, which is not empty,
 * is in its place, and the link that leads nowhere by which it is named; null where there is none.
 */
export type LostFolder = {
  readonly files: number;
  readonly isReplaced: boolean;
  readonly link: string | null;
};

/** How many names a folder is known by. */
const mostNames = 50;

/**
 * The notes folders as they were indexed last, in a file beside the index: it outlives an index that is
 * rebuilt.
 */
export class KnownFolders {
  readonly #file: string;
  readonly #deadLink: (folder: string) => string | null;

  constructor(indexFile: string, { deadLink = () => null }: DeadLinks = {}) {
    this.#deadLink = deadLink;
    this.#file = join(dirname(indexFile), "notes-folders.json");
  }

  /**
   * What is lost where a known folder is not there, or another one is in its place that has nothing of it:
   * its disk is not mounted, or another disk is. A folder behind a link that leads nowhere need not be known.
   * Null where nothing is lost: a folder that was emptied by its owner is still the same one, and one that
   * was restored or cloned holds names that are known.
   */
  async findLost(folder: string): Promise<LostFolder | null> {
    const known = (await this.#read())[folder];
    const link = this.#deadLink(folder);
    if (link !== null) return { files: known?.files ?? 0, isReplaced: false, link };
    if (known === undefined || known.files === 0) return null;
    const { files } = known;
    const found = await visibleNamesIn(folder);
    if (found === null) return { files, isReplaced: false, link };
    const isReplaced = found.length > 0;
    const isUnknown = known.names.length === 0 || known.identity === null;
    if (isReplaced && (isUnknown || found.some((name) => known.names.includes(name)))) return null;
    return (await identityOf(folder)) === known.identity ? null : { files, isReplaced, link };
  }

  /** Takes the folder that is there now for the known one. */
  async accept(folder: string): Promise<void> {
    const found = (await visibleNamesIn(folder)) ?? [];
    await this.note(folder, found.length);
  }

  /** Notes what was found in a folder that is there. */
  async note(folder: string, files: number): Promise<void> {
    const names = ((await visibleNamesIn(folder)) ?? []).toSorted().slice(0, mostNames);
    const known: KnownFolder = { identity: await identityOf(folder), files, names };
    const all = await this.#read();
    if (isDeepStrictEqual(all[folder], known)) return;
    const draft = `${this.#file}.${randomUUID()}.tmp`;
    await writeFile(draft, JSON.stringify({ ...all, [folder]: known }), { mode: 0o600 });
    await rename(draft, this.#file);
  }

  /** Notes a folder that was not there or was empty when it was last noted, once something is in it. */
  async noteFirst(folder: string): Promise<void> {
    if (((await this.#read())[folder]?.files ?? 0) > 0) return;
    const found = (await visibleNamesIn(folder)) ?? [];
    if (found.length > 0) await this.note(folder, found.length);
  }

  async #read(): Promise<Readonly<Record<string, KnownFolder>>> {
    try {
      return foldersOf(JSON.parse(await readFile(this.#file, "utf8")));
    } catch (fault) {
      // Damaged or missing: nothing is known yet, and the next scan notes it.
      if (fault instanceof SyntaxError || (fault instanceof Error && "code" in fault)) return {};
      throw fault;
    }
  }
}

function foldersOf(value: unknown): Readonly<Record<string, KnownFolder>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([folder, known]: [string, unknown]) => {
      if (typeof known !== "object" || known === null || !("identity" in known) || !("files" in known))
        return [];
      const { identity, files } = known;
      if (typeof files !== "number" || (identity !== null && typeof identity !== "string")) return [];
      const names = "names" in known && Array.isArray(known.names) ? known.names.map(String) : [];
      return [[folder, { identity, files, names }] as const];
    }),
  );
}

/** What a folder is; where its file system does not say, the device that it is on. */
async function identityOf(folder: string): Promise<string | null> {
  const found = await lstat(folder);
  return (await lastingIdentity(folder)) ?? `device ${found.dev}`;
}

/** The names in a folder, hidden ones left out; null where it is not there or cannot be listed. */
async function visibleNamesIn(folder: string): Promise<readonly string[] | null> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith("."));
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}
