import { cleanPaste } from "../screen/clean.ts";
import type { Theme } from "../screen/theme.ts";
import { type AutocompleteProvider, isKey, type LineEditor } from "../screen/toolkit.ts";
import type { PromptHistory } from "./prompt-history.ts";

/**
 * What the owner entered. `pasted`: something of it was pasted that could make it a command. `pastes`: what
 * of it was pasted, the argument of a command too. `steers`: it is for the turn that runs.
 */
export type Entered = {
  readonly text: string;
  readonly pasted: boolean;
  readonly pastes: readonly string[];
  readonly steers: boolean;
};

/** Lines, with what of them was pasted, in its order. */
export type Lines = Pick<Entered, "text" | "pastes">;

/** The lines at the prompt, with their history. A paste is never a command, except as the argument of a typed one. */
export class Prompt {
  readonly #editor: LineEditor;
  readonly #history: PromptHistory;
  readonly #onEnter: (entered: Entered) => void;
  #isPasted = false;
  #pastes: readonly string[] = [];
  /** What was typed before a history search began, and how far that went back. */
  #search: { readonly words: string; readonly found: string; readonly at: number } | null = null;

  constructor(parts: {
    readonly editor: LineEditor;
    readonly history: PromptHistory;
    readonly completion: AutocompleteProvider;
    readonly onEnter: (entered: Entered) => void;
  }) {
    this.#editor = parts.editor;
    this.#history = parts.history;
    this.#editor.setAutocompleteProvider(parts.completion);
    for (const text of parts.history.entries()) this.#editor.addToHistory(text);
    this.#onEnter = parts.onEnter;
    this.#editor.onSubmit = (text) => this.#enter(text, false);
  }

  get text(): string {
    return this.#editor.getText();
  }

  get isCompleting(): boolean {
    return this.#editor.isShowingAutocomplete();
  }

  /** The lines with every paste in full. */
  get expanded(): string {
    return this.#editor.getExpandedText();
  }

  /** Other lines in place of these. What was pasted still counts as pasted. */
  replace(text: string): void {
    this.#editor.setText(cleanPaste(text));
  }

  set text(text: string) {
    this.#editor.setText(text);
    this.#isPasted = false;
    this.#pastes = [];
  }

  /** Takes away lines that the prompt begins with; false where it does not. */
  withdraw({ text, pastes }: Lines): boolean {
    const rest = this.expanded.slice(text.length);
    if (text === "" || !this.expanded.startsWith(text) || !/^(?:\n|$)/.test(rest)) return false;
    const [isPasted, left] = [this.#isPasted, this.#pastes.slice(pastes.length)];
    this.text = "";
    this.putBefore(rest.slice(1), left);
    this.#isPasted = isPasted;
    return true;
  }

  /**
   * Puts lines that come back before those that stand here. `pastes`: what of them was pasted, in its
   * order.
   */
  putBefore(text: string, pastes: readonly string[]): void {
    const isPasted = this.#isPasted || pastes.some((paste) => !isArgument(paste, text.split(paste)[0] ?? ""));
    const all = [...pastes, ...this.#pastes];
    let rest = [text, this.expanded].filter((lines) => lines !== "").join("\n");
    this.text = "";
    for (const paste of all) {
      const at = rest.indexOf(paste);
      // What was edited since stands as it was typed.
      if (at === -1) continue;
      this.#editor.insertTextAtCursor(rest.slice(0, at));
      this.#insertPaste(paste);
      rest = rest.slice(at + paste.length);
    }
    this.#editor.insertTextAtCursor(rest);
    this.#isPasted = isPasted;
    this.#pastes = all;
  }

  remember(text: string): void {
    this.#editor.addToHistory(text);
    this.#history.add(text);
  }

  onKey(data: string): void {
    if (isKey(data, "ctrl+s")) {
      const text = this.#editor.getExpandedText().trim();
      this.#editor.setText("");
      this.#enter(text, true);
    } else this.#editor.handleInput(data);
    // Ctrl+U takes all that was typed: nothing is left to complete.
    if (this.text === "" && this.isCompleting) this.#editor.handleInput("\u001b");
    if (this.text === "") this.text = "";
  }

  #enter(text: string, steers: boolean): void {
    const [pasted, pastes] = [this.#isPasted, this.#pastes];
    this.#isPasted = false;
    this.#pastes = [];
    this.#search = null;
    if (text.trim() !== "") this.#onEnter({ text, pasted, pastes, steers });
  }

  paste(text: string, marked: boolean): void {
    const clean = cleanPaste(text);
    const { line, col } = this.#editor.getCursor();
    const before = (this.#editor.getLines()[line] ?? "").slice(0, col);
    if (!marked || line > 0 || !isArgument(clean, before)) this.#isPasted = true;
    // The editor keeps a tab as four blanks.
    const kept = clean.replaceAll("\t", "    ").trim();
    if (kept !== "") this.#pastes = [...this.#pastes, kept];
    this.#insertPaste(clean);
  }

  /**
   * A long paste is shown by a marker, which counts its lines: the end of the last of them stands behind
   * it.
   */
  #insertPaste(text: string): void {
    const end = text.endsWith("\n") ? "\n" : "";
    this.#editor.handleInput(`\u001b[200~${text.slice(0, text.length - end.length)}\u001b[201~`);
    this.#editor.insertTextAtCursor(end);
  }

  /** Puts in the last thing said that contains what was typed; again, the one before. */
  searchHistory(): void {
    const search = this.#search?.found === this.text ? this.#search : null;
    const words = search?.words ?? this.text;
    const entries = this.#history.entries();
    for (let at = (search?.at ?? entries.length) - 1; at >= 0; at -= 1) {
      const found = entries[at] ?? "";
      if (!found.toLowerCase().includes(words.toLowerCase()) || found === this.text) continue;
      this.text = found;
      this.#search = { words, found: this.text, at };
      return;
    }
  }

  rows(columns: number, theme: Theme, sign: string): readonly string[] {
    const rows = this.#editor.render(Math.max(4, columns - 3));
    return rows.map((row, index) => `${index === 0 ? theme.accent(` ${sign} `) : "   "}${row}`);
  }
}

/**
 * Whether a paste behind these words can only be the argument of a command: it licenses nothing, and leaves
 * the command one.
 */
function isArgument(paste: string, before: string): boolean {
  return !paste.includes("\n") && /^\s*\/[a-z-]+\s[^\n]*$/i.test(before);
}
