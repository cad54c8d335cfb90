import { describeError } from "../../text/describe-error.ts";
import type { Theme } from "./theme.ts";
import { type RenderMarkdown, widthOf, wrap } from "./toolkit.ts";

/** What laying out needs. A new object for each change of theme or library: rows that were laid out with another are laid out again. */
export type Look = {
  readonly theme: Theme;
  /** Null until it is loaded: Markdown is then shown as it is written. */
  readonly markdown: RenderMarkdown | null;
};

/** What of a block may be folded: what a call gave, and what its gates said. */
export type FoldedPart = "output" | "gates";

/** A part of the transcript that is laid out by itself. Its rows are kept until it, the width or the look changes. */
export abstract class Block {
  #rows: readonly string[] | null = null;
  #columns = 0;
  #look: Look | null = null;

  /** Rows, none wider than `columns`; the blank row above the block is one of them. */
  rows(columns: number, look: Look): readonly string[] {
    if (this.#rows === null || this.#columns !== columns || this.#look !== look) {
      this.#rows = this.#draw(columns, look);
      this.#columns = columns;
      this.#look = look;
    }
    return this.#rows;
  }

  /**
   * What laying out throws ends no conversation: the block stands there as it was written, with the reason.
   */
  #draw(columns: number, look: Look): readonly string[] {
    try {
      return this.layOut(columns, look);
    } catch (error) {
      const why = `(shown as it was written: ${describeError(error)})`;
      const lines = this.text.split("\n").flatMap((line) => wrap(line, columns - 2));
      const told = wrap(why, columns - 2).map(look.theme.dim);
      return ["", ...[...lines, ...told].map((row) => ` ${row}`)];
    }
  }

  /** Lays the rows out again at the next frame. */
  changed(): void {
    this.#rows = null;
  }

  /** Drops the rows that were kept. */
  forget(): void {
    this.#rows = null;
  }

  /** Whether it will change no more. */
  get isSettled(): boolean {
    return true;
  }

  /** What it says, as it is searched and copied. */
  abstract get text(): string;

  /** Whether a person who browses stops at it. */
  get isItem(): boolean {
    return true;
  }

  /** Whether it goes on with the item of the block above it. */
  continues(_above: Block): boolean {
    return false;
  }

  /** Shows what is folded, or folds it again; false where there is nothing of that kind. */
  toggle(_part: FoldedPart): boolean {
    return false;
  }

  /** A click on one of its rows; false where it does nothing. */
  onClick(_row: number): boolean {
    return false;
  }

  protected abstract layOut(columns: number, look: Look): readonly string[];
}

/** A row with words at both ends; those on the right give way first. */
export function spread(left: string, right: string, columns: number): string {
  const room = columns - widthOf(left) - widthOf(right);
  return right === "" || room < 2 ? left : `${left}${" ".repeat(room)}${right}`;
}
