/** Containers inside one another that are laid out; each takes columns from those in it. */
const deepest = 12;
/**
 * Columns that a container must leave: the layout of a quote without room for its words doubles with each
 * further one.
 */
const columnsEach = 4;

/** What begins a quote or an item of a list. */
const container = /^(?:>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))/;

/**
 * Whether quotes and lists lie deeper in one another than so many columns can show. It may count too many,
 * as in a line of code, never too few.
 */
export function isTooDeep(text: string, columns: number): boolean {
  const most = Math.min(deepest, Math.floor(columns / columnsEach));
  return text.split("\n").some((line) => depthOf(line, most) > most);
}

/** How many containers a line begins with; two columns of indentation may continue one. */
function depthOf(line: string, most: number): number {
  let rest = line.replaceAll("\t", "    ");
  let depth = 0;
  while (depth <= most) {
    const [indentation = ""] = /^ */.exec(rest) ?? [];
    depth += Math.floor(indentation.length / 2);
    rest = rest.slice(indentation.length);
    const [mark = ""] = container.exec(rest) ?? [];
    if (mark === "") break;
    depth += 1;
    rest = rest.slice(mark.length);
  }
  return depth;
}
