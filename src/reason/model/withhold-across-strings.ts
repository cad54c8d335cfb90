import type { Message } from "../../signal/message.ts";
import { piecesIn } from "../../text/json.ts";

/**
 * The texts of a result that a private passage runs through, as they may be shown. A tool may give a text in
 * pieces, such as a list of the lines that match: what a reader may take for one text is read as one.
 */
export function withholdAcrossStrings(
  message: Message,
  withholdAcross: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  if (message.role !== "result" || message.result.outcome.status !== "success") return shown;
  for (const texts of piecesIn(message.result.outcome.content)) {
    for (const [index, after] of withholdAcross(texts).entries()) {
      const before = texts[index] ?? "";
      if (after !== before) shown.set(before, after);
    }
  }
  return shown;
}
