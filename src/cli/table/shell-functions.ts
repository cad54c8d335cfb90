import { quoteForShell } from "../../text/quote-for-shell.ts";
import { completionPlaces, kindWord, type Place } from "./completion-places.ts";

/** How bash and zsh say a list of offers, and a single word. */
type Dialect = {
  readonly list: (offers: Place["next"]) => string;
  readonly word: (text: string) => string;
};

/**
 * The table as functions of a shell: `_next` (what may follow a place), `_options`, `_value` (what the value of an option is; nothing for a flag) and `_word`
 * (what the word with this number is).
 */
export function shellFunctions({ list, word }: Dialect): string {
  const places = completionPlaces();
  return [
    shellCase(
      "next",
      places.filter(({ next }) => next.length > 0).map(({ key, next }) => [key, list(next)]),
    ),
    shellCase(
      "options",
      places.map(({ key, options }) => [key, list(options)]),
    ),
    shellCase(
      "value",
      places.flatMap(({ key, options }) =>
        options.flatMap(({ name, kind }) =>
          kind === null ? [] : [[`${key} ${name}`, word(kindWord(kind))] as const],
        ),
      ),
    ),
    shellCase(
      "word",
      places.flatMap(wordCases).map(([key, kind]) => [key, word(kind)]),
    ),
  ].join("\n");
}

/** The kind of each word of a place by its number; the last one of an open place by any further number. */
function wordCases({ key, words, isOpen }: Place): readonly (readonly [pattern: string, kind: string])[] {
  const cases = words.map((kind, index) => [`${key} ${index}`, kindWord(kind)] as const);
  const last = words.at(-1);
  return last === undefined || !isOpen ? cases : [...cases, [`${key} *`, kindWord(last)]];
}

function shellCase(name: string, cases: readonly (readonly [key: string, body: string])[]): string {
  const lines = cases.map(([key, body]) => `    ${casePattern(key)}) ${body} ;;`);
  return [`_passepartout_${name}() {`, "  case $1 in", ...lines, "  esac", "}"].join("\n");
}

function casePattern(key: string): string {
  return key.endsWith(" *") ? `${quoteForShell(key.slice(0, -1))}*` : quoteForShell(key);
}
