import { identifierOf } from "./identifiers.ts";
import { splitWords } from "./tokens.ts";

/**
 * What of a message was typed: its text with a break in the place of each paste. A paste of one word or one
 * value, such as an account or an address, orders nothing by itself, and stays. Where a paste is no longer
 * in the text as it was, nothing counts as typed.
 */
export function typedWords(text: string, pastes: readonly string[]): string {
  const given = pastes.map((paste) => paste.trim()).filter((paste) => paste !== "" && !isValue(paste));
  if (given.some((paste) => !text.includes(paste))) return isValue(text.trim()) ? text : "";
  return given
    .toSorted((a, b) => b.length - a.length)
    .reduce((typed, paste) => typed.replaceAll(paste, "\n\n"), text);
}

/** Whether a paste is one word as requests are read, whatever stands between its letters, or one value. */
function isValue(paste: string): boolean {
  return paste.length <= longestValue && (identifierOf(paste) !== null || splitWords(paste).length <= 1);
}

/** Characters. */
const longestValue = 2_000;
