import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeOutlineNotes, numbersFrom } from "../../../../test/org/outline-notes.ts";
import { leastTime } from "../../../../test/processor-time.ts";
import { linksByEntry } from "../links/links.ts";
import { readEntries } from "./entries.ts";
import type { Headline, Outline } from "./outline.ts";
import { scanOutline } from "./scan-outline.ts";
import { findTimestamps } from "./scan-timestamp.ts";

const fuzzed = Number(process.env["ORG_FUZZ"] ?? 3000);

function only(text: string): Headline {
  const { headlines } = scanOutline(text);
  assert.equal(headlines.length, 1);
  const [headline] = headlines;
  assert.ok(headline !== undefined);
  return headline;
}

test("a headline is read with all of its tokens, each with its range", () => {
  const text =
    "#+TODO: TODO NEXT | DONE\n* NEXT [#A] COMMENT A title [1/2]  :a:b:\n  SCHEDULED: <2024-01-01 Mon>\n" +
    ":PROPERTIES:\n:ID: x\n:END:\n:LOGBOOK:\nCLOCK: [2024-01-01 Mon 10:00]--[2024-01-01 Mon 11:30] =>  1:30\n:END:\nbody\n** sub\n";
  const outline = scanOutline(text);
  const [first, second] = outline.headlines;
  assert.ok(first !== undefined && second !== undefined);
  const at = (range: { begin: number; end: number } | null | undefined) =>
    range && text.slice(range.begin, range.end);
  assert.equal(at(first.todo), "NEXT");
  assert.equal(at(first.priority), "[#A]");
  assert.equal(first.priority?.value, "A");
  assert.equal(at(first.comment), "COMMENT");
  assert.equal(first.title, "A title [1/2]");
  assert.equal(at(first.titleRange), first.title);
  assert.equal(at(first.rawTitleRange), first.title);
  assert.equal(at(first.tags), ":a:b:");
  assert.deepEqual(first.tags?.names, ["a", "b"]);
  assert.equal(at(first.planning), "  SCHEDULED: <2024-01-01 Mon>\n");
  assert.equal(at(first.planning?.scheduled), "<2024-01-01 Mon>");
  assert.equal(at(first.properties), ":PROPERTIES:\n:ID: x\n:END:\n");
  assert.deepEqual(
    first.properties?.properties.map(({ nameRange, valueRange }) => [at(nameRange), at(valueRange)]),
    [["ID", "x"]],
  );
  assert.match(at(first.logbook) ?? "", /^:LOGBOOK:\n[\s\S]*:END:\n$/);
  assert.equal(first.clocks[0]?.minutes, 90);
  assert.deepEqual([first.end, first.sectionEnd, second.parent], [text.length, second.begin, first.index]);
  assert.equal(outline.sectionEnd, first.begin);
});

test("what only looks like a token is part of the title", () => {
  assert.equal(only("* todo x").title, "todo x");
  assert.equal(only("* TODOx").todo, null);
  assert.equal(only("* TODO\tx").todo, null);
  assert.equal(only("* COMMENTx").comment, null);
  assert.equal(only("* x :a b:").tags, null);
  assert.equal(only("* x :a-b:").tags, null);
  assert.equal(only("* x:a:").tags, null);
  assert.equal(only("* [#65] x").priority, null);
  assert.equal(scanOutline("*\n*x\n *  y\n*\tz\n").headlines.length, 0);
});

test("a priority counts anywhere in the line, and its title is what Emacs's commands show", () => {
  const text = "* TODO read [#B] this";
  const { priority, title, rawTitleRange } = only(text);
  assert.equal(priority?.value, "B");
  assert.equal(title, "read [#B] this");
  assert.equal(text.slice(rawTitleRange.begin, rawTitleRange.end), "this");
});

test("a drawer of properties counts only where it belongs, and only whole", () => {
  const id = (text: string) => only(text).properties?.properties[0]?.value ?? null;
  assert.equal(id("* a\n:PROPERTIES:\n:ID: x\n:END:"), "x");
  assert.equal(id("* a\n\tSCHEDULED: <2024-01-01>\n  :properties:\n  :ID:   x  \n  :end:  \n"), "x");
  assert.equal(id("* a\n\n:PROPERTIES:\n:ID: x\n:END:\n"), null);
  assert.equal(id("* a\ntext\n:PROPERTIES:\n:ID: x\n:END:\n"), null);
  assert.equal(id("* a\n:PROPERTIES:\n:ID: x\nbroken\n:END:\n"), null);
  assert.equal(id("* a\n:PROPERTIES:\n:ID: x\n"), null);
  assert.equal(id("* a\n:PROPERTIES:\r\n:ID: x\r\n:END:\r\n"), null);
  assert.equal(scanOutline("\n# c\n:PROPERTIES:\n:ID: f\n:END:\n* a").properties?.properties[0]?.value, "f");
  assert.equal(scanOutline("text\n:PROPERTIES:\n:ID: f\n:END:\n").properties, null);
});

