/** Escapes characters that are invisible, look like a blank or change the direction, and counts long runs of blanks: nothing can hide in a shown text or pass for a line of its own. */
export function escapeInvisible(text: string, longestRun = 3): string {
  return text
    .replaceAll(
      /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replaceAll(/ {4,}/g, (blanks) => (blanks.length > longestRun ? `\\u{20}×${blanks.length}` : blanks));
}

/** An emoji, also of several that are joined, with the selectors of its form. */
const wholeEmoji =
  /\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?(?:\u{200d}\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?)*/gu;

/** As `escapeInvisible`, but an emoji that is joined of several stays one. */
function escapeBetweenEmoji(text: string): string {
  const pieces = text.split(wholeEmoji).map((piece) => escapeInvisible(piece, longestIndentation));
  const emoji = text.match(wholeEmoji) ?? [];
  return pieces.map((piece, index) => `${piece}${emoji[index] ?? ""}`).join("");
}

/** Blanks in a row that a quoted line may have: as much as code is indented. */
const longestIndentation = 24;

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
    const shown =
      keeps === "emoji" ? escapeBetweenEmoji(visible) : escapeInvisible(visible, longestIndentation);
    return `    │ ${mark}${shown}`.trimEnd();
  });
}
