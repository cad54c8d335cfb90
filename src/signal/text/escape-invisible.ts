/** Escapes characters that are invisible, look like a blank or change the direction, and counts long runs of blanks: nothing can hide in a shown text or pass for a line of its own. */
export function escapeInvisible(text: string, longestRun = 3): string {
  return text
    .replaceAll(
      /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replaceAll(/ {4,}/g, (blanks) => (blanks.length > longestRun ? `\\u{20}×${blanks.length}` : blanks));
}

/** Blanks in a row that a quoted line may have: as much as code is indented. */
const longestIndentation = 24;

/** The lines of a text from outside, each behind a margin, so that none of them can pass for a line of the program. */
export function quoteLines(text: string, mark = ""): readonly string[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return lines.map((line) => {
    const shown = escapeInvisible(line.replaceAll("\t", "⇥   "), longestIndentation);
    return `    │ ${mark}${shown}`.trimEnd();
  });
}
