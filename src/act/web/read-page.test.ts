import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import fc from "fast-check";
import { makePdf } from "./pdf.fixture.ts";
import { readPlainPage } from "./plain-page.ts";
import { defaultPageLimits, readPage } from "./read-page.ts";

const go = new AbortController().signal;
const url = "https://example.org/a/page";
const limits = { ...defaultPageLimits, milliseconds: 60_000 };

/** What a thread reads of a page within a minute. */
async function read(html: string | Uint8Array, given = limits) {
  const page = await readPage(
    { kind: "html", bytes: Buffer.from(html), contentType: "text/html", url },
    given,
    go,
  );
  assert.ok(page.ok, page.ok ? "" : page.reason);
  return page.report;
}

async function readPdf(bytes: Uint8Array, given = limits) {
  return await readPage({ kind: "pdf", bytes, contentType: "", url }, given, go);
}

const sentence = "The heron stands in the shallow water, waits for a long time, and then strikes. ";
const menu = `<nav><ul>${'<li><a href="/x">Menu entry</a></li>'.repeat(20)}</ul></nav>`;

test("the article of a page comes as Markdown with absolute links; menus, sidebars and footers do not", async () => {
  const page = await read(`<!doctype html><html><head><title>Herons &amp; egrets</title></head><body>
    <header><div>Site name</div>${menu}</header>
    <div class="sidebar">Most read</div>
    <article><h1>Herons</h1><p>${sentence.repeat(5)}<a href="../b?c=1#d">the source</a></p>
    <h2>Caf&eacute; &notin; &#x1F426;</h2><ul><li>one</li><li>two</li></ul>
    <pre><code>let x = 1;\nlet y = a_b_c;</code></pre><p>${sentence.repeat(5)}<a href="javascript:alert(1)">click</a> <a href="#top">up</a></p>
    <img src="bird.png" alt="A heron"><img src="data:image/png;base64,AAAA" alt="dot"></article>
    <footer>Imprint ${menu}</footer></body></html>`);
  assert.deepEqual([page.form, page.title], ["main", "Herons & egrets"]);
  for (const wanted of [
    "[the source](https://example.org/b?c=1#d)",
    "## Café ∉ 🐦",
    "```\nlet x = 1;\nlet y = a_b_c;\n```",
    "![A heron](https://example.org/a/bird.png)",
  ])
    assert.ok(page.text.includes(wanted), `${wanted} is not in:\n${page.text}`);
  assert.match(page.text, /^-\s+one$/m);
  for (const unwanted of ["Menu entry", "Imprint", "Most read", "javascript:", "data:", "alert", "#top"])
    assert.ok(!page.text.includes(unwanted), `${unwanted} is in:\n${page.text}`);
});

test("a page without an article, without html and body tags, or of a few words gives its text", async () => {
  const rows = Array.from(
    { length: 30 },
    (_, n) => `<tr><td><a href="/item/${n}">Item ${n}</a><td>${n} points</tr>`,
  );
  const list = await read(`<html><body>${menu}<table>${rows.join("")}</table></body></html>`);
  assert.match(list.text, /\| \[Item 29\]\(https:\/\/example\.org\/item\/29\) \| 29 points \|/);
  assert.ok(!list.text.includes("Menu entry"));
  for (const [html, text] of [
    ["<title>t</title><p>a&eacute;b<p>c", "aéb\n\nc"],
    ["just words", "just words"],
    [
      "<h1>T&amp;T</h1><script>evil()</script><!-- x --><p>one<br>two &#8211; &lt;b&gt;",
      "## T&T\n\none  \ntwo – <b>",
    ],
    ["<body><p>x_y * [z]</p></body>", "x_y * [z]"],
    ["<nav><a href=/a>only a menu</a></nav>", "[only a menu](https://example.org/a)"],
    ["", ""],
  ] as const)
    assert.equal((await read(html)).text, text, html);
});

test("a table of data is a Markdown table, and a table that lays out a page is not", async () => {
  const data = await read(
    "<body><table><thead><tr><th>Name<th>Price</tr></thead><tbody><tr><td>Tea | green<td>3<tr><td>Rye<br>bread<td>4</table></body>",
  );
  assert.equal(data.text, "| Name | Price |\n| --- | --- |\n| Tea \\| green | 3 |\n| Rye bread | 4 |");
  const layout = await read("<body><table><tr><td><table><tr><td>a<td>b</table><td>right</table></body>");
  assert.ok(layout.text.includes("| a | b |") && layout.text.includes("right"));
});

