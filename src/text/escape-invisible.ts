/**
 * The blanks in a row that are shown as they are; more are counted. `run`: wherever they stand. `row`: where
 * what follows them still begins in the first so many columns of the text.
 */
export type ShownBlanks = { readonly run: number; readonly row: number };

/** In names and prose: a longer run looks like a column or a line of its own. */
const proseBlanks: ShownBlanks = { run: 3, row: 0 };

/**
 * In commands and other code: as much as code is indented, and what aligns the first row in a terminal of
 * 80 columns.
 */
export const codeBlanks: ShownBlanks = { run: 24, row: 72 };

/** Escapes characters that are invisible, look like a blank or change the direction, and counts long runs of blanks: nothing can hide in a shown text or pass for a line of its own. */
export function escapeInvisible(text: string, { run, row }: ShownBlanks = proseBlanks): string {
  const visible = text.replaceAll(
    /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  const endsInRow = (at: number, length: number): boolean =>
    at + length <= row && mostColumns(visible.slice(0, at)) + length <= row;
  return visible.replaceAll(/ {4,}/g, (blanks, at: number) =>
    blanks.length <= run || endsInRow(at, blanks.length) ? blanks : `\\u{20}×${blanks.length}`,
  );
}

/** The columns that a text fills at most. */
function mostColumns(text: string): number {
  return text.length + text.replaceAll(/[ -~]/g, "").length;
}

/** An emoji, also of several that are joined, with the selectors of its form. */
const wholeEmoji =
  /\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?(?:\u{200d}\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?)*/gu;

/** As `escapeInvisible`, but an emoji that is joined of several stays one. */
export function escapeBetweenEmoji(text: string): string {
  const pieces = text.split(wholeEmoji).map((piece) => escapeInvisible(piece, codeBlanks));
  const emoji = text.match(wholeEmoji) ?? [];
  return pieces.map((piece, index) => `${piece}${emoji[index] ?? ""}`).join("");
}

/**
 * The lines of a text from outside, each behind a margin, so that none of them can pass for a line of the
 * program. `keeps`: whether emoji stay whole.
 */
export function quoteLines(
  text: string,
  mark = "",
  keeps: "emoji" | "nothing" = "nothing",
): readonly string[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return lines.map((line) => {
    const visible = line.replaceAll("\t", "⇥   ");
    const shown = keeps === "emoji" ? escapeBetweenEmoji(visible) : escapeInvisible(visible, codeBlanks);
    return `    │ ${mark}${shown}`.trimEnd();
  });
}
