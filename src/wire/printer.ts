import type { Form } from "../signal/form.ts";

/** What we send: Emacs and SBCL read each of these as the same thing. Of symbols, only `T`. */
export type PrintableForm =
  | Extract<Form, { kind: "keyword" | "string" | "integer" }>
  | { readonly kind: "symbol"; readonly name: "T"; readonly package: null }
  | { readonly kind: "list"; readonly items: readonly PrintableForm[] };

const smallest = -(2n ** 61n);
const largest = 2n ** 61n - 1n;

/** Prints a form as `prin1` does. Reading what was printed gives the form again. An integer of more than 62 bits throws: it is our own mistake. */
export function printForm(form: PrintableForm): string {
  switch (form.kind) {
    case "keyword":
      return `:${printName(form.name)}`;
    case "symbol":
      return form.name;
    case "string":
      return `"${form.value.replace(/["\\]/g, "\\$&")}"`;
    case "integer":
      return printInteger(form.value);
    case "list":
      return form.items.length === 0 ? "NIL" : `(${form.items.map(printForm).join(" ")})`;
  }
}

/** Names that the reader would give back as they are go bare, all others in bars. A backslash stands before what would end a name for Emacs, to which bars mean nothing. */
function printName(name: string): string {
  if (/^[A-Z0-9*+/<=>?!$%&^_~@-]+$/.test(name)) return name;
  return `|${name.replace(/[^\p{L}\p{M}\p{N}*+/<=>?!$%&^_~@:.-]/gu, "\\$&")}|`;
}

function printInteger(value: number | bigint): string {
  const whole = BigInt(value);
  if (whole < smallest || whole > largest) {
    throw new RangeError(`${whole} has more than 62 bits and cannot be sent; send it as a string`);
  }
  return whole.toString();
}
