import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeOutlineNotes, numbersFrom } from "../../../../test/org/outline-notes.ts";
import type { Outline } from "../outline/outline.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import { decodeOrgText, encodeOrgText } from "../text/org-text.ts";
import { type EditOptions, editOrg } from "./edit-org.ts";
import type { Operation } from "./operation.ts";
import { applySplices } from "./splice.ts";

const runs = Number(process.env["ORG_FUZZ"] ?? 400);
const now = { year: 2024, month: 1, day: 15, hour: 10, minute: 0 };

function edit(text: string, operations: readonly Operation[], options: Partial<EditOptions> = {}) {
  let ids = 0;
  const edited = editOrg(text, operations, { now, newId: () => `id-${++ids}`, ...options });
  assert.deepEqual(applySplices(text, edited.splices), { code: "spliced", text: edited.text });
  return edited;
}

/** What one operation makes of a text. */
function after(text: string, operation: Operation): string {
  const { text: result, refused } = edit(text, [operation]);
  assert.deepEqual(refused, []);
  return result;
}

test("a heading that came from elsewhere is not taken for one of the owner that has the same name or ID", () => {
  const id = ":PROPERTIES:\n:ID: same\n:END:\n";
  const page = "* Page\n:PROPERTIES:\n:ORIGIN: untrusted\n:END:\n** Mine\n";
  const done: Operation = { op: "todo", at: "same", state: "DONE" };
  assert.match(after(`${page}${id}* Mine\n${id}`, done), /\n\*\* Mine\n[^*]*\n\* DONE Mine\n/);
  assert.match(after(`${page}* Mine\n`, { ...done, at: "Mine" }), /\n\*\* Mine\n\* DONE Mine\n/);
  assert.match(after(`${page}${id}`, done), /\n\*\* DONE Mine\n/);
});

test("what cannot be done is refused with a reason, and the rest is done", () => {
  const { text, refused } = edit("* a\n* b\n", [
    { op: "todo", at: "nowhere", state: "DONE" },
    { op: "todo", at: "a", state: "NOPE" },
    { op: "schedule", at: "a", value: "some day" },
    { op: "tags", at: "a", value: ":not a tag:" },
    { op: "priority", at: "a", value: "Q" },
    { op: "put", at: "a", key: "two words", value: "x" },
    { op: "refile", at: "a", to: "a" },
    { op: "clock-out", at: "a" },
    { op: "checkbox", line: 99 },
    { op: "archive", at: "a" },
    { op: "promote", at: "a" },
    { op: "append", at: "a", text: "* smuggled" },
    { op: "todo", at: "b", state: "DONE" },
  ]);
  assert.equal(text, "* a\n* DONE b\n");
  assert.deepEqual(
    refused.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  for (const { reason } of refused) assert.match(reason, /\w+ \w+/);
});

test("a heading is found by its title, its ID and its CUSTOM_ID", () => {
  const text = "* a\n* b\n:PROPERTIES:\n:ID: x-1\n:CUSTOM_ID: here\n:END:\n";
  for (const at of ["b", "x-1", "here"]) {
    assert.match(after(text, { op: "todo", at, state: "DONE" }), /^\* a\n\* DONE b\n/);
  }
});

test("an entry goes under, after or before another, or to the end, and what it brings is raised or lowered", () => {
  const text = "* a\nbody\n** c\n* b\n";
  const insert = (where: "under" | "after" | "before") =>
    after(text, {
      op: "insert",
      at: "a",
      where,
      title: "TODO new :t:",
      text: "words\n*** deep\n**** deeper\n",
    });
  const tags = `${" ".repeat(77 - "* TODO new".length - 3)}:t:`;
  const under = `** TODO new${tags.slice(1)}\nwords\n*** deep\n**** deeper\n`;
  const beside = `* TODO new${tags}\nwords\n** deep\n*** deeper\n`;
  assert.equal(insert("under"), `* a\nbody\n** c\n${under}* b\n`);
  assert.equal(insert("after"), `* a\nbody\n** c\n${beside}* b\n`);
  assert.equal(insert("before"), `${beside}${text}`);
  assert.equal(after("* a", { op: "insert", title: "z" }), "* a\n* z");
});

test("pasted headings take the level of their place", () => {
  const paste = { op: "paste", at: "a", text: "*** x\ntext\n**** y\n" } as const;
  assert.equal(after("* a\n", paste), "* a\n** x\ntext\n*** y\n");
  assert.equal(after("* a\n", { ...paste, where: "after" }), "* a\n* x\ntext\n** y\n");
});

test("a subtree moves past its siblings, up and down a level, and gets another title", () => {
  const text = "* a\n** a1\n* TODO b :t:\n";
  assert.equal(after(text, { op: "move", at: "a", to: "down" }), "* TODO b :t:\n* a\n** a1\n");
  assert.equal(after("* a\n* b", { op: "move", at: "b", to: "up" }), "* b\n* a");
  assert.equal(after(text, { op: "demote", at: "a" }), "** a\n*** a1\n* TODO b :t:\n");
  assert.equal(after(text, { op: "promote", at: "a1" }), "* a\n* a1\n* TODO b :t:\n");
  const title = after(text, { op: "title", at: "b", value: "better" });
  assert.equal(title, `* a\n** a1\n* TODO better${" ".repeat(60)} :t:\n`);
});

test("text goes to the end of an entry's own text, or in its place", () => {
  const text = "* a\nSCHEDULED: <2024-01-15 Mon>\n:PROPERTIES:\n:ID: x\n:END:\nold\n\n** below\n";
  const meta = text.slice(0, text.indexOf("old"));
  assert.equal(after(text, { op: "append", at: "a", text: "new\n" }), `${meta}old\nnew\n\n** below\n`);
  assert.equal(after(text, { op: "body", at: "a", text: "new" }), `${meta}new\n\n** below\n`);
  assert.equal(after("* a", { op: "append", at: "a", text: "x" }), "* a\nx");
});

test("what is captured goes below its day, in a tree that grows in the order of days", () => {
  const capture = (title: string, date: string): Operation => ({ op: "capture", title, date });
  const days = [capture("x", "2024-01-15"), capture("y", "2024-01-03"), capture("z", "2023-12-31")];
  const { text } = edit("* other\n", [...days, { op: "capture", title: "w", text: "words" }]);
  const y23 = "* 2023\n** 2023-12 December\n*** 2023-12-31 Sunday\n**** z\n";
  const y24 =
    "* 2024\n** 2024-01 January\n*** 2024-01-03 Wednesday\n**** y\n*** 2024-01-15 Monday\n**** x\n**** w\nwords\n";
  assert.equal(text, `* other\n${y23}${y24}`);
});

test("an archived subtree goes to the file that its property or the keyword names, with where it came from", () => {
  const text =
    "#+ARCHIVE: %s_old::* From %s\n* p :t:\n** TODO a\nbody\n** b\n:PROPERTIES:\n:ARCHIVE: ::* Done\n:END:\n";
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    return "* From n.org\nkept\n";
  };
  const files = { name: "/notes/n.org", read };
  const edited = edit(
    text,
    [
      { op: "archive", at: "a" },
      { op: "archive", at: "b" },
    ],
    { files },
  );
  const [other] = edited.otherFiles;
  assert.deepEqual([asked, other?.path], [["n.org_old"], "n.org_old"]);
  assert.match(
    other?.text ?? "",
    /^\* From n\.org\nkept\n\n\*\* TODO a\n:PROPERTIES:\n:ARCHIVE_TIME: 2024-01-15 Mon 10:00\n:ARCHIVE_FILE: \/notes\/n\.org\n:ARCHIVE_OLPATH: p\n:ARCHIVE_CATEGORY: n\n:ARCHIVE_TODO: TODO\n:ARCHIVE_ITAGS: t\n:END:\nbody\n$/,
  );
  assert.match(edited.text, /\n\* Done\n\n\*\* b +:t:\n:PROPERTIES:\n/);
});

