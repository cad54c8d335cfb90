/** One datum as the Lisp reader reads it. Nothing is evaluated, and symbols are only names. `NIL` and `()` are the empty list. */
export type Form =
  | { readonly kind: "keyword"; readonly name: string }
  /** `package` is the text before the colon; null without a colon. */
  | { readonly kind: "symbol"; readonly name: string; readonly package: string | null }
  | { readonly kind: "string"; readonly value: string }
  /** A bigint only where a number would not be exact. */
  | { readonly kind: "integer"; readonly value: number | bigint }
  /** As written, not reduced. */
  | { readonly kind: "ratio"; readonly numerator: bigint; readonly denominator: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "character"; readonly value: string }
  | { readonly kind: "quote"; readonly form: Form }
  | { readonly kind: "list"; readonly items: readonly Form[] }
  /** `(a b . tail)`; the tail is never a list. */
  | { readonly kind: "dotted"; readonly items: readonly Form[]; readonly tail: Form };

/** The result of reading a text that must hold exactly one form. `offset` counts UTF-16 units from the start. */
export type FormReading =
  | { readonly ok: true; readonly form: Form }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** The result of reading a form as a property list: its values by the names of its keys. */
export type PlistReading =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, Form> }
  | { readonly ok: false; readonly message: string };
