import { lineFinder } from "./line-finder.ts";
import { type Declaration, numbered } from "./script-declarations.ts";

/** How a Lisp is read: Emacs Lisp; Common Lisp and Scheme; Clojure. */
export type LispDialect = "emacs-lisp" | "lisp" | "clojure";

/** The tokens that matter for balance: texts, comments, characters such as `?\(` or `#\(`, quoted symbols, brackets. `#|` begins a comment that nests; `#;` one of a single form. */
const tokens: { readonly [Dialect in LispDialect]: RegExp } = {
  "emacs-lisp":
    /"(?:[^"\\]|\\[\s\S])*"|;[^\n]*|(?<![^\s()[\]'`,"@])\?(?:\\(?:[ACHMSs]-\\?)*[\s\S]|.)|\\.|[()[\]"]/g,
  lisp: /"(?:[^"\\]|\\[\s\S])*"|#\||#;|;[^\n]*|\|[^|\n]*\||#\\.|\\.|[()[\]"]/g,
  clojure: /"(?:[^"\\]|\\[\s\S])*"|;[^\n]*|\\.|[()[\]{}"]/g,
};

const closings: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** What is wrong with the brackets, texts and comments of a Lisp, in words; null if they are balanced. */
export function lispProblem(text: string, dialect: LispDialect): string | null {
  return readForms(text, dialect).problem;
}

/** The top-level forms with a name, such as `(defun open …)`, each with the comment lines right above it. */
export function lispDeclarations(text: string, dialect: LispDialect): readonly Declaration[] {
  const taken = new Map<string, number>();
  const lineAt = lineFinder(text);
  return readForms(text, dialect).forms.flatMap(({ begin, end }) => {
    const [, kind, word] =
      /^\(\s*([^\s()]+)\s+(?:\^(?:\{[^{}]*\}|[^\s{}]+)\s+)*\(?\s*([^\s()[\]]+)/.exec(
        text.slice(begin, begin + 400),
      ) ?? [];
    if (kind === undefined || word === undefined) return [];
    const above =
      /(?:^\uFEFF?|\n)((?:[ \t]*;[^\n]*\n)+)$/.exec(text.slice(Math.max(0, begin - 4000), begin))?.[1] ?? "";
    const from = begin - above.length;
    return [{ name: numbered(word, taken), kind, from: lineAt(from), to: lineAt(end), begin: from, end }];
  });
}

type Forms = {
  readonly forms: readonly { readonly begin: number; readonly end: number }[];
  readonly problem: string | null;
};

function readForms(text: string, dialect: LispDialect): Forms {
  const closing = new Set(closings.values());
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const forms: { begin: number; end: number }[] = [];
  const token = new RegExp(tokens[dialect]);
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: found, index } = match;
    if (found === "#|") token.lastIndex = endOfComment(text, index);
    if (found === '"' || token.lastIndex === 0) {
      const what = found === '"' ? "text" : "comment";
      return { forms, problem: `a ${what} begins at ${placeOf(text, index)} and does not end` };
    }
    if (closings.has(found)) open.push({ bracket: found, at: index });
    if (!closing.has(found)) continue;
    const begun = open.pop();
    if (begun === undefined || closings.get(begun.bracket) !== found)
      return { forms, problem: `'${found}' at ${placeOf(text, index)} closes nothing` };
    if (open.length === 0) forms.push({ begin: begun.at, end: index + 1 });
  }
  const left = open.at(-1);
  const problem = left === undefined ? null : `'${left.bracket}' at ${placeOf(text, left.at)} is not closed`;
  return { forms, problem };
}

/** Behind the comment `#|…|#` that begins at a place, with those inside it; 0 where it does not end. */
function endOfComment(text: string, at: number): number {
  const mark = /#\||\|#/g;
  mark.lastIndex = at;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    depth += found[0] === "#|" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return 0;
}

function placeOf(text: string, at: number): string {
  return `line ${lineFinder(text)(at)}, column ${at - (at === 0 ? -1 : text.lastIndexOf("\n", at - 1))}`;
}
