/** Something that a person pasted. `submits`: it came without the marks of a terminal and ends with a newline. */
export type Paste = { readonly text: string; readonly bracketed: boolean; readonly submits: boolean };

/** What a filter does with what it read. */
export type PasteFilterParts = {
  readonly onKeys: (keys: string) => void;
  readonly onPaste: (paste: Paste) => void;
  /** Milliseconds of silence after which Enter counts as typed. */
  readonly quiet?: number;
};

const begin = "\u001b[200~";
const end = "\u001b[201~";
/** How the first mark may be cut off; Escape alone is a key. */
const partsOfBegin = [5, 4, 3, 2].map((length) => begin.slice(0, length));
const interrupt = "\u0003";
/** Nobody types the next line so soon; a terminal that pastes sends it at once. */
const defaultQuiet = 40;

/**
 * Divides what a terminal sends into keys and pastes. A paste stands between marks (bracketed paste); where a terminal sends none, several
 * lines that arrive together are a paste. Enter is passed on only after a moment of silence.
 */
export class PasteFilter {
  readonly #parts: PasteFilterParts;
  /** What was pasted so far, from the mark of its beginning; null outside a paste. */
  #pasted: string | null = null;
  /** Typed text from its first newline on, until it is silent. */
  #held = "";
  /** The beginning of a mark at the end of what was read. */
  #tail = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: PasteFilterParts) {
    this.#parts = parts;
  }

  feed(chunk: string): void {
    let text = this.#tail + chunk;
    this.#tail = "";
    for (;;) {
      if (this.#pasted !== null) {
        this.#pasted += text;
        const at = this.#pasted.indexOf(end);
        if (at === -1) return;
        text = this.#pasted.slice(at + end.length);
        const pasted = this.#pasted.slice(0, at).replaceAll(begin, "");
        this.#pasted = null;
        this.#parts.onPaste({ text: withNewlines(pasted), bracketed: true, submits: false });
      }
      const at = text.indexOf(begin);
      if (at === -1) break;
      this.#keys(text.slice(0, at));
      this.flush();
      this.#pasted = "";
      text = text.slice(at + begin.length);
    }
    this.#tail = partsOfBegin.find((part) => text.endsWith(part)) ?? "";
    this.#keys(text.slice(0, text.length - this.#tail.length));
  }

  /** Passes on what is held back. */
  flush(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = "";
    if (held === "") return;
    const text = withNewlines(held);
    if (/^\n+$/.test(text)) this.#parts.onKeys("\r");
    else {
      const submits = text.endsWith("\n");
      this.#parts.onPaste({ text: text.replace(/\n+$/, ""), bracketed: false, submits });
    }
  }

  #keys(text: string): void {
    if (text === "") return;
    if (text.includes(interrupt)) {
      clearTimeout(this.#timer);
      this.#held = "";
      this.#parts.onKeys(interrupt);
      return;
    }
    const at = this.#held === "" ? text.search(/[\r\n\u2028\u2029]/) : 0;
    if (at === -1) {
      this.#parts.onKeys(text);
      return;
    }
    if (at > 0) this.#parts.onKeys(text.slice(0, at));
    this.#held += text.slice(at);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#parts.quiet ?? defaultQuiet);
  }
}

/** Every character that a line editor takes for the end of a line, as a newline. */
function withNewlines(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n");
}
