import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lastingIdentity } from "../../storage/lasting-identity.ts";

/** A notes folder as it was indexed last. */
type KnownFolder = { readonly identity: string | null; readonly files: number };

/**
 * Where a file system does not say what a folder is, fewer files than this are taken for removed by their
 * owner, not for lost.
 */
const fewestLost = 5;

/**
 * The notes folders as they were indexed last, in a file beside the index: it outlives an index that is
 * rebuilt.
 */
export class KnownFolders {
  readonly #file: string;

  constructor(indexFile: string) {
    this.#file = join(dirname(indexFile), "notes-folders.json");
  }

  /**
   * How many files of notes were known in a folder, where that folder is not there or another one, which is
   * empty, is in its place: its disk is not mounted. Null where nothing is lost: a folder that was emptied
   * by its owner is still the same one, and one that was restored or cloned holds notes.
   */
  async countLost(folder: string): Promise<number | null> {
    const known = (await this.#read())[folder];
    const found = await namesIn(folder);
    if (known === undefined || known.files === 0 || found?.some((name) => !name.startsWith(".")) === true)
      return null;
    const identity = await lastingIdentity(folder);
    if (found === null) return known.files;
    if (identity === null || known.identity === null) return known.files < fewestLost ? null : known.files;
    return identity === known.identity ? null : known.files;
  }

  /** Notes what was found in a folder that is there. */
  async note(folder: string, files: number): Promise<void> {
    const known: KnownFolder = { identity: await lastingIdentity(folder), files };
    const all = await this.#read();
    const before = all[folder];
    if (before?.files === files && before.identity === known.identity) return;
    const draft = `${this.#file}.${randomUUID()}.tmp`;
    await writeFile(draft, JSON.stringify({ ...all, [folder]: known }), { mode: 0o600 });
    await rename(draft, this.#file);
  }

  /** Notes a folder that was not there or was empty when it was last noted, once something is in it. */
  async noteFirst(folder: string): Promise<void> {
    if (((await this.#read())[folder]?.files ?? 0) > 0) return;
    const found = (await namesIn(folder))?.filter((name) => !name.startsWith(".")) ?? [];
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
      return [[folder, { identity, files }] as const];
    }),
  );
}

/** The names in a folder; null where it is not there or cannot be listed. */
async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}