test("keywords count anywhere but in blocks whose contents are not Org", () => {
  const words = (text: string) => scanOutline(text).settings.todo.map(({ word }) => word);
  assert.deepEqual(words("* a\n#+todo: A | B\n"), ["A", "B"]);
  assert.deepEqual(words("#+begin_quote\n#+TODO: A | B\n#+end_quote\n"), ["A", "B"]);
  assert.deepEqual(words("#+begin_src x\n#+TODO: A | B\n#+end_src\n"), ["TODO", "DONE"]);
  assert.deepEqual(words("#+begin_src x\n#+TODO: A | B\n* a\n#+end_src\n"), ["A", "B"]);
  assert.deepEqual(words("#+TODO: A\n#+TYP_TODO: T | U\n#+SEQ_TODO: B C\n"), ["T", "U", "A", "B", "C"]);
});

test("TODO words come with their keys, their logging and whether they are done", () => {
  const { todo } = scanOutline("#+TODO: TODO(t) WAIT(w@/!) | DONE(d!) CANC(c@)\n").settings;
  const row = ({ word, done, key, enter, leave }: (typeof todo)[number]) => [word, done, key, enter, leave];
  assert.deepEqual(todo.map(row), [
    ["TODO", false, "t", null, null],
    ["WAIT", false, "w", "note", "time"],
    ["DONE", true, "d", "time", null],
    ["CANC", true, "c", "note", null],
  ]);
});

test("what a file's keywords set is all there", () => {
  const { settings } = scanOutline(
    '#+TITLE: A\n#+TITLE: b\n#+FILETAGS: :x:y: z\n#+PROPERTY: p 1\n#+PROPERTY: p+ 2\n#+LINK: "a b" http://%s\n#+LINK: c d\n' +
      "#+CATEGORY: one\n#+CATEGORY: two\n#+ARCHIVE: x::\n#+STARTUP: logdone nolog\n#+DEPENDS_ON: u v\n#+PRIORITIES: 1 9 5\n",
  );
  const { title, tags, properties, links, category, archive, startup, dependsOn, priorities } = settings;
  assert.deepEqual([title, category, archive], ["A b", "two", "x::"]);
  assert.deepEqual(
    [tags, startup, dependsOn],
    [
      ["x", "y", "z"],
      ["logdone", "nolog"],
      ["u", "v"],
    ],
  );
  assert.deepEqual([...properties], [["P", "1 2"]]);
  assert.deepEqual(Object.fromEntries(links), { "a b": "http://%s", c: "d" });
  assert.deepEqual(priorities, { highest: "1", lowest: "9", default: "5" });
});

test("fifteen stars are a headline, and with inline tasks none", () => {
  const text = `* a\n${"*".repeat(15)} TODO task\n* b\n`;
  assert.deepEqual(
    scanOutline(text).headlines.map(({ level }) => level),
    [1, 15, 1],
  );
  assert.deepEqual(
    scanOutline(text, { inlineTasks: true }).headlines.map(({ title, sectionEnd }) => [title, sectionEnd]),
    [
      ["a", text.indexOf("* b")],
      ["b", text.length],
    ],
  );
});

/** Every range is inside what holds it; sections follow each other without a gap; subtrees end where the next headline of their level begins. */
function checkShape({ text, headlines, sectionEnd }: Outline): void {
  let at = sectionEnd;
  for (const [index, headline] of headlines.entries()) {
    const { begin, end, level, lineEnd, parent } = headline;
    assert.deepEqual([headline.index, begin], [index, at]);
    at = headline.sectionEnd;
    assert.ok(
      begin < lineEnd && lineEnd <= headline.sectionEnd && headline.sectionEnd <= end && end <= text.length,
    );
    const next = headlines.slice(index + 1).find((other) => other.level <= level);
    assert.equal(end, next?.begin ?? text.length);
    const above = headlines.slice(0, index).findLast((other) => other.level < level);
    assert.equal(parent, above?.index ?? -1);
    const { todo, priority, comment, titleRange, rawTitleRange, tags } = headline;
    for (const range of [todo, priority, comment, titleRange, rawTitleRange, tags]) {
      if (range !== null) assert.ok(begin < range.begin && range.begin <= range.end && range.end <= lineEnd);
    }
    const { planning, properties, logbook, clocks } = headline;
    for (const range of [planning, properties, logbook, ...clocks]) {
      if (range !== null) assert.ok(lineEnd <= range.begin && range.begin < range.end && range.end <= at);
    }
    if (properties !== null) assert.equal(properties.begin, planning?.end ?? lineEnd);
  }
  assert.equal(at, text.length);
}

test("any text has an outline, of which every part is in its place", () => {
  const random = numbersFrom(Number(process.env["ORG_SEED"] ?? 1));
  for (let seed = 0; seed < fuzzed; seed += 1) {
    const text = mutate(makeOutlineNotes(seed, 5), random);
    const outline = scanOutline(text, { inlineTasks: seed % 4 === 0 });
    checkShape(outline);
    readEntries(outline, "file");
    for (const { begin, end } of [...linksByEntry(outline).values()].flat()) {
      assert.ok(begin < end && end <= text.length);
    }
    for (const { begin, end, raw } of findTimestamps(text, { begin: 0, end: text.length })) {
      assert.equal(text.slice(begin, end), raw);
    }
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => checkShape(scanOutline(text))),
    { numRuns: 500 },
  );
});

