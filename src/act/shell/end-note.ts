/**
 * What is said at the end of a run beside its output: to everybody, and what a model may do next. Empty for
 * nothing.
 */
export type EndNote = { readonly note: string; readonly advice: string };

/** Nothing is said at the end. */
export const noEndNote: EndNote = { note: "", advice: "" };

/** Joins what is said at the end, with keys masked. */
export function joinEndNotes(notes: readonly EndNote[], mask: (text: string) => string): EndNote {
  const joined = (texts: readonly string[]): string => mask(texts.filter((text) => text !== "").join(" "));
  return { note: joined(notes.map(({ note }) => note)), advice: joined(notes.map(({ advice }) => advice)) };
}
