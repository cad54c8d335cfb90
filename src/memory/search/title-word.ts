/** A character for private use, which no word that is read has. */
const mark = "\u{e000}";

/** A stem as one more word of a title: rows with it in their titles are found without a look at all rows that have it anywhere. */
export function titleWord(stem: string): string {
  return `${mark}${stem}`;
}
