import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "./decode-text.ts";

const latin = (text: string) => Buffer.from(text, "latin1");

test("a byte order mark goes before the content type, and that before what the page says", () => {
  const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("é", "utf16le")]);
  assert.equal(decodeText(utf16, "text/html; charset=iso-8859-1"), "é");
  assert.equal(decodeText(Buffer.from("\ufeffé"), "text/plain; charset=iso-8859-1"), "é");
  assert.match(decodeText(latin("<meta charset=utf-8>é"), "text/html; charset=iso-8859-1"), /é$/);
  assert.match(decodeText(Buffer.from("é"), 'text/html; charset="UTF-8"'), /é$/);
});

test("a page names its own encoding, in each form of it", () => {
  for (const start of [
    '<meta charset="iso-8859-1">',
    "<META CHARSET = 'latin1' >",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
    "<!-- <meta charset=utf-8> --><meta charset=iso-8859-15>",
    `${"<script>x</script>".repeat(120)}<meta charset=iso-8859-1>`,
    "<meta name=x content=y><meta charset=cp1252>",
  ])
    assert.ok(decodeText(latin(`${start}é`), "text/html").endsWith("é"), start);
  assert.match(decodeText(latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>é'), "application/xml"), /é$/);
  assert.match(decodeText(Buffer.from("<meta charset=utf-16>é"), "text/html"), /é$/);
  assert.match(decodeText(Buffer.of(0x93, 0xfa, 0x96, 0x7b), "text/plain; charset=shift_jis"), /日本/);
});

test("without a declaration a text is UTF-8 if it is valid, even where it is cut within a character, else Windows-1252", () => {
  assert.equal(decodeText(Buffer.from("naïve – 日本"), "text/plain"), "naïve – 日本");
  assert.equal(decodeText(Buffer.from("é日").subarray(0, 4), "text/plain"), "é\ufffd");
  assert.equal(decodeText(Buffer.of(0x93, 0x61, 0x94), "text/plain"), "“a”");
  assert.equal(decodeText(Buffer.from("é"), "text/plain; charset=no-such"), "é");
  assert.equal(decodeText(latin("<meta charset=utf-8>é"), "text/plain").at(-1), "é");
  assert.equal(decodeText(latin("café"), "text/plain"), "café");
});

test("hostile starts are read in bounded time", () => {
  for (const piece of ["<!--", "<meta ", "<meta charset", "<?xml encoding", "<!-", "charset="])
    assert.equal(
      typeof decodeText(Buffer.from(piece.repeat(200_000)), `text/html; ${piece.repeat(1000)}`),
      "string",
    );
});
