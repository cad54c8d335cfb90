import { spread } from "./block.ts";
import { LineField } from "./line-field.ts";
import type { Theme } from "./theme.ts";
import { cut, isKey } from "./toolkit.ts";

/** What is typed in a list: only the entries with each of these words, in any case, are left. */
export class ListFilter {
  readonly #field = new LineField();

  get isEmpty(): boolean {
    return this.#field.text.trim() === "";
  }

  /** Whether the key changed it. Escape takes the words away, where there are any. */
  onKey(data: string): boolean {
    const before = this.#field.text;
    if (isKey(data, "escape")) this.#field.text = "";
    else this.#field.onKey(data);
    return this.#field.text !== before;
  }

  paste(text: string): void {
    this.#field.paste(text);
  }

  /** The entries that are left, by their words. */
  keep<Entry>(list: readonly Entry[], wordsOf: (entry: Entry) => string): readonly Entry[] {
    const wanted = folded(this.#field.text).split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return list;
    return list.filter((entry) => {
      const words = folded(wordsOf(entry));
      return wanted.every((word) => words.includes(word));
    });
  }

  /** The first row of the list: its title, or what is typed with the number of entries that it leaves. */
  row(
    title: string,
    { left, all }: { readonly left: number; readonly all: number },
    look: FilterLook,
  ): string {
    const { columns, theme } = look;
    if (this.#field.text === "")
      return spread(theme.bold(cut(` ${title}`, columns - 1)), theme.dim(look.hint), columns - 1);
    const count = left === 0 ? "none has these words" : `${left} of ${all}`;
    return spread(this.#field.row("filter:", theme), theme.dim(count), columns - 1);
  }
}

/** How the first row is shown: `hint` says how to filter. */
export type FilterLook = { readonly columns: number; readonly theme: Theme; readonly hint: string };

function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
