import { beginOf } from "../../../text/cut-text.ts";

/** The first line of a text, as the reason of a run; a longer one ends behind a whole word. */
export function firstLine(text: string, longest = 200): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length <= longest ? line : `${beginOf(line, longest).replace(/\s+\S*$/, "")} …`;
}
