import { lineFinder } from "./line-finder.ts";
import type { Declaration } from "./script-declarations.ts";

/** One token of Lisp that matters for balance: a text, a comment, a quoted symbol, a character such as `?\(` or `#\(`, or a bracket. */
const token = /"(?:[^"\\]|\\[\s\S])*"|;[^\n]*|#\|(?:[^|]|\|(?!#))*\|#|\|[^|\n]*\||[?#]\\.|\\.|[()[\]{}"]/gu;

const closings: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
]);
const clojure: ReadonlyMap<string, string> = new Map([...closings, ["{", "}"]]);

/** What is wrong with the brackets and texts of Emacs Lisp, Common Lisp, Scheme or (with `braces`) Clojure, in words; null if they are balanced. */
export function lispProblem(text: string, { braces = false } = {}): string | null {
  return readForms(text, braces ? clojure : closings).problem;
}

/** The top-level forms with a name, such as `(defun open …)`, each with the comment lines right above it. */
export function lispDeclarations(text: string, { braces = false } = {}): readonly Declaration[] {
  const seen = new Map<string, number>();
  const lineAt = lineFinder(text);
  return readForms(text, braces ? clojure : closings).forms.flatMap(({ begin, end }) => {
    const [, kind, word] =
      /^\(\s*([^\s()]+)\s+\(?\s*([^\s()[\]]+)/.exec(text.slice(begin, begin + 400)) ?? [];
    if (kind === undefined || word === undefined) return [];
    const count = (seen.get(word) ?? 0) + 1;
    seen.set(word, count);
    const above =
      /(?:^|\n)((?:[ \t]*;[^\n]*\n)+)$/.exec(text.slice(Math.max(0, begin - 4000), begin))?.[1] ?? "";
    const from = begin - above.length;
    return [
      {
        name: count === 1 ? word : `${word}#${count}`,
        kind,
        from: lineAt(from),
        to: lineAt(end),
        begin: from,
        end,
      },
    ];
  });
}

type Forms = {
  readonly forms: readonly { readonly begin: number; readonly end: number }[];
  readonly problem: string | null;
};

function readForms(text: string, brackets: ReadonlyMap<string, string>): Forms {
  const closing = new Set(brackets.values());
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const forms: { begin: number; end: number }[] = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '"') return { forms, problem: `a text begins at ${placeOf(text, index)} and does not end` };
    if (brackets.has(found)) open.push({ bracket: found, at: index });
    if (!closing.has(found)) continue;
    const begun = open.pop();
    if (begun === undefined || brackets.get(begun.bracket) !== found)
      return { forms, problem: `'${found}' at ${placeOf(text, index)} closes nothing` };
    if (open.length === 0) forms.push({ begin: begun.at, end: index + 1 });
  }
  const left = open.at(-1);
  const problem = left === undefined ? null : `'${left.bracket}' at ${placeOf(text, left.at)} is not closed`;
  return { forms, problem };
}

function placeOf(text: string, at: number): string {
  return `line ${lineFinder(text)(at)}, column ${at - (at === 0 ? -1 : text.lastIndexOf("\n", at - 1))}`;
}
