/** One token of Lisp that matters for balance: a text, a comment, a quoted symbol, a character such as `?\(` or `#\(`, or a bracket. */
const token = /"(?:[^"\\]|\\[\s\S])*"|;[^\n]*|#\|(?:[^|]|\|(?!#))*\|#|\|[^|\n]*\||[?#]\\.|\\.|[()[\]"]/gu;

/** What is wrong with the brackets and texts of Emacs Lisp or Common Lisp, in words; null if they are balanced. */
export function lispProblem(text: string): string | null {
  const open: { readonly bracket: string; readonly at: number }[] = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '"') return `a text begins at line ${lineOf(text, index)} and does not end`;
    if (found === "(" || found === "[") open.push({ bracket: found, at: index });
    if (found !== ")" && found !== "]") continue;
    const begun = open.pop();
    if (begun === undefined || (begun.bracket === "(") !== (found === ")"))
      return `'${found}' at line ${lineOf(text, index)} closes nothing`;
  }
  const left = open.at(-1);
  return left === undefined ? null : `'${left.bracket}' at line ${lineOf(text, left.at)} is not closed`;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
