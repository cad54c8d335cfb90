import type { Pattern } from "../outline/tag-pattern.ts";

/** A parsed query: a condition on headlines. */
export type Query =
  | { readonly kind: "all" | "any"; readonly parts: readonly Query[] }
  | { readonly kind: "not"; readonly part: Query }
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "tag-pattern"; readonly pattern: Pattern }
  | {
      readonly kind: "property";
      /** In upper case. */
      readonly name: string;
      readonly operator: Operator;
      /** A headline without the property does not match. */
      readonly required: boolean;
      readonly value: QueryValue;
    }
  | { readonly kind: "todo"; readonly word: string }
  | { readonly kind: "todo-pattern"; readonly pattern: Pattern }
  /** Has a TODO word that is not done. */
  | { readonly kind: "open" }
  /** Has a text in its title or its own section, in any case. */
  | { readonly kind: "text"; readonly text: string };

export type Operator = "<" | "<=" | "=" | "<>" | ">=" | ">";

/** The value that a property is compared with. */
export type QueryValue =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "text"; readonly text: string }
  /** A time as it is written between the quotes, such as `<today>`, `<-1w>` or `<2024-01-15>`. */
  | { readonly kind: "time"; readonly time: string }
  | { readonly kind: "pattern"; readonly pattern: Pattern };

/** Why an expression cannot be parsed: the column, from 1, and what was expected there. */
export type QueryProblem = { readonly at: number; readonly expected: string };
