import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanOutline } from "../outline/scan-outline.ts";
import { compilePattern } from "../outline/tag-pattern.ts";
import { compileQuery } from "./compile-query.ts";
import { parseQuery } from "./parse-query.ts";
import { queryEntries } from "./query-entries.ts";
import { sparseTree } from "./sparse-tree.ts";

const notes = `#+FILETAGS: :file:
#+TODO: TODO NEXT | DONE
* Work :work:
** TODO [#A] Write report :urgent:
SCHEDULED: <2024-01-10 Wed> DEADLINE: <2024-01-20 Sat 12:00>
:PROPERTIES:
:Effort: 1:30
:my-key: a/b
:Note: one
:Note+: two
:END:
The budget is small.
** NEXT Call Ada :phone:boss:
Since <2024-01-16 Tue>.
* DONE COMMENT Old
CLOSED: [2024-01-12 Fri 10:00]
* Home
:PROPERTIES:
:CATEGORY: house
:Empty: nil
:END:
** TODO Paint
`;

const outline = scanOutline(notes);
const entries = queryEntries(outline, { file: "notes.org", category: "notes" });

function find(expression: string): readonly string[] {
  const read = parseQuery(expression);
  assert.ok("query" in read, `${expression} reads`);
  const matches = compileQuery(read.query, { today: "2024-01-15", minutes: 720 });
  return entries.filter(matches).map(({ headline }) => headline.title.split(" ")[0] ?? "");
}

test("the last line of a property counts, as in Emacs's own lookups", () => {
  const doubled = scanOutline("* a\n:PROPERTIES:\n:Size: 1\n:Size: 2\n:Size+: m\n:END:\n");
  const [entry] = queryEntries(doubled, { file: "a.org", category: "a" });
  assert.equal(entry?.property("SIZE"), "2 m");
});

const cases: readonly [expression: string, found: string][] = [
  ["", "Work Write Call Old Home Paint"],
  ["work", "Work Write Call"],
  ["file-work", "Old Home Paint"],
  ["+work-urgent&-boss", "Work"],
  ["urgent|boss", "Write Call"],
  [":work:boss", "Call"],
  [":work:boss:/NEXT", "Call"],
  ["{^U}", "Write"],
  ["-{r}", "Old Home Paint"],
  ["work/TODO", "Write"],
  ["/!", "Write Call Paint"],
  ["/NEXT|DONE", "Call Old"],
  ["/-TODO", "Work Call Old Home"],
  ["/{O$}", "Write Paint"],
  ["work/!{T}-NEXT", "Write"],
  ['TODO="DONE"', "Old"],
  ["LEVEL=1", "Work Old Home"],
  ["LEVEL>1-work", "Paint"],
  ['PRIORITY="A"', "Write"],
  ['PRIORITY="B"/!', "Call Paint"],
  ['CATEGORY="house"', "Home Paint"],
  ["Effort<2+Effort>0", "Write"],
  ['Effort=*"1:30"', "Write"],
  ["Effort<*9", "Write"],
  ['my\\-key="a/b"', "Write"],
  ['NOTE="one two"', "Write"],
  ['EMPTY<>""', ""],
  ["ITEM={^c.*a$}", "Call"],
  ["ITEM<>{e}", "Work Call Paint"],
  ['SCHEDULED<"<today>"', "Write"],
  ['DEADLINE<="<+5d>"', ""],
  ['DEADLINE<="<+1w>"', "Write"],
  ['DEADLINE>"<2024-01-20 Sat 11:00>"', "Write"],
  ['CLOSED>="<-3d>"', "Old"],
  ['TIMESTAMP="<tomorrow>"', "Call"],
  ['DEADLINE<>"<today>"', "Write"],
  ['"BUDGET is"', "Write"],
  ['"ada" OR "budget"', "Write Call"],
  ["work AND NOT (urgent OR boss)", "Work"],
  ["(urgent|boss) -phone", "Write"],
  ["( work ) & ( {^p} )", "Call"],
  ["LEVEL = 1 & work", "Work"],
];

for (const [expression, found] of cases) {
  test(`the query ${expression || "of nothing"} finds ${found || "nothing"}`, () => {
    assert.equal(find(expression).join(" "), found);
  });
}

test("the tag of a group finds what has one of its members", () => {
  const groups = "#+TAGS: [ errand : Phone {^url?gen} ] [ all : errand ]\n";
  const grouped = queryEntries(scanOutline(groups + notes), { file: "notes.org", category: "notes" });
  const titles = (expression: string): string => {
    const read = parseQuery(expression);
    assert.ok("query" in read);
    return grouped
      .filter(compileQuery(read.query, { today: "2024-01-15", minutes: 0 }))
      .map(({ headline }) => headline.title.split(" ")[0])
      .join(" ");
  };
  assert.equal(titles("errand"), "Write Call");
  assert.equal(titles("work-all"), "Work");
  assert.equal(titles("{all}"), "");
  assert.equal(titles("phone"), "Call");
});

