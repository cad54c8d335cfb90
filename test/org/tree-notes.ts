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
  ...["*bold*", "/it/", "_un_", "+st+", "=ve=", "~co~", "*", "/", "_", "+", "=", "~", "[[http://x.org][d]]"],
  ...[
    "[[file:a.org::*h]]",
    "[[#id]]",
    "[[fuzzy]]",
    "<http://x.org/a b>",
    "http://x.org/a_b",
    "https://a.b/(c)",
  ],
  ...["mailto:x@y.z", "[fn:1]", "[fn::in *b*]", "[fn:l:def]", "[cite:@k]", "[cite/s:p @k s;q @j; suf]"],
  ...[
    "@@html:<b>@@",
    "@@x",
    "{{{m}}}",
    "{{{m(a,b\\, c)}}}",
    "{{{",
    "<2024-01-02 Tue>",
    "[2024-01-02 Tue 10:00]",
  ],
  ...["<2024-01-02 Tue 10:00-12:00 +1w -2d>", "<2024-01-02>--<2024-01-05>", "<%%(diary-float t 4 2)>"],
  ...[
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
  ],
  ...["\\[m\\]", "$", "\\\\", "\\\\\n", "<<target>>", "<<<radio>>>", "radio", "[1/2]", "[50%]", "a_b", "a^b"],
  ...["a_{b c}", "a^{(}", "a_(b)", "a^*", "src_py{x}", "src_py[:a b]{x{y}}", "call_f(x)", "call_f[a](b)[c]"],
  ...[
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
  ],
  ...["#", "@", "%", "\n", "\n  ", "id:abc", "doi:10.1/2", "\\", "[[a\\][b]]", "[[a\\\\]]", "“q”", "…", "😀"],
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
  ...["", "* …", "** TODO [#A] …", "*** x :a:b:", "* COMMENT …", "- …", "+ …", "1. …", "- [-] …", "- a :: …"],
  ...[
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
  ],
  ...["#+begin_src", "#+begin_src sh -n -r :a b", "#+begin_example -i", "#+begin_quote", "#+BEGIN_center"],
  ...[
    "#+begin_verse",
    "#+begin_comment",
    "#+begin_export html",
    "#+begin_foo a",
    "#+end_src",
    "#+end_example",
  ],
  ...[
    "#+end_quote",
    "#+END_center",
    "#+end_verse",
    "#+end_comment",
    "#+end_export",
    "#+end_foo",
    "#+begin: clock :x",
  ],
  ...[
    "#+end:",
    "#+END",
    "#+name: n",
    "#+caption: c *b*",
    "#+caption[s]: long",
    "#+attr_html: :w 1",
    "#+results: r",
  ],
  ...[
    "#+results[abc]: r",
    "#+header: :x",
    "#+plot: p",
    "#+title: t",
    "#+foo",
    "#+",
    "#+foo[x]: y",
    "#+a:b: c",
  ],
  ...[
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
  ],
  ...[":END:", ":PROPERTIES:", ":a: b", ":ID: x", "-----", "----", "%%(diary) x", "[fn:1] …", "[fn:a-b] …"],
  ...["\\begin{eq}", "\\end{eq}", "\\begin{a*}x\\end{a*}", "CLOCK: [2024-01-01 Mon 10:00]", "CLOCK: => 1:00"],
  ...["SCHEDULED: <2024-01-01 Mon>", "CLOSED: [2024-01-01 Mon 10:00]", "*************** inline …"],
  ...["*************** END", "#+TODO: NEXT | DONE", "#+LINK: x http://%s.org", "#+STARTUP: odd"],
];
