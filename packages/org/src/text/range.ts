/** A half-open range of UTF-16 offsets. */
export type Range = { readonly begin: number; readonly end: number };