test("hours are counted from now", () => {
  const read = parseQuery('CLOSED<"<-72h>"');
  assert.ok("query" in read);
  for (const [minutes, matched] of [
    [599, false],
    [601, true],
  ] as const) {
    const matches = compileQuery(read.query, { today: "2024-01-15", minutes });
    assert.equal(entries.some(matches), matched);
  }
});

const wrong: readonly [expression: string, at: number, expected: RegExp][] = [
  ["work+", 6, /a tag, a property/],
  ["work+(a", 8, /\) for the \( at 6/],
  ["a)", 2, /the end/],
  ["{a", 2, /a pattern and \}/],
  ["{a\\(b}", 6, /\\\)/],
  ["{a\\)b}", 3, /\\\( before/],
  ["{[a}", 4, /\]/],
  ["{\\(a\\)\\1}", 8, /none of \\1/],
  ["PRIORITY=A", 10, /a number, "text"/],
  ["a||b", 3, /a tag/],
  ["/!+", 4, /a TODO word/],
  ["a/TODO/NEXT", 7, /the end/],
  ['"open', 1, /a tag/],
];

for (const [expression, at, expected] of wrong) {
  test(`the query ${expression} is wrong at character ${at}`, () => {
    const read = parseQuery(expression);
    assert.ok("problem" in read, `${expression} does not read`);
    assert.equal(read.problem.at, at);
    assert.match(read.problem.expected, expected);
  });
}

test("any text is read or refused at a place in it", () => {
  const piece = fc.constantFrom(
    ...'()|&+-/!{}"=<>*\\: aB1_@%',
    "AND ",
    "OR ",
    "NOT ",
    "<today>",
    "{a\\|b}",
    '"x"',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const read = parseQuery(text);
      if ("problem" in read) assert.ok(read.problem.at >= 1 && read.problem.at <= text.length + 1);
      else entries.filter(compileQuery(read.query, { today: "2024-01-15", minutes: 0 }));
    }),
    { numRuns: 3000 },
  );
});

/** What a pattern of Emacs is in JavaScript, for those that both have. */
function toJavaScript(pattern: string): RegExp {
  const swapped = pattern.replaceAll(/\\?[()|{}]/g, (sign) =>
    sign.length === 2 ? sign.slice(1) : `\\${sign}`,
  );
  return new RegExp(swapped, "i");
}

test("a pattern matches what the same regular expression matches", () => {
  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\b", "\\w", "c");
  const pattern = fc.letrec<{ one: string; many: string }>((tie) => ({
    one: fc.oneof(
      { depthSize: "small" },
      atom,
      fc.tuple(tie("one"), fc.constantFrom("*", "+", "?")).map(([one, sign]) => `\\(${one}\\)${sign}`),
      fc.tuple(tie("many"), tie("many")).map(([one, other]) => `\\(${one}\\|${other}\\)`),
    ),
    many: fc.array(tie("one"), { minLength: 1, maxLength: 3 }).map((ones) => ones.join("")),
  })).many;
  fc.assert(
    fc.property(pattern, fc.stringMatching(/^[abc -]{0,10}$/), (source, text) => {
      const compiled = compilePattern(`^${source}$`);
      assert.ok("test" in compiled, source);
      assert.equal(compiled.test(text), toJavaScript(`^${source}$`).test(text));
    }),
    { numRuns: 2000 },
  );
});

test("a pattern that makes others slow takes time in proportion to the text", () => {
  const compiled = compilePattern("^\\(\\(a+\\)+\\)+$");
  assert.ok("test" in compiled);
  assert.equal(compiled.test(`${"a".repeat(20_000)}b`), false);
  assert.equal(compiled.test("a".repeat(20_000)), true);
});

test("a pattern that is too long is refused", () => {
  const read = parseQuery(`{${"a".repeat(2000)}}`);
  assert.ok("problem" in read);
});

test("a sparse tree shows what matches with the headings above, as they are written", () => {
  const matches = entries.filter(({ headline }) => ["Paint", "Call Ada"].includes(headline.title));
  const tree = sparseTree(
    outline,
    matches.map(({ headline }) => headline),
  );
  assert.equal(tree, "* Work :work:\n** NEXT Call Ada :phone:boss:\n* Home\n** TODO Paint");
});
