/** A part of a text. UTF-16 code units. */
export type TextRange = { readonly start: number; readonly length: number };

/** UTF-16 code units of one message that are read. */
export const longestWords = 100_000;
/** Marks of one message that are told apart. */
const mostMarks = 100;

/**
 * The parts of a text that somebody marked as no words of theirs, each place once, in their order. Where
 * there
 * are too many marks the whole text counts as marked.
 */
export function quotedParts(text: string, marked: readonly TextRange[]): readonly string[] {
  if (marked.length > mostMarks) return [text];
  const parts: { start: number; end: number }[] = [];
  for (const { start, length } of marked.toSorted((one, other) => one.start - other.start)) {
    const from = Math.max(0, start);
    const end = Math.min(text.length, start + length);
    const last = parts.at(-1);
    if (end <= from) continue;
    if (last === undefined || from > last.end) parts.push({ start: from, end });
    else last.end = Math.max(last.end, end);
  }
  return parts.map(({ start, end }) => text.slice(start, end));
}
