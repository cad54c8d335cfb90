import { firstPlaceOf } from "../../../text/places-of.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import { compileRegex } from "../../files/linear-regex.ts";

/** Finds a pattern in lines. */
export type LineMatcher = {
  /** The place of the match in a line, or -1; for a regular expression the place is 0. */
  readonly find: (line: string) => number;
  /** False only if no line of the text matches. Quick. */
  readonly mayOccurIn: (text: string) => boolean;
  /** How much of a line is looked at, in characters. */
  readonly lineLength: number;
  /** What to know about the reading of the pattern; empty if nothing. */
  readonly note: string;
};

/** Long enough for what people write, and short enough that the worst expression takes half a second. */
const maxRegexLine = 16_384;

/** Reads a pattern as a regular expression, or as it is with `literal`. A pattern that is no regular expression is searched for as it is, and the note says so. */
export async function makeLineMatcher(pattern: string, literal: boolean): Promise<Fallible<LineMatcher>> {
  if (literal || !/[\\^$.*+?()[\]{}|]/.test(pattern)) return done(literalMatcher(pattern, ""));
  const ignoreCase = !/\p{Lu}/u.test(pattern.replaceAll(/\\(?:[pP](?:\{[^}]*\}|.)|.)/gsu, ""));
  const compiled = await compileRegex(pattern, { ignoreCase });
  if (compiled.ok) {
    const { test } = compiled.value;
    const find = (line: string): number => (test(line) ? 0 : -1);
    return done({ find, mayOccurIn: () => true, lineLength: maxRegexLine, note: "" });
  }
  if (compiled.code !== "invalid-pattern") return compiled;
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)) {
    return problem(
      "invalid-pattern",
      `The pattern has a lookaround or a backreference, which take more than linear time: ${compiled.message}. Write it without, or search in two steps.`,
    );
  }
  return done(
    literalMatcher(
      pattern,
      `The pattern is not a regular expression (${compiled.message}), so it was searched for as it is.`,
    ),
  );
}

function literalMatcher(pattern: string, note: string): LineMatcher {
  const anyCase = pattern === pattern.toLowerCase();
  const find = (text: string): number => firstPlaceOf(pattern, anyCase ? text.toLowerCase() : text);
  return { find, mayOccurIn: (text) => find(text) !== -1, lineLength: Number.POSITIVE_INFINITY, note };
}