function mutate(text: string, random: () => number): string {
  let mutated = text;
  for (let times = Math.floor(random() * 6); times > 0; times -= 1) {
    const at = Math.floor(random() * mutated.length);
    const end = at + Math.floor(random() * 8);
    const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
    mutated = mutated.slice(0, at) + piece + mutated.slice(random() < 0.5 ? at : end);
  }
  return mutated;
}

const pieces = [
  "",
  "",
  "*",
  "* ",
  "\n* ",
  "\n",
  "\r\n",
  "\r",
  "\t",
  " ",
  ":",
  "::",
  ":END:",
  "#+",
  "#+begin_src\n",
  "<",
  "[",
  "]",
  "<2024-01-15",
  "--",
  "<%%(",
  ")>",
  "\u2028",
  "\u0000",
  "\uDC80",
  "\uD83D",
  "😀",
  "[[",
  "]]",
  "\\",
  "=",
  "[cite:@",
];

const hostile: Readonly<Record<string, (size: number) => string>> = {
  "one line of stars": (size) => "*".repeat(20 * size),
  "lines of stars": (size) => "*\n".repeat(10 * size),
  "many headlines": (size) => "* h\n".repeat(3 * size),
  "headlines without a drawer's end": (size) => "* h\n:PROPERTIES:\n:a: b\n".repeat(size),
  "a long drawer": (size) => `* h\n:PROPERTIES:\n${":a: b\n".repeat(4 * size)}`,
  "a line of colons": (size) => `* h ${":".repeat(20 * size)}`,
  "a line of single colons": (size) => `* h${" :".repeat(10 * size)}`,
  "a line of blanks": (size) => `* h${" ".repeat(20 * size)}x\n#+TODO: ${" ".repeat(20 * size)}x\n`,
  "a line of priorities": (size) => `* ${"[#".repeat(10 * size)}`,
  "open blocks": (size) => "#+begin_src\n".repeat(2 * size),
  "open blocks, each in its section": (size) => "* h\n#+begin_src\n#+begin_example\n".repeat(size),
  "open logbooks": (size) => "* h\n:LOGBOOK:\n".repeat(size),
  "an open logbook after the other": (size) => `* h\n${":LOGBOOK:\n".repeat(3 * size)}`,
  "clocks between blocks": (size) => `* h\n${"#+begin_src\n#+end_src\nCLOCK: [2024-01-01 x]\n".repeat(size)}`,
  "a line of open clocks": (size) => `* h\n${"CLOCK: [2024-01-01 ]--".repeat(size)}\n`,
  "a line of planning": (size) => `* h\nDEADLINE: <2024-01-01 ${"DEADLINE: <2024-01-01 ".repeat(size)}\n`,
  "open diary stamps": (size) => `* h\nDEADLINE: ${"<%%(".repeat(4 * size)}\n`,
  "diary stamps without an end": (size) => `* h\n${"<%%()".repeat(4 * size)}\n${"<%%(".repeat(4 * size)}>`,
  "many TODO words": (size) =>
    `#+TODO:${Array.from({ length: 2 * size }, (_, n) => ` W${n}`).join("")}\n* W5 x\n`,
  "many keywords": (size) => "#+PROPERTY: a+ b\n".repeat(size),
  "open links": (size) => `[[a][${"[[a][".repeat(3 * size)}\n${"[[".repeat(3 * size)}`,
  "backslashes in links": (size) => `[[${"\\".repeat(10 * size)}[[a${"\\]".repeat(5 * size)}`,
  "open citations": (size) => "[cite:@a ".repeat(size),
  "open verbatim text": (size) => "=a ".repeat(4 * size),
  "links in parentheses": (size) => "http:a(".repeat(2 * size),
  "punctuation after a link": (size) => `http:a${".".repeat(10 * size)}${"http:.".repeat(size)}`,
};

for (const [what, make] of Object.entries(hostile)) {
  test(`time grows with the text and no faster: ${what}`, async () => {
    const read = (size: number, enough?: number) => {
      const text = make(size);
      return leastTime(() => {
        const outline = scanOutline(text);
        readEntries(outline, "file");
        linksByEntry(outline);
        findTimestamps(text, { begin: 0, end: text.length });
      }, enough);
    };
    await read(400);
    // Ten times the text: forty times the time leaves a wide margin; a square would take a hundred times.
    // Both
    // are measured again where the processor may have been slower for the second: a square stays one.
    const isInBound = async (): Promise<boolean> => {
      const bound = 40 * Math.max(await read(800), 1);
      return (await read(8000, bound)) < bound;
    };
    assert.ok((await isInBound()) || (await isInBound()) || (await isInBound()));
  });
}
