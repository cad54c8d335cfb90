/** A private-use character, which no word of a text contains. */
const mark = "\u{e000}";

/** The title form of a stem: with it, rows with the stem in their title are found without reading all rows with the stem. */
export function titleWord(stem: string): string {
  return `${mark}${stem}`;
}