test("links are relative to the base that a page names", async () => {
  const page = await read('<html><head><base href="/docs/"></head><body><a href="x">y</a></body></html>');
  assert.equal(page.text, "[y](https://example.org/docs/x)");
});

test("a page that takes too long, nests too deeply or needs too much memory gives its plain text", async () => {
  const deep = await read(`${"<div>".repeat(100_000)}words`);
  assert.deepEqual([deep.form, deep.text], ["plain", "words"]);
  const slow = "<p>long &amp; slow</p>".repeat(60_000);
  const late = await read(`${slow}${"<tr><p>".repeat(100_000)}`, { ...limits, milliseconds: 3000 });
  assert.equal(late.form, "plain");
  assert.match(late.text, /^long & slow\n/);
  assert.equal((await read(slow, { ...limits, memoryBytes: 60_000_000 })).form, "plain");
});

test("stopping ends the thread, and the event loop runs on meanwhile", async () => {
  const stop = new AbortController();
  let beats = 0;
  const beat = setInterval(() => {
    beats += 1;
    if (beats === 3) stop.abort();
  }, 20);
  const page = { kind: "html", bytes: Buffer.from("<tr><p>".repeat(150_000)), contentType: "", url } as const;
  await assert.rejects(readPage(page, limits, stop.signal), { name: "AbortError" });
  clearInterval(beat);
  assert.ok(beats >= 3);
});

test("all text of a page is read in linear time, whatever it is, and nothing throws", () => {
  assert.equal(readPlainPage("<ul><li>one<li>two  <b>bold</b></ul>a < b").text, "one\ntwo bold\na < b");
  assert.equal(readPlainPage("before<script>alert(1)").text, "before");
  assert.equal(readPlainPage("<head><title>t</title>before<!-- never").text, "t\nbefore");
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("<", ">", "/", "!", "-", "a", "script", "&", "#", ";", "1", " ") }),
      (html) => typeof readPlainPage(html).text === "string",
    ),
  );
  const started = performance.now();
  for (const piece of "< <script <!-- <script></script &# <a <div> </div> &amp; a=1 &Counter <title> <![CDATA[".split(
    " ",
  ))
    readPlainPage(piece.repeat(1_000_000 / piece.length));
  assert.ok(performance.now() - started < 120_000);
});

test("the text of a PDF has its pages; one that is none, or has no text, says so", async () => {
  const words = deflateSync("BT /F1 24 Tf 72 700 Td (Hello heron) Tj ET");
  const found = await readPdf(makePdf(words, "/FlateDecode"));
  assert.equal(found.ok && found.report.text, "[page 1]\n\nHello heron");
  const empty = await readPdf(makePdf(deflateSync("0 0 m"), "/FlateDecode"));
  assert.equal(empty.ok && empty.report.text, "");
  for (const bytes of [
    Buffer.from("%PDF-1.7 and nothing"),
    Buffer.alloc(0),
    makePdf(words, "/FlateDecode").subarray(0, 50),
  ]) {
    const none = await readPdf(bytes);
    assert.match(none.ok ? "" : none.reason, /PDF .*\w$/);
  }
});

/**
 * What unpacks to `times` 10 MB of spaces: one packed piece again and again, without the checksum, which
 * readers of PDF pass over.
 */
function packedSpaces(times: number): Uint8Array {
  const piece = deflateRawSync(Buffer.alloc(10_000_000, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const [head, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([0x03, 0x00])];
  return Buffer.concat([head, ...Array.from({ length: times }, () => piece), end]);
}

test("a PDF that unpacks to a gigabyte, or is worked on for ever, is ended", async () => {
  const pdf = makePdf(deflateSync(packedSpaces(100)), "[/FlateDecode/FlateDecode]");
  const bomb = await readPdf(pdf, { ...limits, milliseconds: 280_000 });
  // On a machine without a free processor the reader can give up before its memory is measured. Then there is no text either.
  if (bomb.ok) assert.equal(bomb.report.text, "");
  else assert.equal(bomb.reason, "it needs too much memory");
  const endless = deflateSync("BT /F1 9 Tf (word) Tj ET\n".repeat(1_000_000));
  const ended = await readPdf(makePdf(endless, "/FlateDecode"), { ...limits, milliseconds: 1000 });
  assert.deepEqual(ended, { ok: false, reason: "it takes too long to read" });
});
