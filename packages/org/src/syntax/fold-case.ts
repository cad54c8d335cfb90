/** Letters of Turkish, which patterns leave as they are. */
const unfolded = "\u0130\u0131";

/** A character without its case, as a pattern with the flags `i` and `u` compares it: two characters are equal there where this is. */
export function foldCase(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? character.toLowerCase() : character;
  if (unfolded.includes(character)) return character;
  const [upper, ...more] = character.toUpperCase();
  const folded = (more.length === 0 ? (upper ?? character) : character).toLowerCase();
  return [...folded].length === 1 ? folded : character;
}
