import { pushAll } from "../lists.ts";
import { linesOf } from "./changed-lines.ts";

const noNewline = "\\ No newline at end of file";
const range = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/;

/** Applies a unified diff to exactly the text that it was made from. Null where a line is not as the diff has it. */
export function applyDiff(before: string, diff: string): string | null {
  const lines = linesOf(before);
  const made: string[] = [];
  let at = 0;
  const rows = diff.split("\n");
  for (const [index, row] of rows.entries()) {
    const begins = range.exec(row);
    if (begins !== null) {
      const [, start, count = "1"] = begins;
      const from = Number(start) - (count === "0" ? 0 : 1);
      if (from < at || from > lines.length) return null;
      pushAll(made, lines.slice(at, from));
      at = from;
      continue;
    }
    if (row === noNewline) continue;
    const line = row.slice(1) + (rows[index + 1] === noNewline ? "" : "\n");
    if (row.startsWith("+")) made.push(line);
    else if (!/^[ -]/.test(row) || lines[at] !== line) return null;
    else {
      if (row.startsWith(" ")) made.push(line);
      at += 1;
    }
  }
  return [...made, ...lines.slice(at)].join("");
}
