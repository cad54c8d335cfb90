import type { Form } from "../../text/form.ts";

/** The forms that are sent. Emacs and SBCL read them alike. The only symbol is `T`. */
export type PrintableForm =
  | Extract<Form, { kind: "keyword" | "string" | "integer" }>
  | { readonly kind: "symbol"; readonly name: "T"; readonly package: null }
  | { readonly kind: "list"; readonly items: readonly PrintableForm[] };

const smallest = -(2n ** 61n);
const largest = 2n ** 61n - 1n;
const bare = /^[A-Z0-9*+/<=>?!$%&^_~@-]+$/;

/** Prints a form as `prin1` does; reading the text gives the form again. Throws for an integer of more than 62 bits: a fault of this program. */
export function printForm(form: PrintableForm): string {
  switch (form.kind) {
    case "keyword":
      return `:${printName(form.name)}`;
    case "symbol":
      return form.name;
    case "string":
      return printString(form.value);
    case "integer":
      return printInteger(form.value);
    case "list":
      return printList(form.items);
  }
}

function printList(items: readonly PrintableForm[]): string {
  if (items.length === 0) return "NIL";
  let printed = "(";
  for (const item of items) printed += printed === "(" ? printForm(item) : ` ${printForm(item)}`;
  return `${printed})`;
}

function printString(value: string): string {
  return value.includes('"') || value.includes("\\") ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`;
}

/** Prints a name bare if the reader gives it back unchanged, else in bars. A backslash precedes each character that would end a name in Emacs, which does not know bars. */
function printName(name: string): string {
  if (bare.test(name)) return name;
  return `|${name.replace(/[^\p{L}\p{M}\p{N}*+/<=>?!$%&^_~@:.-]/gu, "\\$&")}|`;
}

function printInteger(value: number | bigint): string {
  if (Number.isSafeInteger(value)) return value === 0 ? "0" : String(value);
  const whole = BigInt(value);
  if (whole < smallest || whole > largest) {
    throw new RangeError(`${whole} has more than 62 bits and cannot be sent; send it as a string`);
  }
  return whole.toString();
}
