/** Makes a text of a size in characters from a piece. */
const again = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));

/** Makes a text of a size in characters from pieces that differ. */
const numbered =
  (piece: (index: number) => string) =>
  (size: number): string => {
    const pieces: string[] = [];
    for (let length = 0; length < size; length += pieces.at(-1)?.length ?? size)
      pieces.push(piece(pieces.length));
    return pieces.join("");
  };

/** The half of a size from one maker, and the other half from another. */
const halves =
  (first: (size: number) => string, second: (size: number) => string) =>
  (size: number): string =>
    `${first(size / 2)}\n${second(size / 2)}`;

/** Notes that cost the most for their size, each by a name. */
export const hostileNotes: Readonly<Record<string, (size: number) => string>> = {
  headlines: again("* a\n"),
  "headlines with a keyword, a priority and tags": again("* TODO [#A] a :b:c:\n"),
  "headlines inside of each other": numbered((index) => `${"*".repeat((index % 300) + 1)} a\n`),
  "headlines that inherit tags": halves(
    numbered((index) => `#+FILETAGS: :t${index}:\n`),
    again("* a\n"),
  ),
  "a line of file tags": halves(
    (size) => `#+FILETAGS: :${numbered((index) => `t${index}:`)(size)}`,
    again("* a\n"),
  ),
  "tags that nest": numbered((index) => `${"*".repeat((index % 300) + 1)} a :t${index}:\n`),
  "many tags of a headline": (size) => `* a :${numbered((index) => `t${index}:`)(size)}\n`,
  "tag groups": halves(
    numbered((index) => `#+TAGS: [ a${index} : b${index} a${index + 1} ]\n`),
    again("* a :a1:\n"),
  ),
  "one tag group": (size) => `#+TAGS: { ${numbered((index) => `a${index} `)(size)} }\n* a :a1:\n`,
  "TODO words": halves(
    numbered((index) => `#+TODO: W${index} | D${index}\n`),
    again("* DONE a\n"),
  ),
  "TODO words of one line": halves(
    (size) => `#+TODO: ${numbered((index) => `W${index} `)(size)}`,
    again("* W1 a\n"),
  ),
  "property drawers": again("* a\n:PROPERTIES:\n:ID: x\n:END:\n"),
  "properties of one drawer": (size) =>
    `* a\n:PROPERTIES:\n${numbered((index) => `:P${index}: x\n`)(size)}:END:\n`,
  "properties that are added to": (size) => `* a\n:PROPERTIES:\n${again(":P+: x\n")(size)}:END:\n`,
  "properties that are inherited": numbered(
    (index) => `${"*".repeat((index % 100) + 1)} a\n:PROPERTIES:\n:CATEGORY: x${index}\n:END:\n`,
  ),
  "properties of the file": halves(
    numbered((index) => `#+PROPERTY: P${index} x\n`),
    again("* a\n"),
  ),
  "categories of the file": halves(
    numbered((index) => `#+CATEGORY: c${index}\n`),
    again("* a\n"),
  ),
  "link abbreviations": halves(
    numbered((index) => `#+LINK: l${index} http:x\n`),
    numbered((index) => `[[l${index}:x]] `),
  ),
  "ids that are the same": again("* a\n:PROPERTIES:\n:ID: x\n:END:\n[[id:x]]\n"),
  "links to headlines": halves(
    numbered((index) => `* h${index}\n`),
    numbered((index) => `[[*h${index}]] `),
  ),
  "links to words": halves(
    numbered((index) => `* h ${index}\n`),
    numbered((index) => `[[h ${index} x]]\n`),
  ),
  "links to nothing": numbered((index) => `[[dead${index}]]\n`),
  "links to files": numbered((index) => `[[file:a${index}.org::*x]]\n`),
  "links to targets": halves(
    numbered((index) => `<<t${index}>>\n`),
    numbered((index) => `[[t${index}]]\n`),
  ),
  "links to lines of code": (size) =>
    `#+begin_src x\n${numbered((index) => `a (ref:r${index})\n`)(size / 2)}#+end_src\n${numbered((index) => `[[(z${index})]]\n`)(size / 2)}`,
  "links without an end": again("[[a]["),
  "links in one line": again("[[a][b]] "),
  "plain links": again("https://a.b/(c) "),
  "radio targets": numbered((index) => `<<<t${index}>>> t${index}\n`),
  "radio targets of words that stand everywhere": halves(
    numbered((index) => `<<<a ${index}>>>\n`),
    again("a "),
  ),
  "radio targets of one letter": halves(
    numbered((index) => `<<<${String.fromCodePoint(0x4e00 + index)}>>> `),
    numbered((index) => String.fromCodePoint(0x4e00 + (index % 9000))),
  ),
  "a long radio target": halves((size) => `<<<${again("a ")(size)}b>>>`, again("a ")),
  "radio targets beyond the BMP": numbered((index) => `x😀<<<😀${index}>>> 😀${index} `),
  "footnote definitions": numbered((index) => `[fn:${index}] a\n`),
  "footnote references": halves(again("[fn:1] "), again("\n[fn:1] a\n")),
  "footnotes inside of footnotes": (size) => "[fn::*a ".repeat(size / 9) + "]".repeat(size / 9),
  "footnotes without a definition": numbered((index) => `a[fn:${index}] `),
  "tables with many rows": again("| a | b |\n"),
  "tables with many columns": (size) => `|${again(" a |")(size)}\n`,
  "tables with formulas": halves(again("| a |\n"), again("#+TBLFM: $1=$2\n")),
  "tables of table.el": again("+-+\n| a\n|\n"),
  "drawers that nothing closes": again(":a:\n"),
  drawers: again(":a:\nx\n:END:\n"),
  blocks: again("#+begin_src x\na\n#+end_src\n"),
  "blocks that nothing closes": again("#+begin_src\n"),
  "blocks of different names that nothing closes": numbered((index) => `#+begin_a${index}\n`),
  "dynamic blocks that nothing closes": again("#+begin: x\n"),
  "environments that nothing closes": numbered((index) => `\\begin{a${index}}\n`),
  items: again("- a\n"),
  "items inside of each other": numbered((index) => `${" ".repeat(index % 400)}- a\n`),
  "items that end deep": numbered((index) => `${" ".repeat((index * 37) % 300)}- a\n`),
  "numbered items with counters": again("1. [@5] [X] a :: b\n"),
  "check boxes": halves(again("* a [/]\n- [ ] b\n"), again("- [X] c\n")),
  "check boxes inside of each other": numbered((index) => `${" ".repeat(index % 300)}- [ ] a [/]\n`),
  timestamps: again("<2024-01-01 Mon 10:00-11:00 +1w> "),
  "timestamps with a year that is far": again("<9999-12-31 +1h> "),
  "timestamps that nothing closes": again("<2024-01-01 "),
  "ranges of days": again("<2024-01-01>--<2034-01-01>\n"),
  "diary stamps": again("<%%(a)> "),
  "diary stamps that nothing closes": again("<%%("),
  "planning lines": again("* a\nSCHEDULED: <2024-01-01> DEADLINE: <2024-01-02> CLOSED: [2024-01-03]\n"),
  "planning words": (size) => `* a\n${again("SCHEDULED: <2024-01-01> ")(size)}`,
  "planning that nothing closes": (size) => `* a\n${again("SCHEDULED: <2024-01-01 ")(size)}`,
  "clock lines": again("CLOCK: [2024-01-01 10:00]--[2024-01-01 11:00] =>  1:00\n"),
  "clock lines below headlines": again(
    "* a\n:LOGBOOK:\nCLOCK: [2024-01-01 10:00]--[2024-01-01 11:00] =>  1:00\n:END:\n",
  ),
  "emphasis that nothing closes": again("*a "),
  "emphasis of every kind that nothing closes": again("*a /b _c =d ~e +f "),
  "emphasis inside of emphasis": again("*/_+a+_/* "),
  stars: again("*"),
  brackets: again("["),
  "pointed brackets": again("<"),
  braces: again("{{{"),
  dollars: again("$a "),
  "underscores with braces": again("a_{"),
  "sub- and superscripts": again("a_b^c"),
  entities: again("\\alpha "),
  backslashes: again("\\"),
  macros: again("{{{a(b,c)}}} "),
  "macros that nothing closes": again("{{{a("),
  "macro definitions": numbered((index) => `#+MACRO: m${index} x\n`),
  citations: again("[cite/a:@b;@c] "),
  "citations that nothing closes": again("[cite:@a;"),
  "inline source": again("src_a[b]{c} "),
  "inline calls": again("call_a[b](c) "),
  "snippets that nothing closes": again("@@a:"),
  "statistics cookies": again("[1/2][50%] "),
  "affiliated keywords": again("#+name: x\n"),
  "affiliated keywords of one paragraph": (size) => `${again("#+attr_a: x\n")(size)}x`,
  "names that are the same": again("#+name: x\na\n\n"),
  keywords: again("#+a: b\n"),
  comments: again("# a\n"),
  rules: again("-----\n"),
  "inline tasks": again("*************** a\n*************** END\n"),
  "inline tasks that nothing closes": again("*************** a\n"),
  "blank lines": again("\n"),
  blanks: again(" "),
  tabs: again("\t- a\n"),
  "one long word": again("a"),
  "one long line of words": again("lorem ipsum "),
  "words beyond the BMP": again("😀 "),
  "halves of characters": again("\ud83d"),
  "combining marks": again("e\u0301"),
  "letters that change their length when they change case": again("İß "),
  "logs of states": again('- State "DONE" from "TODO" [2024-01-01 Mon 10:00]\n'),
  repeaters: again("* TODO a\nSCHEDULED: <2000-01-01 ++1d>\n"),
  habits: again("* TODO a\nSCHEDULED: <2024-01-01 .+1d/2d>\n:PROPERTIES:\n:STYLE: habit\n:END:\n"),
  "archive locations": again("#+ARCHIVE: x::\n"),
  "included files": again("#+INCLUDE: x\n"),
  "babel calls": again("#+CALL: a(b)\n"),
};
