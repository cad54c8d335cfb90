import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "../../test/processor-time.ts";
import { labelOfLargeText } from "./label-of-large-text.ts";
import { readTextMarks } from "./label-of-text.ts";

const tags = ["@personal", "journal"];
const secrecyOf = (text: string) => readTextMarks(text, tags).secrecy;
const eachLine = (text: string, prefix: string) => text.replaceAll(/^/gm, prefix);
const note = "* Plans\nin public\n** Health :work:@personal:\nthe lump grew\n* More\nfree words";

const carriers: Readonly<Record<string, string>> = {
  "as it is": note,
  "a diff": eachLine(note, "+"),
  "a removed part": eachLine(note, "-"),
  "a part that stays": eachLine(note, " "),
  "grep -n": eachLine(note, "p.org:3:"),
  "grep with context": eachLine(note, "notes/p.org-3-"),
  "git grep of a commit": eachLine(note, "HEAD~2:deep/p.org:3:"),
  "git blame": eachLine(note, "^3f2a9c1d (Ada Lovelace 2026-02-10 10:11:12 +0100 7) "),
  "cat -n": eachLine(note, "     7\t"),
  "cat -A": note.replaceAll("\n", "$\n"),
  "a mail": eachLine(note, ">> "),
  CRLF: note.replaceAll("\n", "\r\n"),
  JSON: JSON.stringify({ text: note }),
  colours: note.replaceAll(/^(\*.*)$/gm, "\u001b[32m$1\u001b[m"),
  "colours in words": note.replaceAll("personal", "per\u001b[01;31m\u001b[Kson\u001b[m\u001b[Kal"),
  "UTF-16 without a mark": Buffer.from(note, "utf16le").toString(),
  "UTF-16 of the other order": Buffer.from(note, "utf16le").swap16().toString(),
  "UTF-16 within other text": `Contents:\n${Buffer.from(`\ufeff${note}`, "utf16le").toString()}`,
  "upper case": note.toUpperCase(),
};

for (const [name, text] of Object.entries(carriers)) {
  test(`a headline with a privacy tag makes a text private through ${name}`, () => {
    const { secrecy, parts } = readTextMarks(text, tags);
    assert.equal(secrecy, "private");
    assert.match(parts.join("\n"), /lump/i);
    assert.doesNotMatch(parts.join("\n"), /free words|in public/i);
  });
}

test("file tags, archived tags and :crypt: count", () => {
  assert.equal(secrecyOf("+#+FileTags: :a:@personal:\n+words"), "private");
  assert.equal(secrecyOf("#+filetags: journal"), "private");
  assert.equal(secrecyOf("* Old\n:PROPERTIES:\n:ARCHIVE_ITAGS: work @personal\n:END:\nwords"), "private");
  assert.equal(secrecyOf("p.org:3:* Codes :crypt:"), "secret");
});

const heads = [
  '---\ntitle: Health\ntags: ["@personal", work]\n---\nthe lump grew',
  "---\ntags:\n  - work\n  - '@personal'\n---\nthe lump grew",
  "---\ntags:\n- @personal/health\n---\nthe lump grew",
  "---\nTags: work, @personal\n---\nthe lump grew",
  "---\ntags: [\n  work,\n  '@personal',\n]\n---\nthe lump grew",
  '+++\ntags = ["@personal"]\n+++\nthe lump grew',
  "title: Health\ntags:    work  journal\n-----------\nthe lump grew",
  "---\nkeywords: [journal]\n---\nthe lump grew",
  "# Health\nthe lump grew\n\n#@personal",
  "# Health #work #@personal/knee\nthe lump grew",
];

test("tags in the head of a note that is no Org file, and its hashtags, make all of it private", () => {
  for (const text of heads) {
    for (const prefix of ["", "+", "> ", "h.md:3:", "     7\t"]) {
      const { secrecy, parts } = readTextMarks(eachLine(text, prefix), tags);
      assert.equal(secrecy, "private", `${prefix} ${text}`);
      assert.match(parts.join("\n"), /lump/);
    }
    assert.equal(secrecyOf(JSON.stringify({ text })), "private");
  }
  const both = `diff --git a/a.md b/a.md\n+free words\ndiff --git a/h.md b/h.md\n${eachLine(heads[0] ?? "", "+")}`;
  assert.doesNotMatch(readTextMarks(both, tags).parts.join("\n"), /free/);
  assert.equal(readTextMarks("the lump #journal", tags, { isMarkdown: true }).secrecy, "private");
  assert.equal(readTextMarks("the lump #crypt", tags, { isMarkdown: true }).secrecy, "secret");
});

