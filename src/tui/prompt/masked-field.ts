import { pushAll } from "../../text/lists.ts";
import { cleanPaste } from "../screen/clean.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey } from "../screen/toolkit.ts";

/** What a masked field shows: rows above it, its label, and the keys below it. */
export type MaskedLook = {
  readonly above: readonly string[];
  readonly label: string;
  readonly dots: string;
  readonly keys: string;
};

/** A line that is typed and shown by dots alone. */
export class MaskedField {
  #typed: string[] = [];

  get dots(): string {
    return "•".repeat(this.#typed.length);
  }

  clear(): void {
    this.#typed.fill("");
    this.#typed = [];
  }

  /** What was typed; the field is empty then. */
  take(): string {
    const typed = this.#typed.join("");
    this.clear();
    return typed;
  }

  onKey(data: string): void {
    if (isKey(data, "backspace")) this.#typed.pop();
    else if (isKey(data, "ctrl+u")) this.clear();
    else if (!data.startsWith("\u001b")) this.paste(data);
  }

  paste(text: string): void {
    pushAll(this.#typed, cleanPaste(text).replaceAll("\n", ""));
  }
}

/** The rows of a masked field, at most so many; the field itself is always among them. */
export function maskedRows(
  { above, label, dots, keys }: MaskedLook,
  { columns, rows, theme }: { readonly columns: number; readonly rows: number; readonly theme: Theme },
): readonly string[] {
  const shown = dots.slice(-Math.max(1, columns - label.length - 6));
  const field = cut(` ${label}: ${shown}${theme.inverse(" ")}`, columns);
  const below = rows < 2 ? [] : [theme.dim(cut(` ${keys}`, columns))];
  const room = Math.max(0, rows - 1 - below.length);
  return [...above.slice(0, room).map((row) => cut(` ${row}`, columns)), field, ...below];
}
