import { shorten } from "../../../signal/text/cut-text.ts";

const longest = 200;

/** The first line of a text, as the reason of a run. */
export function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return shorten(line, longest);
}
