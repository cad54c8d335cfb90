import { privateTextsIn } from "../notes/labels/private-texts-in.ts";
import type { NoteFile } from "../notes/nodes/note-node.ts";
import type { Notes } from "../notes/open-notes.ts";
import { readIndexedText } from "../notes/read-texts.ts";
import type { PrivateTexts } from "../private-text/private-texts.ts";

/** What private notes are learned from and by. `rules` stands for the rules of privacy: where they change, all files are read again. */
export type LearnPrivateNotesParts = {
  readonly notes: Notes;
  readonly privateTexts: PrivateTexts;
  readonly rules: string;
  readonly yieldToEventLoop: () => Promise<void> | null;
};

/** Keeps the fingerprints of every private and secret note current with the index. What was private once stays known. */
export class PrivateNotesLearner {
  readonly #parts: LearnPrivateNotesParts;
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

  async #learnAll(): Promise<void> {
    const { notes, privateTexts, rules, yieldToEventLoop } = this.#parts;
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
