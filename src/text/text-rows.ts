/** What stands before the words of a model, in every row. No line of the program begins with it. */
export const modelMargin = "│ ";

/** Columns that a text needs at least beside its margin. */
const fewestColumns = 10;

/** How a line is laid out: what stands before its first row and before each further one, and how many columns there are; null for no limit. */
export type RowLayout = {
  readonly first: string;
  readonly rest: string;
  readonly columns: number | null;
};

/** A line as rows that fit a terminal, broken at blanks where it can be. A terminal that breaks a line itself would begin a row without the margin. */
export function layOutLine(line: string, { first, rest, columns }: RowLayout): readonly string[] {
  if (columns === null) return [`${first}${line}`];
  const rows: string[] = [];
  let left = line;
  do {
    const before = rows.length === 0 ? first : rest;
    const room = Math.max(fewestColumns, columns - 1 - widthOf(before));
    const length = rowLength(left, room);
    rows.push(`${before}${left.slice(0, length)}`);
    left = left.slice(length);
  } while (left !== "");
  return rows;
}

/** The words of a model as rows, each behind the margin. */
export function layOutModelText(text: string, columns: number | null): readonly string[] {
  const layout = { first: modelMargin, rest: modelMargin, columns };
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => layOutLine(line, layout));
}

/** A text of the program as rows. What continues a line is indented at least as far as the line, behind its margin. */
export function layOutProgramText(text: string, columns: number | null): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [indentation = ""] = /^ *(?:│ (?:[-+$] )?)?/.exec(line) ?? [];
    const rest = indentation === "" ? "    " : indentation;
    return layOutLine(line.slice(indentation.length), { first: indentation, rest, columns });
  });
}

/** How much of a text goes into a row: up to the last blank that fits, or as much as fits. */
function rowLength(text: string, room: number): number {
  let width = 0;
  let length = 0;
  let blank = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > room && length > 0) return blank > 0 ? blank : length;
    length += character.length;
    if (character === " ") blank = length;
  }
  return length;
}

/** The columns of a text, rather too many than too few. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += (character.codePointAt(0) ?? 0) < 0x1100 || character === "│" ? 1 : 2;
  return width;
}
