import type { PrintableForm } from "./printer.ts";

/** The type of a value in a message: JSON-shaped inside the program, a form on the wire. Only the schema decides which lists are property lists. */
export type Shape =
  /** A string. */
  | { readonly kind: "text" }
  /** A whole number. */
  | { readonly kind: "integer" }
  /** `T` or `NIL`. */
  | { readonly kind: "truth" }
  /** A keyword; inside the program, its name in lower case. */
  | { readonly kind: "word" }
  | { readonly kind: "words" }
  /** Any JSON value (`docs/wire.md`, JSON values). */
  | { readonly kind: "value" }
  | { readonly kind: "object" }
  /** A list of JSON objects. `renamed` maps keys to the keys that replace them on the wire. */
  | { readonly kind: "objects"; readonly renamed: ReadonlyMap<string, string> }
  | { readonly kind: "plist"; readonly fields: Fields }
  | { readonly kind: "plists"; readonly fields: Fields }
  | Choice;

/** A property list whose keys depend on a word: the value of the first key of `by` that it has. */
export type Choice = {
  readonly kind: "choice";
  readonly by: readonly string[];
  readonly of: ReadonlyMap<string, Fields>;
};

/** One key of a property list, with its keyword as a name and as a form. */
export type Field = {
  readonly key: string;
  readonly name: string;
  readonly form: PrintableForm;
  readonly shape: Shape;
  readonly required: boolean;
};

/** The keys of a property list. */
export type Fields = {
  /** In printing order. */
  readonly all: readonly Field[];
  /** By the keyword's name, aliases included. */
  readonly byName: ReadonlyMap<string, Field>;
  /** Names that are read and dropped. */
  readonly stripped: ReadonlySet<string>;
};

type Names = {
  /** Other names of a key, such as `SESSION` for `session-id`. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly stripped?: readonly string[];
};
type Shapes = Readonly<Record<string, Shape>>;

/** Makes the keys of a property list. A `?` at the end of a key makes it optional. */
export function fieldsOf(shapes: Shapes, names: Names = {}): Fields {
  const all = Object.entries(shapes).map(([written, shape]): Field => {
    const required = !written.endsWith("?");
    const key = required ? written : written.slice(0, -1);
    const name = key.toUpperCase();
    return { key, name, form: { kind: "keyword", name }, shape, required };
  });
  const byName = new Map(all.map((field) => [field.name, field]));
  for (const [alias, key] of Object.entries(names.aliases ?? {})) {
    const field = byName.get(key.toUpperCase());
    if (field !== undefined) byName.set(alias, field);
  }
  return { all, byName, stripped: new Set(names.stripped) };
}

/** Makes a choice: each case is a word with its keys. If there are several keys to choose by, a case written `word of key` uses that key; any other uses the first. */
export function choiceBy(
  by: string | readonly [string, ...string[]],
  cases: Readonly<Record<string, Shapes>>,
  names: Names = {},
): Choice {
  const keys = typeof by === "string" ? ([by] as const) : by;
  const of = Object.entries(cases).map(([written, shapes]) => {
    const [word = "", key = keys[0]] = written.split(" of ");
    return [word, fieldsOf({ [key]: { kind: "word" }, ...shapes }, names)] as const;
  });
  return { kind: "choice", by: keys, of: new Map(of) };
}
