import { firstPlaceOf } from "../../text/places-of.ts";

/** Words of a text as they are compared: folded, without case, mark-up, punctuation, invisible characters and JSON escapes. */
function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function fold(text: string): string {
  return text
    .replace(/(?<!\\)\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<!\\)\\+[nrtbf]/g, " ")
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{M}]/gu, "")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase();
}

/** A text of these alone does not say what it quotes. */
const formKeys = new Set(["target", "payload", "explanation"]);

/** Different words beside those of the text that a passage may hold, such as line numbers. */
const passageSlack = 16;

/**
 * Whether a text quotes what a model was shown: its characters occur in it, or nine of ten of its words stand close together in it, in any order.
 * Layout, case, quotation marks, line numbers and the notation (property list or JSON) do not matter.
 */
export function isQuotation(text: string, shown: Iterable<string>): boolean {
  const words = wordsOf(text).filter((word) => word !== "type" && word !== "request");
  if (words.every((word) => formKeys.has(word))) return false;
  const letters = words.join("");
  for (const source of shown) {
    const sourceWords = wordsOf(source);
    if (holdsTogether(words, sourceWords) || firstPlaceOf(letters, sourceWords.join("")) !== -1) return true;
  }
  return false;
}

/** Whether a passage with at most twice as many different words holds at least nine of ten of the words, each as often as they do. */
function holdsTogether(words: readonly string[], source: readonly string[]): boolean {
  const span = 2 * words.length + passageSlack;
  const needed = words.length - Math.floor(words.length / 10);
  const wanted = countsOf(words);
  const passage = new Map<string, number>();
  let found = 0;
  let start = 0;
  for (const word of source) {
    const count = passage.get(word) ?? 0;
    passage.set(word, count + 1);
    if (count < (wanted.get(word) ?? 0)) found += 1;
    if (found >= needed) return true;
    for (; passage.size > span; start += 1) {
      const gone = source[start] ?? "";
      const before = passage.get(gone) ?? 0;
      if (before <= (wanted.get(gone) ?? 0)) found -= 1;
      if (before === 1) passage.delete(gone);
      else passage.set(gone, before - 1);
    }
  }
  return false;
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
