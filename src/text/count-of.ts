/** A number of things in words: `1 file`, `2 files`. */
export function countOf(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
