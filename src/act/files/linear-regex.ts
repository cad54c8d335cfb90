import { done, type Fallible, problem } from "./fallible.ts";

/** A compiled regular expression. Whether it matches somewhere in a text takes time linear in the length of the text. */
export type LinearRegex = { readonly test: (text: string) => boolean };

/** The longest expression, in characters. */
const maxLength = 1000;
/** The largest compiled expression, in instructions: 16,384 characters take half a second at the worst. */
const maxInstructions = 2000;

/** Compiles a regular expression (RE2 syntax: no lookaround, no backreferences). The engine never backtracks. It is loaded when first used. */
export async function compileRegex(
  source: string,
  {
    ignoreCase = false,
    longest = maxLength,
  }: { readonly ignoreCase?: boolean; readonly longest?: number } = {},
): Promise<Fallible<LinearRegex>> {
  const { RE2JS, RE2JSException } = await import("re2js");
  const tooLarge = problem(
    "too-complex",
    `The regular expression is too large: at most ${maxLength.toLocaleString("en")} characters and small repeat counts. Shorten it.`,
  );
  if (source.length > longest) return tooLarge;
  try {
    const regex = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return regex.programSize() > maxInstructions * (longest / maxLength)
      ? tooLarge
      : done({ test: (text) => regex.test(text) });
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return problem("invalid-pattern", error.message.replace(/^error parsing regexp: /, ""));
  }
}
