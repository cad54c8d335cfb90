import { stringsIn } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";

/**
 * The strings of a result that a private passage runs through, as they may be shown. A tool may give a text in pieces, such as a list of the lines that
 * match: the strings with the same key are read as one text.
 */
export function withholdAcrossStrings(
  message: Message,
  withholdAcross: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  if (message.role !== "result" || message.result.outcome.status !== "success") return shown;
  const groups = Map.groupBy(stringsIn(message.result.outcome.content), ({ path }) => keyOf(path));
  for (const group of groups.values()) {
    const texts = group.map(({ text }) => text);
    if (texts.length < 2) continue;
    for (const [index, after] of withholdAcross(texts).entries()) {
      const before = texts[index] ?? "";
      if (after !== before) shown.set(before, after);
    }
  }
  return shown;
}

/** The last key of a JSON pointer that is no place in a list. */
function keyOf(path: string): string {
  return path.split("/").findLast((part) => !/^\d+$/.test(part)) ?? "";
}
