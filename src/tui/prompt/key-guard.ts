import type { After } from "../screen/after.ts";

/** What a terminal sent, divided into what was typed and what was pasted. */
export type KeyEvents = {
  readonly onKey: (data: string) => void;
  /** Text that nobody typed. `marked`: the terminal said so; else several keys came at once with an end of a line among them. */
  readonly onPaste: (text: string, marked: boolean) => void;
};

const begin = "\u001b[200~";
const end = "\u001b[201~";
/** Two presses of Esc that came in one read: a terminal that is busy sends them together. */
const twoEscapes = "\u001b\u001b";
/** Nobody types the next key so soon after Enter; a terminal that pastes sends it at once. Milliseconds. */
const quiet = 40;
/** Characters of a paste above which it is refused. */
const longestPaste = 1_000_000;

/**
 * Tells typing from pasting. Enter counts as typed only when nothing came close behind or before it: without the marks of a bracketed paste, the
 * lines of a paste arrive as keys.
 */
export class KeyGuard {
  readonly #events: KeyEvents;
  readonly #after: After;
  #held = "";
  #cancel: () => void = () => {};

  constructor(events: KeyEvents, after: After) {
    this.#events = events;
    this.#after = after;
  }

  /** One key or one paste, as the terminal sent it. */
  feed(data: string): void {
    if (data.startsWith(begin)) {
      this.flush();
      const text = data.slice(begin.length, data.endsWith(end) ? -end.length : undefined);
      this.#events.onPaste(text, true);
      return;
    }
    if (data === twoEscapes) {
      for (const key of data) this.feed(key);
      return;
    }
    const isEnter = data === "\r" || data === "\n";
    if (this.#held === "" && !isEnter) {
      this.#events.onKey(data);
      return;
    }
    if (data === "\u0003") {
      this.#cancel();
      this.#held = "";
      this.#events.onKey(data);
      return;
    }
    this.#held += isEnter ? "\n" : data;
    this.#cancel();
    this.#cancel = this.#after(quiet, () => this.flush());
  }

  /** Passes on what is held back. */
  flush(): void {
    this.#cancel();
    const held = this.#held;
    this.#held = "";
    if (held === "") return;
    if (/^\n+$/.test(held)) this.#events.onKey("\r");
    else this.#events.onPaste(held, false);
  }

  /** Why a paste is not taken; null where it is. */
  static refusalOf({ length }: string): string | null {
    if (length <= longestPaste) return null;
    return `The paste has ${length} characters; at most 1,000,000 can be said. Name a file with @ instead.`;
  }
}
