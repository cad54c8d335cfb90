import { json, type Row } from "../../storage/rows.ts";

/** JSON of objects of one kind that leaves out what most of them have. */
export type CompactJson<T> = {
  readonly encode: (value: T) => string;
  /** Reads a column of a row that `encode` wrote. */
  readonly decode: (row: Row, column: string) => T;
};

/** Makes the compact JSON of objects that mostly have these values. */
export function makeCompactJson<T extends object>(usual: Partial<T>): CompactJson<T> {
  const known = new Map(Object.entries(usual).map(([name, value]) => [name, JSON.stringify(value)]));
  return {
    encode: (value) => {
      const all = Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)] as const);
      const unusual = all.filter(([name, one]) => known.get(name) !== one);
      return `{${unusual.map(([name, one]) => `"${name}":${one}`).join(",")}}`;
    },
    decode: (row, column) => ({ ...usual, ...json<T>(row, column) }),
  };
}
