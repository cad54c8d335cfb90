import { type Construct, mostConstructs } from "./construct.ts";

type Rule = {
  readonly why: string;
  /** Two groups: what stands before the comma, and what stands after it. Applied to one line. */
  readonly pattern: RegExp;
  /** The lines that the rule applies to. Default: all. */
  readonly lines?: RegExp;
};

/** Lines whose header arguments Org reads. */
const headerLines =
  /#\+begin_src|#\+headers?:|#\+property\+?:|#\+call:|#\+begin:|:header-args|src_[^\s[{]{1,60}\[|call_[^\s[(]{1,200}[[(]/i;
const lisp = "Emacs evaluates it as Lisp";

const rules: readonly Rule[] = [
  { why: "Emacs evaluates it when the agenda is shown", pattern: /(%%)(\()/g },
  { why: "Emacs evaluates it on export", pattern: /(^[ \t]*)(#\+macro:.*\([ \t]*eval)/gi },
  { why: "it sets variables of Emacs on export", pattern: /(^[ \t]*)(#\+bind:)/gi },
  { why: "it runs a block of code", pattern: /(^[ \t]*)(#\+(?:call|lob):)/gi },
  {
    why: "Emacs calls a function for the link",
    pattern: /(^[ \t]*)(#\+link:.*?(?:%\(|(?:elisp|e?shell|file\+sys|file\+emacs):))/gi,
  },
  { why: "it brings in the settings of another file", pattern: /(^[ \t]*)(#\+(?:setupfile|include):)/gi },
  { why: lisp, pattern: /(['`])(\()/g, lines: /^[ \t]*(?:#\+tblfm:|\|)/i },
  { why: lisp, pattern: /([ \t\f\v=:|][`'"]?)(\()/g, lines: headerLines },
  {
    why: "its code is written into a file",
    pattern: /(?<!,)()(:tangle[ \t\f\v]+(?!no(?:[ \t\f\v\]]|$))[^\s\]])/gi,
  },
  {
    why: "its code runs without a question",
    pattern:
      /(?<!,)()(:eval[ \t\f\v]+(?!(?:no|never|no-export|never-export|query|query-export|strip-export)(?:[ \t\f\v\]]|$))[^\s\]])/gi,
  },
  {
    why: "Emacs calls a function for the table",
    pattern: /(?<!,)()(:formatter[ \t])/gi,
    lines: /#\+begin:/i,
  },
  {
    why: "Emacs runs it when the link is opened",
    pattern: /((?:^|[^\w-])(?:elisp|e?shell|file\+sys|file\+emacs))(:)(?=\S)/gi,
  },
  {
    why: "Emacs runs it when the link is opened",
    pattern: /(\[\[[ \t]*(?:elisp|e?shell|file\+sys|file\+emacs))(:)/gi,
  },
  {
    why: "Emacs writes to a file elsewhere",
    pattern: /(^[ \t]*(?:#\+|:)(?:export_file_name|archive):[ \t]*)([~/]|(?!,).*\.\.)/gi,
  },
];

/** Finds what Emacs would obey in an Org file, line by line. */
export function findOrgConstructs(text: string): readonly Construct[] {
  const found: Construct[] = [];
  for (const { line, start } of linesOf(text)) {
    if (!/[%#:|(]/.test(line)) continue;
    for (const { why, pattern, lines } of rules) {
      if (line.search(pattern) === -1 || lines?.test(line) === false) continue;
      for (const match of line.matchAll(pattern)) {
        if (found.length > mostConstructs) return found;
        const at = start + match.index + (match[1] ?? "").length;
        found.push({
          why,
          at,
          text:
            why === rules[0]?.why ? expression(text, at) : line.slice(match.index, match.index + longestText),
        });
      }
    }
  }
  return found;
}

/** The lines of a text and where they start. A carriage return ends a line too, as in the files of old Macs. */
export function* linesOf(text: string): Generator<{ readonly line: string; readonly start: number }> {
  for (const match of text.matchAll(/[^\r\n]+/g)) yield { line: match[0], start: match.index };
}

/** A text that is longer counts as the same if it begins the same. It bounds the work for a file of constructs. */
const longestText = 400;

/** The Lisp expression that begins at an offset; it can go over several lines. */
function expression(text: string, at: number): string {
  let depth = 0;
  for (let end = at; end < Math.min(text.length, at + longestText); end += 1) {
    const character = text.charAt(end);
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return text.slice(at, end + 1);
  }
  return text.slice(at, at + longestText);
}
