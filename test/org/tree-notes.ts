import { numbersFrom } from "./outline-notes.ts";

/** What a text is made of: pieces anyhow, whole elements inside each other, or characters that mean something in Org. */
export type Sort = "pieces" | "elements" | "characters";

/** Makes Org text up from a seed, with every kind of element and object, well-formed and not. The same seed gives the same text. */
export function makeTreeNotes(seed: number, sort: Sort): string {
  const random = numbersFrom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = (from: readonly string[]): string => from[below(from.length)] ?? "";
  const several = (most: number, make: () => string): string[] =>
    Array.from({ length: 1 + below(most) }, make);
  const inline = (): string =>
    several(7, () => `${random() < 0.45 ? pick(words) : pick(objects)}${random() < 0.5 ? " " : ""}`).join("");
  const line = (): string => {
    const start = pick(indents);
    if (random() < 0.4) return start + inline();
    const made = pick(lines);
    return made.endsWith("…") ? start + made.slice(0, -1) + inline() : start + made;
  };
  const element = (depth: number, indent: string): string[] => {
    const kind = below(depth > 2 ? 4 : 9);
    if (kind < 2) return [indent + oneLine(inline())];
    if (kind === 2) return [pick(["", " ", ""])];
    if (kind === 3) return [indent + line().trimStart()];
    const inner = several(3, () => "").flatMap(() => element(depth + 1, indent));
    if (kind === 4) {
      const block = pick(blocks);
      return [`${indent}#+begin_${block}`, ...inner, `${indent}#+end_${block.split(" ")[0]}`];
    }
    if (kind === 5) return [`${indent}:DRAWER:`, ...inner, `${indent}:END:`];
    if (kind === 6)
      return several(3, () => `${indent}| ${oneLine(inline())} | ${pick(words)} |`).concat(
        `${indent}|---+---|`,
      );
    return several(3, () => "").flatMap(() => {
      const [first = "", ...rest] = element(depth + 1, `${indent}  `);
      return [`${indent}${pick(bullets)}${first.trimStart()}`, ...rest];
    });
  };
  if (sort === "characters") return several(60, () => pick(characters)).join("");
  if (sort === "pieces") return several(12, line).join("\n") + pick(["", "\n", "\n\n", " "]);
  const heading = random() < 0.3 ? "* H\nSCHEDULED: <2024-01-01 Mon>\n:PROPERTIES:\n:ID: x\n:END:\n" : "";
  return heading + several(4, () => element(0, "").join("\n")).join("\n") + pick(["", "\n"]);
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

const words = ["a", "foo", "bar", "b1", "é", "TODO", "word", "日本", "1", "ж"];
const indents = ["", "", "", "", " ", "  ", "   ", "\t"];
const bullets = ["- ", "+ ", "1. ", "2) ", "- [ ] ", "- [X] ", "- tag :: ", "1. [@5] ", "  * "];
const blocks = ["quote", "center", "verse", "foo a b", "src sh -n :x y", "example", "comment", "export html"];
const objects = [
  "*bold*",
  "/it/",
  "_un_",
  "+st+",
  "=ve=",
  "~co~",
  "*",
  "/",
  "_",
  "+",
  "=",
  "~",
  "[[http://x.org][d]]",
  "[[file:a.org::*h]]",
  "[[#id]]",
  "[[fuzzy]]",
  "<http://x.org/a b>",
  "http://x.org/a_b",
  "https://a.b/(c)",
  "mailto:x@y.z",
  "[fn:1]",
  "[fn::in *b*]",
  "[fn:l:def]",
  "[cite:@k]",
  "[cite/s:p @k s;q @j; suf]",
  "@@html:<b>@@",
  "@@x",
  "{{{m}}}",
  "{{{m(a,b\\, c)}}}",
  "{{{",
  "<2024-01-02 Tue>",
  "[2024-01-02 Tue 10:00]",
  "<2024-01-02 Tue 10:00-12:00 +1w -2d>",
  "<2024-01-02>--<2024-01-05>",
  "<%%(diary-float t 4 2)>",
  "\\alpha",
  "\\alpha{}",
  "\\frac12",
  "\\there4x",
  "\\_  ",
  "\\cmd{a}[b]",
  "$x$",
  "$a+b$,",
  "$$d$$",
  "\\(m\\)",
  "\\[m\\]",
  "$",
  "\\\\",
  "\\\\\n",
  "<<target>>",
  "<<<radio>>>",
  "radio",
  "[1/2]",
  "[50%]",
  "a_b",
  "a^b",
  "a_{b c}",
  "a^{(}",
  "a_(b)",
  "a^*",
  "src_py{x}",
  "src_py[:a b]{x{y}}",
  "call_f(x)",
  "call_f[a](b)[c]",
  "|",
  "  ",
  "\t",
  ",",
  ".",
  "'",
  '"',
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  "[[",
  "]]",
  "<",
  ">",
  "-",
  "::",
  ":",
  "#",
  "@",
  "%",
  "\n",
  "\n  ",
  "id:abc",
  "doi:10.1/2",
  "\\",
  "[[a\\][b]]",
  "[[a\\\\]]",
  "“q”",
  "…",
  "😀",
];
const characters = [
  ..."*/_+=~[]{}()<>|#:;@%$\\^-.,!'\" \n\n\t\r1aZé日",
  "😀",
  "#+",
  "[[",
  "]]",
  "- ",
  "* ",
  "\u0000",
];
const lines = [
  "",
  "* …",
  "** TODO [#A] …",
  "*** x :a:b:",
  "* COMMENT …",
  "- …",
  "+ …",
  "1. …",
  "- [-] …",
  "- a :: …",
  "- tag ::",
  "-",
  "1)",
  "| a | b |",
  "|---+---|",
  "|",
  "| …",
  "+---+",
  "+--+--+",
  "| x |\n#+TBLFM: $1=2",
  "#+begin_src",
  "#+begin_src sh -n -r :a b",
  "#+begin_example -i",
  "#+begin_quote",
  "#+BEGIN_center",
  "#+begin_verse",
  "#+begin_comment",
  "#+begin_export html",
  "#+begin_foo a",
  "#+end_src",
  "#+end_example",
  "#+end_quote",
  "#+END_center",
  "#+end_verse",
  "#+end_comment",
  "#+end_export",
  "#+end_foo",
  "#+begin: clock :x",
  "#+end:",
  "#+END",
  "#+name: n",
  "#+caption: c *b*",
  "#+caption[s]: long",
  "#+attr_html: :w 1",
  "#+results: r",
  "#+results[abc]: r",
  "#+header: :x",
  "#+plot: p",
  "#+title: t",
  "#+foo",
  "#+",
  "#+foo[x]: y",
  "#+a:b: c",
  "#+call: f(x=1)",
  "#+call: f[a](b) c",
  "#+CALL: f",
  "# comment",
  "#",
  "#x",
  ": fixed",
  ":",
  ":x",
  ":LOGBOOK:",
  ":END:",
  ":PROPERTIES:",
  ":a: b",
  ":ID: x",
  "-----",
  "----",
  "%%(diary) x",
  "[fn:1] …",
  "[fn:a-b] …",
  "\\begin{eq}",
  "\\end{eq}",
  "\\begin{a*}x\\end{a*}",
  "CLOCK: [2024-01-01 Mon 10:00]",
  "CLOCK: => 1:00",
  "SCHEDULED: <2024-01-01 Mon>",
  "CLOSED: [2024-01-01 Mon 10:00]",
  "*************** inline …",
  "*************** END",
  "#+TODO: NEXT | DONE",
  "#+LINK: x http://%s.org",
  "#+STARTUP: odd",
];

/** Makes well-formed notes up from a seed, of what Org 9.5 and 9.8 read alike. */
export function makePlainNotes(seed: number): string {
  const random = numbersFrom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = (from: readonly string[]): string => from[below(from.length)] ?? "";
  const several = (most: number, make: () => string): string[] =>
    Array.from({ length: 1 + below(most) }, make);
  const prose = (): string =>
    several(8, () => (random() < 0.3 ? pick(plainObjects) : pick(plainWords))).join(" ");
  const block = (): string => {
    const name = pick([
      "quote",
      "center",
      "verse",
      "aside",
      "src sh :x y",
      "example",
      "comment",
      "export html",
    ]);
    return `#+begin_${name}\n${prose()}\n#+end_${name.split(" ")[0]}`;
  };
  const list = (indent: string): string =>
    several(3, () => {
      const inner = indent.length < 4 && random() < 0.4 ? `\n${list(`${indent}  `)}` : "";
      return `${indent}- ${pick(["", "", "[ ] ", "[X] ", "tag :: "])}${prose()}${inner}`;
    }).join("\n");
  const element = (): string => {
    switch (below(9)) {
      case 0:
        return block();
      case 1:
        return `${list("")}\nAfter the list, ${prose()}`;
      case 2:
        return `${pick(["", "#+NAME: n\n", "#+CAPTION: words\n#+ATTR_HTML: :a b\n"])}| a | *b* |\n|---+---|\n| ${pick(plainWords)} | $x$ |`;
      case 3:
        return pick(["-----", "# a comment\n# of two lines", "#+TITLE: t", "%%(diary-date 1 2)"]);
      case 4:
        return `:DRAWER:\n${prose()}\n:END:`;
      case 5:
        return pick([
          "\\begin{eq}\nx\n\\end{eq}",
          "#+BEGIN: clocktable :x y\n| a |\n#+END:",
          "#+CALL: f(x=1)",
        ]);
      case 6:
        return `1. ${prose()}\n2. ${prose()}`;
      default:
        return several(3, prose).join("\n");
    }
  };
  const entry = (): string =>
    `${"*".repeat(1 + below(3))} ${pick(["", "TODO ", "DONE [#A] ", "COMMENT "])}${prose()}${pick(["", " :a:b:"])}\n` +
    pick(["", "", "SCHEDULED: <2024-01-01 Mon +1w>\n"]) +
    pick(["", "", ":PROPERTIES:\n:ID: x\n:END:\n"]) +
    pick(["", ":LOGBOOK:\nCLOCK: [2024-01-01 Mon 10:00]--[2024-01-01 Mon 11:00] =>  1:00\n:END:\n"]) +
    `${several(4, element).join("\n\n")}\n`;
  const footnotes = random() < 0.5 ? `\n[fn:1] ${prose()}\n\n\n[fn:n] ${prose()}\n` : "";
  return `${element()}\n${several(3, entry).join("")}${footnotes}`;
}

const plainWords = ["words", "and", "more,", "of", "them.", "é", "日本", "😀", "One"];
const plainObjects = [
  "*bold*",
  "/italic/",
  "_under_",
  "+struck+",
  "=verbatim=",
  "~code~",
  "*a /b c/ d*",
  "[[https://x.org][a *b*]]",
  "[[id:x-1]]",
  "[[*Heading][here]]",
  "<https://x.org/a>",
  "https://x.org/a/b.",
  "mailto:a@b.org",
  "[fn:1]",
  "[fn:n]",
  "[fn::a note]",
  "[cite:@key]",
  "[cite/t:see @a p. 1; and @b]",
  "@@html:<b>@@",
  "{{{macro(a, b)}}}",
  "<2024-01-02 Tue 10:00-11:00>",
  "[2024-01-02 Tue]",
  "<2024-01-02 Tue>--<2024-01-03 Wed>",
  "\\alpha",
  "\\to{}",
  "$x^2$",
  "\\(y\\)",
  "H_2O",
  "x^{2 y}",
  "call_f(x)",
  "src_sh{ls}",
  "<<target>>",
  "[1/2]",
  "[50%]",
];