test("a clock runs on from one edit to the next, and is stopped at its entry", () => {
  const begun = after("* a\n* b\n", { op: "clock-in", at: "a" });
  assert.equal(begun, "* a\n:LOGBOOK:\nCLOCK: [2024-01-15 Mon 10:00]\n:END:\n* b\n");
  assert.equal(edit(begun, [{ op: "clock-in", at: "b" }]).refused.length, 1);
  const later = { now: { ...now, hour: 11, minute: 5 } };
  const stopped = edit(begun, [{ op: "clock-out", at: "a" }], later);
  assert.match(stopped.text, /CLOCK: \[2024-01-15 Mon 10:00\]--\[2024-01-15 Mon 11:05\] => {2}1:05\n/);
});

test("a note goes with what is logged", () => {
  const text = "#+TODO: TODO | DONE(d@)\n* TODO a\n";
  assert.equal(
    after(text, { op: "todo", at: "a", state: "DONE", note: "all is well\ntruly" }),
    '#+TODO: TODO | DONE(d@)\n* DONE a\n- State "DONE"       from "TODO"       [2024-01-15 Mon 10:00] \\\\\n  all is well\n  truly',
  );
});

test("a record at the end of a file takes its last line feed, as in an Emacs buffer, unless that is to stay", () => {
  const text = "#+TODO: TODO | DONE(d!)\n* TODO a\n";
  const done: readonly Operation[] = [{ op: "todo", at: "a", state: "DONE" }];
  assert.match(edit(text, done).text, /10:00\]$/);
  assert.match(edit(text, done, { keepFinalNewline: true }).text, /10:00\]\n$/);
});

test("a list of variables for Emacs stays at the end of the file", () => {
  const end = "# Local Variables:\n# fill-column: 80\n# End:\n";
  assert.equal(after(`* a\n* b\n${end}`, { op: "refile", at: "a", to: "b" }), `* b\n** a\n${end}`);
  assert.equal(after(`* a\n* b\n${end}`, { op: "refile", at: "b", to: "a" }), `* a\n** b\n${end}`);
});

