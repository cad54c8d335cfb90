import { matchAt, testAt } from "./lines.ts";

/** The first line of a list item: its bullet with the blanks behind it, the counter that `[@5]` sets, its checkbox, and where its text begins. */
export type ItemStart = {
  /** Where the bullet itself begins, after the indentation. */
  readonly begin: number;
  readonly bullet: string;
  /** A number or a letter; null where nothing sets it. */
  readonly counter: string | null;
  /** `value` stands between the brackets: a space, `X` or `-`. Emacs reads an `x` as a checkbox without a state. */
  readonly box: { readonly begin: number; readonly value: string } | null;
  readonly bodyBegin: number;
};

const bulletAndBlank = /(?:[ \t]*(?:[-+]|\d+[.)])|[ \t]+\*)(?:[ \t]+|(?![^\n]))/y;
const start =
  /([ \t]*)((?:[-+*]|(?:\d+|[A-Za-z])[.)])(?:[ \t]+|(?![^\n])))(\[@(?:start:)?(\d+|[A-Za-z])\][ \t]*)?(?:(\[[ X-]\])(?:[ \t]+|(?![^\n])))?/iy;

/** True where an item of a list begins at the start of a line. */
export function startsItem(text: string, line: number): boolean {
  return testAt(bulletAndBlank, text, line);
}

/** Reads the start of the item that begins on a line. */
export function readItemStart(text: string, line: number): ItemStart {
  const [whole = "", indent = "", bullet = "", setter = "", counter = null, box] =
    matchAt(start, text, line) ?? [];
  const begin = line + indent.length;
  return {
    begin,
    bullet,
    counter,
    box: box === undefined ? null : { begin: begin + bullet.length + setter.length, value: box[1] ?? " " },
    bodyBegin: line + whole.length,
  };
}
