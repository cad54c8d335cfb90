/** Stands, while Markdown is laid out, where a sign must not mean something; no text has it. */
const stop = "\u{fdd0}";

/**
 * Markdown without the meanings by which its layout would leave words out: `[1]: address` would vanish, where
 * it is defined below the words or stands in a log (`[WARN]: full`), `![alt](address)` would lose its
 * address, and a row of a table the cells that its head does not have: they stand in the last one.
 */
export function keepWords(text: string): string {
  const signs = withoutEntities(text, stop);
  return foldCells(signs.replaceAll("]:", `]${stop}:`).replaceAll("![", `!${stop}[`));
}

/** What Markdown's entities for signs stand for; a sign of control comes from none. */
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["#34", '"'],
  ["nbsp", "\u00a0"],
]);
const entity = /&(amp|lt|gt|quot|apos|#39|#34|nbsp);/g;
/** Code as it stands in a line or a block, or an entity. */
const codeOrEntity = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|&(amp|lt|gt|quot|apos|#39|#34|nbsp);/g;

/** A text with the signs that its entities stand for, outside of code. */
export function withoutEntities(text: string, around = ""): string {
  if (text.search(entity) === -1) return text;
  return text.replaceAll(codeOrEntity, (whole, _, name?: string) =>
    name === undefined ? whole : `${around}${entities.get(name) ?? whole}${around}`,
  );
}

/** What was laid out, as it reads. */
export function withoutStops(row: string): string {
  return row.replaceAll(stop, "");
}

/** Keeps the cells for which a table has no column in its last one. */
function foldCells(text: string): string {
  let columns = 0;
  return text
    .split("\n")
    .map((line) => {
      if (!line.includes("|")) columns = 0;
      else if (isRule(line)) columns = splitRow(line).length;
      const cells = columns === 0 ? [] : splitRow(line);
      if (cells.length <= columns) return line;
      const lead = /^[\s>]*\|?/.exec(line)?.[0] ?? "";
      return `${lead}${[...cells.slice(0, columns - 1), cells.slice(columns - 1).join("\\|")].join("|")}|`;
    })
    .join("\n");
}

/** Whether a line is the rule below the head of a table. */
export function isRule(line: string): boolean {
  return /^[\s>|:-]*$/.test(line) && line.includes("|") && line.includes("-");
}

/** The cells of a row, as Markdown parts them: a bar that is not escaped does, even in code. */
export function splitRow(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^[\s>]*\|?/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/);
}