test("line ends and a byte order mark stay", () => {
  const bytes = Buffer.from("\uFEFF* TODO a\r\nbody\r\n* b");
  const source = decodeOrgText(bytes);
  const { text } = edit(source.text, [{ op: "schedule", at: "a", value: "2024-02-01" }]);
  const expected = "\uFEFF* TODO a\r\nSCHEDULED: <2024-02-01 Thu>\r\nbody\r\n* b";
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeOrgText({ ...source, text })),
    expected,
  );
});

test("splices that do not find what they expect change nothing", () => {
  const text = "* a\n* b\n* c\n";
  const { splices } = edit(text, [{ op: "todo", at: "b", state: "DONE" }]);
  assert.equal(applySplices("* a\n* B\n* c\n", splices).code, "conflict");
  assert.equal(applySplices("", splices).code, "conflict");
  const elsewhere = applySplices("* A\n* b\n* C\n", splices);
  assert.deepEqual(elsewhere, { code: "spliced", text: "* A\n* DONE b\n* C\n" });
});

const anySeed = fc.integer({ min: 1, max: 1_000_000 });
const kinds: readonly ((at: string, to: string) => Operation)[] = [
  (at) => ({ op: "todo", at, state: "DONE" }),
  (at) => ({ op: "todo", at, state: "" }),
  (at) => ({ op: "schedule", at, value: "<2024-02-01 Thu +1w>" }),
  (at) => ({ op: "deadline", at, value: "" }),
  (at) => ({ op: "tags", at, value: ":x:y:" }),
  (at) => ({ op: "priority", at, value: "A" }),
  (at) => ({ op: "put", at, key: "KEY", value: "v" }),
  (at) => ({ op: "delete-property", at, key: "ID" }),
  (at) => ({ op: "id", at }),
  (at) => ({ op: "clock-in", at }),
  (at) => ({ op: "clock-out", at }),
  (at) => ({ op: "archive-tag", at }),
  (at) => ({ op: "title", at, value: "new" }),
  (at) => ({ op: "append", at, text: "more" }),
  (at) => ({ op: "body", at, text: "all" }),
  (at, to) => ({ op: "refile", at, to }),
  (at) => ({ op: "archive-sibling", at }),
  (at) => ({ op: "archive", at }),
  (at) => ({ op: "insert", at, title: "n" }),
  (at) => ({ op: "paste", at, text: "* p\n" }),
  (at) => ({ op: "move", at, to: "down" }),
  (at) => ({ op: "promote", at }),
  (at) => ({ op: "demote", at }),
  (at) => ({ op: "capture", title: at.slice(0, 3) || "c" }),
  (at) => ({ op: "checkbox", line: at.length + 1 }),
];
/** Those that change their own entry and nothing else, the counts of the headings above it aside. */
const local = kinds.slice(0, 15);

test("an edit changes only the lines of its entry", () => {
  fc.assert(
    fc.property(anySeed, fc.nat(), fc.nat(), (seed, choice, which) => {
      const outline = scanOutline(makeOutlineNotes(seed).replaceAll(/\[\d*(?:%|\/\d*)\]/g, ""));
      const { text, headlines } = outline;
      const headline = headlines[which % Math.max(1, headlines.length)];
      if (headline === undefined || headline.title === "") return;
      if (firstWith(outline, headline.title) !== headline.index) return;
      const make = local[choice % local.length];
      const changed = edit(text, make === undefined ? [] : [make(headline.title, "")]).text;
      const { begin, sectionEnd } = headline;
      assert.equal(changed.slice(0, begin), text.slice(0, begin));
      const below = text.slice(sectionEnd);
      assert.equal(changed.slice(changed.length - below.length), below);
    }),
    { numRuns: runs },
  );
});

test("any operations on any text end in a text whose splices give it, and never throw", () => {
  fc.assert(
    fc.property(anySeed, fc.array(fc.nat(), { maxLength: 6 }), (seed, choices) => {
      const text = makeOutlineNotes(seed);
      const titles = scanOutline(text).headlines.map(({ title }) => title);
      const random = numbersFrom(seed);
      const any = () => titles[Math.floor(random() * titles.length)] ?? "none";
      const operations = choices.flatMap((choice) => kinds[choice % kinds.length]?.(any(), any()) ?? []);
      edit(text, operations, { files: { name: "n.org", read: () => "" } });
      edit(text, operations, { logDone: "note", logIntoDrawer: true });
    }),
    { numRuns: runs },
  );
});

test("what is set is found again", () => {
  fc.assert(
    fc.property(anySeed, fc.nat(), (seed, which) => {
      const { text, headlines } = scanOutline(makeOutlineNotes(seed));
      const headline = headlines[which % Math.max(1, headlines.length)];
      if (headline === undefined || headline.title === "") return;
      const { index } = headlines.find(({ title }) => title === headline.title) ?? headline;
      const operations: Operation[] = [{ op: "put", at: headline.title, key: "KEY", value: "the value" }];
      const found = scanOutline(edit(text, operations).text).headlines[index];
      const property = found?.properties?.properties.find(({ name }) => name.toUpperCase() === "KEY");
      assert.equal(property?.value, "the value");
    }),
    { numRuns: runs },
  );
});

function firstWith({ headlines }: Outline, title: string): number {
  return headlines.findIndex((headline) => headline.title === title);
}
