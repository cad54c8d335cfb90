import type { Database } from "../storage/database.ts";
import { bytesOrNull, integer, text } from "../storage/rows.ts";
import { FingerprintSet, type PrivatePassage } from "./fingerprint-set.ts";

/** What the fingerprints are kept with: they are sealed on the disk, and their key is derived from that of the seal. */
export type FingerprintSeal = {
  readonly seal: (bytes: Uint8Array) => Uint8Array;
  readonly open: (sealed: Uint8Array) => Uint8Array | null;
  /** A secret of 32 bytes for one purpose. Null where there is no key, and none may be made. */
  readonly derive: (purpose: string) => Promise<Uint8Array | null>;
};

/** The tables: fingerprints in the order in which they were kept or released, and the notes files that they were read from. */
export const privateTextTables = `
CREATE TABLE private_fingerprints (number INTEGER PRIMARY KEY, released INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
CREATE TABLE private_files (path TEXT PRIMARY KEY, reading TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The place of a repository among the files that were read; a notes file has a relative path. */
export function historyPlace(repository: string): string {
  return `/git:${repository}`;
}

/** Texts of more code units are very long: only their longer passages are sure to be found. */
export const longestByWord = 500_000;
/** Texts of more code units, and all texts where more fingerprints are known, are known by fewer fingerprints; the largest window of those. */
const most = { units: longestByWord, fingerprints: 2_000_000, window: 64 };
/** How much of a text is read at once, and how much of it is read again with what follows, in code units. */
const slice = { units: 131_072, again: 2048 };

/** How many rows are read before others may work. */
const rowsAtOnce = 100;

/**
 * Every text that is or was private or secret, by fingerprints. It is truth, not index: nothing that is rebuilt drops a fingerprint; only the owner's word
 * releases a text.
 */
export class PrivateTexts {
  readonly #database: Database;
  readonly #seal: FingerprintSeal;
  #set: FingerprintSet | null = null;
  #loading: Promise<void> | null = null;
  #revision = 0;

  constructor(database: Database, seal: FingerprintSeal) {
    this.#database = database;
    this.#seal = seal;
  }

  /** Grows with every change of what is known. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves when all kept fingerprints are known. Throws where one of them cannot be read, so that nothing is taken for public. */
  ready(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** The passages of a text that stand in a private text. Throws before `ready`. */
  find(given: string): readonly PrivatePassage[] {
    return this.#known().find(given);
  }

  /** The text with each passage that stands in a private text replaced by `[withheld: private]`. Throws before `ready`. */
  withhold(given: string): string {
    let shown = "";
    let at = 0;
    for (const { begin, end } of this.find(given)) {
      shown += `${given.slice(at, begin)}[withheld: private]`;
      at = end;
    }
    return shown + given.slice(at);
  }

  /** The same for texts that follow each other: a passage may begin in one of them and end in another. Throws before `ready`. */
  withholdAcross(texts: readonly string[]): readonly string[] {
    const found = this.find(texts.join("\n"));
    let offset = 0;
    return texts.map((given) => {
      const start = offset;
      offset += given.length + 1;
      let shown = "";
      let at = 0;
      for (const { begin, end } of found) {
        const [from, to] = [Math.max(begin - start, at), Math.min(end - start, given.length)];
        if (from >= to) continue;
        shown += `${given.slice(at, from)}[withheld: private]`;
        at = to;
      }
      return shown + given.slice(at);
    });
  }

  /** Remembers that texts are private. Durable when it resolves. */
  async keep(texts: readonly string[]): Promise<void> {
    await this.ready();
    const parts: Uint8Array[] = [];
    for (const each of texts) {
      const window = this.#windowOf(each);
      if (window > 1) await this.#widenReach(window);
      for (let at = 0; at === 0 || at + slice.again < each.length; at += slice.units - slice.again) {
        if (at > 0) await new Promise((resolve) => setImmediate(resolve));
        const known = this.#known();
        parts.push(known.unknownOf(known.fingerprints(each.slice(at, at + slice.units), window)));
      }
    }
    const fresh = concat(parts);
    if (fresh.length === 0) return;
    await this.#database.forced(() => this.#write(fresh, false));
    this.#known().add(fresh);
    this.#revision += 1;
  }

  /** How many words a passage may be longer than the shortest before it is sure to be found; 0 where no private text is very long. */
  get reach(): number {
    return this.#set?.reach ?? 0;
  }

  /** Whether there is so much private text that none of it is known word by word any more. */
  get isVeryMuch(): boolean {
    return (this.#set?.size ?? 0) > most.fingerprints;
  }

  #windowOf({ length }: string): number {
    if (this.#known().size > most.fingerprints) return most.window;
    return Math.min(most.window, Math.ceil(length / most.units));
  }

  /** What is around a found passage counts as private from now on, since a long text is not known word by word. */
  async #widenReach(window: number): Promise<void> {
    const known = this.#known();
    if (window <= known.reach) return;
    known.reach = window;
    await this.#database.forced(() =>
      this.#database.run("INSERT OR REPLACE INTO meta VALUES ('private-text-reach', ?)", String(window)),
    );
  }

  /**
   * Takes texts for public from now on: the owner said so. Files are read again, since another private text may hold the same passage; the history of a
   * repository is not, since nobody can take a tag out of it.
   */
  async release(texts: readonly string[]): Promise<void> {
    await this.ready();
    const released = concat(texts.map((each) => this.#known().fingerprints(each)));
    if (released.length === 0) return;
    await this.#database.forced(() => {
      this.#write(released, true);
      this.#database.run("DELETE FROM private_files WHERE path NOT GLOB '/*'");
    });
    this.#set = this.#known().without(released);
    this.#revision += 1;
  }

  /** Which reading of each notes file the fingerprints have; a reading stands for its bytes and the rules of privacy. */
  learnedFiles(): ReadonlyMap<string, string> {
    const rows = this.#database.all("SELECT path, reading FROM private_files");
    return new Map(rows.map((row) => [text(row, "path"), text(row, "reading")]));
  }

  /** Notes that the private text of this reading of a file is kept. */
  markLearned(path: string, reading: string): void {
    this.#database.transaction("unforced", () =>
      this.#database.run("INSERT OR REPLACE INTO private_files (path, reading) VALUES (?, ?)", path, reading),
    );
  }

  #known(): FingerprintSet {
    if (this.#set === null) throw new Error("the private texts are not loaded yet");
    return this.#set;
  }

  /** Within a transaction. */
  #write(fingerprints: Uint8Array, released: boolean): void {
    this.#database.run(
      "INSERT INTO private_fingerprints (released, sealed) VALUES (?, ?)",
      released ? 1 : 0,
      this.#seal.seal(fingerprints),
    );
  }

  async #load(): Promise<void> {
    const key = await this.#seal.derive("fingerprints of private text");
    let set = new FingerprintSet(
      key === null ? new Uint32Array(8) : new Uint32Array(Uint8Array.from(key).buffer),
    );
    for (let last = 0; ; ) {
      const rows = this.#database.all(
        "SELECT number, released, sealed FROM private_fingerprints WHERE number > ? ORDER BY number LIMIT ?",
        last,
        rowsAtOnce,
      );
      for (const row of rows) {
        const opened = this.#seal.open(bytesOrNull(row, "sealed") ?? new Uint8Array());
        if (opened === null) throw new Error(unreadable);
        if (row["released"] === 1) set = set.without(opened);
        else set.add(opened);
      }
      const next = rows.at(-1);
      if (next === undefined) break;
      last = integer(next, "number");
      await new Promise((resolve) => setImmediate(resolve));
    }
    const reach = this.#database.get("SELECT value FROM meta WHERE key = 'private-text-reach'");
    set.reach = reach === undefined ? 0 : Number(text(reach, "value"));
    this.#set = set;
  }
}

const unreadable =
  "The fingerprints of your private notes cannot be read: sealing-key in the state folder is missing or another one. Restore it from the backup of the state folder; until then nothing is sent to a model that is not local.";

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
