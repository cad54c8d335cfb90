import type { NoteFile } from "../../notes/note-node.ts";
import { privateTextsIn } from "../../notes/private-texts-in.ts";
import { whyPrivate } from "../notes/labels/why-private.ts";
import type { Notes } from "../notes/open-notes.ts";
import { readIndexedText } from "../notes/read-texts.ts";
import { longestByWord, type PrivateTexts } from "../private-text/private-texts.ts";

/** What private notes are learned from and by. Where the privacy tags change, all files are read again. */
export type LearnPrivateNotesParts = {
  readonly notes: Notes;
  readonly privateTexts: PrivateTexts;
  readonly privacyTags: readonly string[];
  readonly yieldToEventLoop: () => Promise<void> | null;
};

/** A file of notes with a private text that is very long. */
export type LongPrivateFile = {
  readonly path: string;
  /** The ID of its first private node, by which `/public` names it. */
  readonly id: string;
  readonly why: string;
};

/** Keeps the fingerprints of every private and secret note current with the index. What was private once stays known. */
export class PrivateNotesLearner {
  readonly #parts: LearnPrivateNotesParts;
  /** Of large files, by digest and rules, whether a private text in them is very long. */
  readonly #isLong = new Map<string, boolean>();
  #learned = "";
  #learning: Promise<void> | null = null;

  constructor(parts: LearnPrivateNotesParts) {
    this.#parts = parts;
  }

  /** Resolves when all private notes of the index are known. */
  async learn(): Promise<void> {
    await this.#parts.notes.ready();
    await this.#parts.privateTexts.ready();
    this.#learning ??= this.#learnAll().finally(() => {
      this.#learning = null;
    });
    await this.#learning;
  }

  /** The files that have a private text that is very long, as the index has them. */
  async longFiles(): Promise<readonly LongPrivateFile[]> {
    const { notes, privacyTags } = this.#parts;
    const found: LongPrivateFile[] = [];
    for (const file of await notes.index.files()) {
      if (file.size <= longestByWord) continue;
      const nodes = await notes.index.nodesInFile(file.path);
      const hidden = nodes.find(({ label }) => label.secrecy !== "public");
      if (hidden === undefined || !(await this.#hasLongText(file))) continue;
      found.push({
        path: file.path,
        id: hidden.id,
        why: whyPrivate(hidden, { privacyTags, problem: file.problem }),
      });
    }
    return found;
  }

  async #hasLongText(file: NoteFile): Promise<boolean> {
    const key = `${file.path} ${file.digest} ${file.setup}`;
    const texts = this.#isLong.has(key) ? null : await this.#privateTextsOf(file);
    if (texts !== null)
      this.#isLong.set(
        key,
        texts.some(({ length }) => length > longestByWord),
      );
    return this.#isLong.get(key) ?? false;
  }

  async #learnAll(): Promise<void> {
    const { notes, privateTexts, privacyTags, yieldToEventLoop } = this.#parts;
    const rules = privacyTags.toSorted().join(":");
    const root = `${await notes.index.root()} ${privateTexts.revision}`;
    if (root === this.#learned) return;
    const known = privateTexts.learnedFiles();
    for (const file of await notes.index.files()) {
      const reading = [rules, file.digest, ...(file.setup === "" ? [] : [file.setup])].join(" ");
      if (file.digest === "" || known.get(file.path) === reading) continue;
      const texts = await this.#privateTextsOf(file);
      if (texts === null) continue;
      await privateTexts.keep(texts);
      privateTexts.markLearned(file.path, reading);
      await yieldToEventLoop();
    }
    this.#learned = `${await notes.index.root()} ${privateTexts.revision}`;
  }

  /** The private texts of a file; null where the file is another than the index knows, so that it is read after the next sync. */
  async #privateTextsOf(file: NoteFile): Promise<readonly string[] | null> {
    const { notes } = this.#parts;
    const nodes = await notes.index.nodesInFile(file.path);
    if (nodes.every(({ label }) => label.secrecy === "public")) return [];
    const text = await readIndexedText({ ...notes.place, index: notes.index }, file.path);
    return text === null ? null : privateTextsIn(text, nodes);
  }
}
