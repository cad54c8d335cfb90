import type { FoundStamp, NoteFile, NoteLink, NoteNode, ParsedFile } from "../../../notes/note-node.ts";
import type { Database } from "../../storage/database.ts";
import type { NodeChanges, NodeFilter, NoteHit, NoteIndex } from "./note-index.ts";
import { identityOfFile, isDamage, openIndexFile, removeIndexFile } from "./open-index-file.ts";
import { SqliteNoteIndex } from "./sqlite-note-index.ts";

/** Which file the index is in, and who hears of its repair. */
export type SelfHealingIndexParts = {
  readonly file: string;
  readonly clock: () => number;
  readonly report: (message: string) => void;
  /** Called after a damaged index was replaced by an empty one. */
  readonly emptied: () => void;
};

type OpenFile = { readonly database: Database; readonly index: NoteIndex; readonly identity: string };

/**
 * An index that opens its file at first use, and reopens it where the file was replaced. A damaged file is replaced by an empty index, which then answers
 * the failed request; the next sync fills it.
 */
export class SelfHealingIndex implements NoteIndex {
  readonly #parts: SelfHealingIndexParts;
  #open: OpenFile | null = null;
  #opening: Promise<OpenFile> | null = null;
  #healing: Promise<void> | null = null;
  /** The damaged files that were replaced: a request that meets its end in one is made again. */
  readonly #replaced = new WeakSet<OpenFile>();

  constructor(parts: SelfHealingIndexParts) {
    this.#parts = parts;
  }

  /** Closes the file where another one is in its place by now; the next request opens that one. */
  async refresh(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    const identity = await identityOfFile(this.#parts.file);
    if (this.#open === open && open.identity !== identity) this.#shut();
  }

  async close(): Promise<void> {
    await this.#healing;
    await this.#opening;
    this.#shut();
  }

  /** Overwrites on the disk what rows held that are gone: they are zeroed at once, and their earlier pages go with the write-ahead log. */
  async overwriteFreed(): Promise<void> {
    const { database } = await this.#current();
    database.script("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  files(): Promise<readonly NoteFile[]> {
    return this.#use((index) => index.files());
  }
  file(path: string): Promise<NoteFile | null> {
    return this.#use((index) => index.file(path));
  }
  filesWithSetup(): Promise<readonly NoteFile[]> {
    return this.#use((index) => index.filesWithSetup());
  }
  replace(files: readonly ParsedFile[]): Promise<NodeChanges> {
    return this.#use((index) => index.replace(files));
  }
  touch(files: readonly NoteFile[]): Promise<void> {
    return this.#use((index) => index.touch(files));
  }
  remove(paths: readonly string[]): Promise<NodeChanges> {
    return this.#use((index) => index.remove(paths));
  }
  clear(): Promise<void> {
    return this.#use((index) => index.clear());
  }
  node(id: string): Promise<NoteNode | null> {
    return this.#use((index) => index.node(id));
  }
  claimants(id: string): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.claimants(id));
  }
  nodesInFile(path: string): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.nodesInFile(path));
  }
  children(id: string | null): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.children(id));
  }
  async *all(): AsyncIterable<NoteNode> {
    const { index } = await this.#current();
    yield* index.all();
  }
  countInFiles(paths: readonly string[]): Promise<number> {
    return this.#use((index) => index.countInFiles(paths));
  }
  count(): Promise<number> {
    return this.#use((index) => index.count());
  }
  search(query: string, limit: number, filter?: NodeFilter | null): Promise<readonly NoteHit[]> {
    return this.#use((index) => index.search(query, limit, filter));
  }
  stampsFor(from: string, to: string): Promise<readonly FoundStamp[]> {
    return this.#use((index) => index.stampsFor(from, to));
  }
  linksTo(type: string, target: string): Promise<readonly NoteLink[]> {
    return this.#use((index) => index.linksTo(type, target));
  }
  nodesWithAddress(): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.nodesWithAddress());
  }
  nodesWithFolder(): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.nodesWithFolder());
  }
  titled(words: string, limit: number): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.titled(words, limit));
  }
  titledIn(text: string, limit: number): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.titledIn(text, limit));
  }
  openNodesWithTag(tag: string): Promise<readonly NoteNode[]> {
    return this.#use((index) => index.openNodesWithTag(tag));
  }
  root(): Promise<string> {
    return this.#use((index) => index.root());
  }

  async #use<T>(request: (index: NoteIndex) => Promise<T>): Promise<T> {
    const open = await this.#current();
    try {
      return await request(open.index);
    } catch (error) {
      if (isDamage(error)) await this.#heal(open);
      else if (!this.#replaced.has(open)) throw error;
      return request((await this.#current()).index);
    }
  }

  /** Replaces a damaged file by an empty one; once, for all who found the damage. */
  async #heal(damaged: OpenFile): Promise<void> {
    if (this.#open === damaged)
      this.#healing = this.#replace(damaged).finally(() => {
        this.#healing = null;
      });
    await this.#healing;
  }

  async #replace(damaged: OpenFile): Promise<void> {
    const { file, report, emptied } = this.#parts;
    this.#replaced.add(damaged);
    this.#shut();
    await removeIndexFile(file);
    report(`The index ${file} was damaged. It is being rebuilt from the notes.`);
    emptied();
  }

  /** The open file. It is opened once for all who wait, and not while a damaged one is replaced. */
  async #current(): Promise<OpenFile> {
    await this.#healing;
    if (this.#open !== null) return this.#open;
    this.#opening ??= this.#openFile().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openFile(): Promise<OpenFile> {
    const { file, report, clock } = this.#parts;
    const { database, report: told } = await openIndexFile(file);
    if (told !== null) report(told);
    const open = {
      database,
      index: new SqliteNoteIndex(database, clock),
      identity: await identityOfFile(file),
    };
    this.#open = open;
    return open;
  }

  #shut(): void {
    this.#open?.database.close();
    this.#open = null;
  }
}
