import { layOutLine } from "./text-rows.ts";

/** Columns that an explanation needs to stand beside what it explains. */
const fewestBeside = 24;

/**
 * A help text as rows that fit a terminal: broken at blanks, what continues an explanation below its beginning. On a narrow terminal the explanation
 * goes below what it explains. In a pipe it stays as it is.
 */
export function layOutHelp(text: string, columns: number | null): string {
  return columns === null
    ? text
    : text
        .split("\n")
        .flatMap((line) => layOutHelpLine(line, columns))
        .map((row) => row.trimEnd())
        .join("\n");
}

function layOutHelpLine(line: string, columns: number): readonly string[] {
  if (line.length < columns) return [line];
  const [, blank = "", head = "", gap = "", explanation = ""] =
    /^( *)(?:(\S.*?)( {2,})(?=\S))?(.*)$/.exec(line) ?? [];
  const beside = `${blank}${head}${gap}`;
  const isSynopsis = head === "" && blank !== "" && blank.length < fewestBeside;
  const hang = " ".repeat(beside.length + (isSynopsis ? 2 : 0));
  if (columns - hang.length >= fewestBeside)
    return layOutLine(explanation, { first: beside, rest: hang, columns });
  const below = { first: "      ", rest: "      ", columns };
  if (head === "") return layOutLine(explanation, below);
  return [
    ...layOutLine(head, { first: blank, rest: `${blank}  `, columns }),
    ...layOutLine(explanation, below),
  ];
}
