const tabWidth = 8;

/** A text without the indentation that all its lines share, as Emacs's `org-remove-indentation` removes it: tabs count to the next eighth column. */
export function removeIndentation(text: string): string {
  const lines = text.split("\n");
  const shared = lines.reduce(
    (least, line) => (line.trim() === "" ? least : Math.min(least, widthOf(blanksOf(line)))),
    Number.POSITIVE_INFINITY,
  );
  if (shared === 0 || shared === Number.POSITIVE_INFINITY) return text;
  return lines
    .map((line) => {
      const blanks = blanksOf(line);
      if (blanks === line) return "";
      return `${upToColumn(blanks, widthOf(blanks) - shared)}${line.slice(blanks.length)}`;
    })
    .join("\n");
}

function blanksOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function widthOf(blanks: string): number {
  let width = 0;
  for (const sign of blanks) width = widthAfter(width, sign);
  return width;
}

function widthAfter(width: number, sign: string): number {
  return sign === "\t" ? width + tabWidth - (width % tabWidth) : width + 1;
}

/** The first blanks up to a column. A tab that reaches beyond it becomes spaces. */
function upToColumn(blanks: string, column: number): string {
  let [end, width] = [0, 0];
  for (; width < column; end += 1) {
    const next = widthAfter(width, blanks.charAt(end));
    if (next > column) break;
    width = next;
  }
  return blanks.slice(0, end) + " ".repeat(column - width);
}
