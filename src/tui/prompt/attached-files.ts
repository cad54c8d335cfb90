import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { cleanLine } from "../screen/clean.ts";
import type { Theme } from "../screen/theme.ts";
import { cut } from "../screen/toolkit.ts";
import type { SilentAnswer } from "../session/silent-requests.ts";

/** What attaching files needs. */
export type AttachedFilesParts = {
  readonly ask: (payload: JsonObject, answered: (answer: SilentAnswer) => void) => void;
  /** The session that is open; null before it is. */
  readonly session: () => string | null;
  /** Says what became of a file. */
  readonly notice: (text: string, tone: "note" | "warning") => void;
  readonly changed: () => void;
};

/** A file that goes with words: its id, and its name as it is shown. */
export type TakenFile = { readonly id: string; readonly name: string };

type Chip = TakenFile & { readonly session: string | null };

/** The files that go with the next words: a chip for each, above the prompt, until they are said or it is deleted. */
export class AttachedFiles {
  readonly #parts: AttachedFilesParts;
  #chips: readonly Chip[] = [];
  #reading = 0;
  #refused = 0;
  /** What waits until every file was read. */
  #waiting: { readonly act: (ok: boolean) => void; readonly refused: number }[] = [];
  /** The files of words that were said, by the words. */
  readonly #said = new Map<string, readonly Chip[]>();

  constructor(parts: AttachedFilesParts) {
    this.#parts = parts;
  }

  /** The chips of this session. */
  get #own(): readonly Chip[] {
    const session = this.#parts.session();
    return this.#chips.filter((chip) => chip.session === session);
  }

  /**
   * Has the daemon read a file, for the session that is open now, whichever is open once it was read;
   * `refused` is told where it is not attached.
   */
  attach(path: string, refused: () => void = () => {}): void {
    this.#reading += 1;
    const asked = this.#parts.session();
    this.#parts.ask({ action: "attach", path }, ({ code, text, data }) => {
      this.#reading -= 1;
      const chip = code === "attached" ? chipOf(data, asked ?? this.#parts.session()) : null;
      if (chip !== null) this.#chips = [...this.#chips.filter(({ id }) => id !== chip.id), chip];
      this.#parts.notice(text === "" ? `Not attached: ${path}` : text, chip === null ? "warning" : "note");
      if (chip === null) {
        this.#refused += 1;
        refused();
      }
      if (this.#reading === 0)
        for (const { act, refused: before } of this.#waiting.splice(0)) act(this.#refused === before);
      this.#parts.changed();
    });
  }

  /** Acts once no file is being read; `ok`: each was attached. */
  whenRead(act: (ok: boolean) => void): void {
    if (this.#reading === 0) act(true);
    else this.#waiting.push({ act, refused: this.#refused });
  }

  /** Deletes the last chip; false where there is none. */
  removeLast(): boolean {
    const last = this.#own.at(-1);
    this.#chips = this.#chips.filter((chip) => chip !== last);
    return last !== undefined;
  }

  /** Deletes every chip of this session; false where there is none. */
  clear(): boolean {
    const own = this.#own;
    this.#chips = this.#chips.filter((chip) => !own.includes(chip));
    return own.length > 0;
  }

  /** The files for these words, which are said now. */
  take(words: string): readonly TakenFile[] {
    const chips = this.#own;
    if (chips.length > 0) this.#said.set(words, chips);
    this.clear();
    return chips;
  }

  /** Files that came with words that were taken back, as the daemon tells them, go with the next words. */
  bring(files: Json): void {
    if (!isJsonArray(files)) return;
    const session = this.#parts.session();
    this.#chips = [...files.flatMap((file) => chipOf(file, session) ?? []), ...this.#chips];
  }

  /** Words that were not said after all get their files back. */
  restore(words: string): void {
    const chips = this.#said.get(words) ?? [];
    this.#said.delete(words);
    this.#chips = [...chips, ...this.#chips];
  }

  /** The chips as a row; none where there are none. */
  rows(columns: number, theme: Theme): readonly string[] {
    const chips = this.#own;
    const reading = this.#reading === 0 ? [] : ["reading a file …"];
    if (chips.length + reading.length === 0) return [];
    const named = [...chips.map(({ name }) => `[${name}]`), ...reading].join(" ");
    const keys = chips.length === 0 ? "" : " ⌫ deletes the last";
    const room = columns - 1 - keys.length;
    const shown = room < 12 ? cut(named, columns - 1) : `${theme.accent(cut(named, room))}${theme.dim(keys)}`;
    return [` ${shown}`];
  }
}

function chipOf(data: Json, session: string | null): Chip | null {
  if (!isJsonObject(data) || typeof data["id"] !== "string") return null;
  const name = typeof data["name"] === "string" ? data["name"] : "a file";
  const given = data["given"] === "text" && data["media"] === "application/pdf" ? ", its text" : "";
  return { id: data["id"], name: `${cleanLine(name).split("/").at(-1) ?? name}${given}`, session };
}
