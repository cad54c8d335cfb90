import type { Form } from "../../signal/form.ts";

/** What we send: Emacs and SBCL read each of these as the same thing. Of symbols, only `T`. */
export type PrintableForm =
  | Extract<Form, { kind: "keyword" | "string" | "integer" }>
  | { readonly kind: "symbol"; readonly name: "T"; readonly package: null }
  | { readonly kind: "list"; readonly items: readonly PrintableForm[] };

const smallest = -(2n ** 61n);
const largest = 2n ** 61n - 1n;
const bare = /^[A-Z0-9*+/<=>?!$%&^_~@-]+$/;

/** Prints a form as `prin1` does. Reading what was printed gives the form again. An integer of more than 62 bits throws: it is our own mistake. */
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

/** Names that the reader would give back as they are go bare, all others in bars. A backslash stands before what would end a name for Emacs, to which bars mean nothing. */
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