const exports = {
  html: `<h2 id="a1">Tea</h2>\n<p>free words</p>\n<h2 id="a2">Knee&#xa0;&#xa0;&#xa0;<span class="tag"><span class="work">work</span>&#xa0;<span class="personal">@personal</span></span></h2>\n<p>the lump grew</p>\n<h3>More</h3>\n<p>the lump</p>\n<h2>In public</h2>`,
  pandoc: `<h1 id="knee">Knee <span class="tag" data-tag-name="@personal"><span class="smallcaps">@personal</span></span></h1>\n<p>the lump grew</p>\n<h1>In public</h1>`,
  latex: `\\section{Tea}\nfree words\n\\section[Knee]{Knee\\hfill{}\\textsc{work:@personal}}\nthe lump grew\n\\section{In public}`,
  ics: "BEGIN:VEVENT\nSUMMARY:free words\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:the lump grew\nCATEGORIES:work,@personal\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:in public\nEND:VEVENT",
  foldedIcs: "BEGIN:VTODO\r\nSUMMARY:the lump grew\r\nCATEGORIES:work,\r\n journal\r\nEND:VTODO",
  markdown: "# Tea\nfree words\n\n# Knee     :work:@personal:\n\nthe lump grew",
  setext: "Knee     :@personal:\n====================\n\nthe lump grew",
  ascii:
    "1 Tea\n=====\n\n  free words\n\n2 Knee                              :@personal:\n=======\n\n  the lump grew",
};

test("a heading of an export keeps its privacy tag", () => {
  for (const [kind, text] of Object.entries(exports))
    for (const prefix of ["", "+", "> ", "out/notes.x:3:"]) {
      const { secrecy, parts } = readTextMarks(eachLine(text, prefix), tags);
      assert.equal(secrecy, "private", `${kind} ${prefix}`);
      assert.match(parts.join("\n"), /lump/);
      assert.doesNotMatch(parts.join("\n"), /free words|in public/i, `${kind} ${prefix}`);
    }
});

test("a private part goes on past headings of another kind", () => {
  const others = [
    "<h1>Tea</h1>",
    "BEGIN:VEVENT",
    "\\part{Tea}",
    "\\chapter{Tea}",
    "Buy this  :tea:",
    "# Tea",
  ];
  for (const head of ["* Knee :journal:", "#+FILETAGS: :journal:"])
    for (const other of others) {
      const { parts } = readTextMarks(`${head}\n${other}\nthe lump grew`, tags, { isMarkdown: true });
      assert.match(parts.join("\n"), /lump/, `${head} ${other}`);
    }
});

test("a tag counts at the end of a quoted headline in a line, and of a Markdown headline", () => {
  for (const text of [
    '[{"heading":"* Health :@personal:","body":"the lump grew"}]',
    '"* Health :@personal:",the lump grew',
    String.raw`{"text":"{\"heading\":\"* Health :@personal:\",\"body\":\"the lump grew\"}"}`,
  ])
    assert.equal(secrecyOf(text), "private", text);
  const { secrecy, parts } = readTextMarks(
    "# Free\nfree\n# Health :@personal:\nthe lump\n# More\nfree",
    tags,
    {
      isMarkdown: true,
    },
  );
  assert.equal(secrecy, "private");
  assert.doesNotMatch(parts.join("\n"), /free/);
});

test("what only looks like a tag of a note makes nothing private", () => {
  for (const text of [
    "words\n\ntags: journal\n",
    "this.#journal = https://a.example/#journal",
    "#journal { color: red }",
    "---\ntitle: @personal\n---\nwords",
    "---\ntags: [work]\n---\n- @personal",
    "see https://a.example/x#@personal",
  ])
    assert.equal(secrecyOf(text), "public", text);
});

test("a member of the group of a privacy tag counts, also of a group within it", () => {
  const groups = "#+TAGS: [ @personal : diary {dream.+} ]\n#+TAGS: { diary : travel }\n";
  for (const tag of ["diary", "Diary", "dreams", "travel"]) {
    const text = `${groups}* Mine :${tag}:\nthe lump grew\n* Work :office:\nfree`;
    assert.equal(secrecyOf(text), "private", tag);
    assert.equal(secrecyOf(eachLine(text, "HEAD~2:p.org:3:")), "private", tag);
    assert.doesNotMatch(readTextMarks(text, tags).parts.join("\n"), /free/);
  }
  assert.equal(secrecyOf(`${groups}* Work :office:\nfree`), "public");
});

test("the tags of a long line count, also where a large text is read in pieces", async () => {
  const lines = [
    `* ${"some words ".repeat(900)}:work:@personal:`,
    `#+FILETAGS: ${":tag".repeat(3000)}:@personal:`,
    `* Mine ${":tag".repeat(3000)}:@personal:`,
  ];
  for (const line of lines) {
    const text = `words\n${line}\nthe lump grew\n`;
    assert.equal(secrecyOf(text), "private");
    for (const size of [5000, 8000, text.indexOf("@personal") + 3]) {
      async function* pieces() {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
      }
      const label = await labelOfLargeText(pieces(), { path: "/n/a.txt", privacyTags: tags });
      assert.equal(label.secrecy, "private");
    }
  }
  assert.equal(secrecyOf(`${"some words ".repeat(900)}* Mine :@personal:\nthe lump grew`), "public");
});

test("the words of a tag alone make nothing private", () => {
  for (const text of [
    "A headline may have the tag :@personal: in Org.",
    "* About @personal matters\nwords",
    "const tags = [':@personal:'];",
    "- item :@personal:",
    "* Health :@personally:",
    "write to ada@personal.example",
  ]) {
    assert.equal(secrecyOf(text), "public", text);
  }
});

test("a long text is read in little time", async () => {
  const text = `* a :@personal: ${"* :x ".repeat(2000)}\n`.repeat(100);
  const time = await leastTime(() => readTextMarks(text, tags), 2000);
  assert.ok(time < 2000, `${time} ms`);
});
