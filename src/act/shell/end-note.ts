/**
 * What is said at the end of a run beside its output: to everybody, and what a model may do next. Empty for
 * nothing.
 */
export type EndNote = { readonly note: string; readonly advice: string };

/** Nothing is said at the end. */
export const noEndNote: EndNote = { note: "", advice: "" };
