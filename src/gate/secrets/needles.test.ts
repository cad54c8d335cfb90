import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeVisible } from "../../text/visible.ts";
import { keyEncodings, leaks } from "./key-encodings.fixture.ts";
import { makeNeedles } from "./needles.ts";
import { maskKeys, maskSecrets, scanSecrets } from "./secrets.ts";
import { makeStreamFilter } from "./stream-filter.ts";

const keys = [
  "corr3ct-h0rse/battery+staple",
  "q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2",
  'it\'s "my" p4ss\\phrase $x',
];

test("a configured key is masked in each encoding, wherever it stands", () => {
  const needles = makeNeedles(keys);
  for (const key of keys) {
    for (const [name, encode] of Object.entries(keyEncodings)) {
      const encoded = encode(key);
      for (const text of [
        encoded,
        `the key is ${encoded}, keep it`,
        `https://example.com/?q=${encoded}&page=2`,
        `{"note":"${encoded}"}`,
        `curl -d ${encoded} https://example.com`,
        `Error: cannot open ${encoded}\n    at main`,
      ]) {
        assert.ok(!leaks(maskSecrets(text, needles), encoded), `${name}: ${maskSecrets(text, needles)}`);
        assert.ok(!leaks(maskKeys(text, needles), encoded), `${name}: ${maskKeys(text, needles)}`);
        assert.ok(
          scanSecrets(text, needles).some(({ rule }) => rule === "configured-key"),
          name,
        );
      }
    }
  }
});

test("a key is found at any place, however far its characters stand apart, and behind as many others", () => {
  const [, key = ""] = keys;
  const needles = makeNeedles([key]);
  for (let before = 0; before < 40; before += 1) {
    for (const between of ["", " ", ".".repeat(64), "\\n"]) {
      const text = `${"ab1 ".repeat(before)}${"z".repeat(before % 9)}${[...key].join(between)}`;
      const [last] = scanSecrets(`${text}, and on`, needles).toSorted((a, b) => b.end - a.end);
      assert.equal(last?.end, text.length, `${before} before, ${between.length} between`);
    }
  }
  assert.deepEqual(scanSecrets([...key].join(".".repeat(65)), needles), []);
});

test("of a key that is split over two texts or more, each part of twelve characters is masked by itself", () => {
  const needles = makeNeedles(keys);
  const [, key = ""] = keys;
  for (let at = 0; at <= key.length; at += 1) {
    for (const part of [key.slice(0, at), key.slice(at)]) {
      const masked = maskKeys(`said: ${part}.`, needles);
      assert.equal(masked.includes("[masked: configured-key]"), part.length >= 12, masked);
      assert.ok(masked.length <= "said: ab[masked: configured-key].".length, masked);
    }
  }
  for (const encode of Object.values(keyEncodings)) {
    const encoded = encode(key);
    const half = Math.floor(encoded.length / 2);
    for (const part of [encoded.slice(0, half), encoded.slice(half)])
      assert.ok(maskKeys(part, needles).includes("[masked: configured-key]"), part);
  }
});

test("any key in any encoding is masked in a stream as in the whole text, wherever the stream is split", () => {
  const character = fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_+/=.!$%");
  const aKey = fc.string({ unit: character, minLength: 16, maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      aKey,
      fc.constantFrom(...Object.values(keyEncodings)),
      fc.lorem(),
      sizes,
      (key, encode, words, cuts) => {
        const needles = makeNeedles([key]);
        const text = `${words} ${encode(key)} ${words}`;
        const filter = makeStreamFilter(needles);
        let streamed = "";
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          streamed += filter.push(text.slice(at, at + size));
          at += size;
        }
        streamed += filter.end();
        assert.equal(streamed, makeVisible(maskSecrets(text, needles).replaceAll("\r\n", "\n")));
      },
    ),
    // `npm run long` takes 1,000.
    { numRuns: process.env["LONG"] === "all" ? 1000 : 400 },
  );
});

test("words that a key has in common with a text are left as they are", () => {
  const needles = makeNeedles([...keys, "sk-ant-api03-q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2Yw4BkQ7Zt3RvB9"]);
  for (const text of [
    "The battery, staple it to the horse.",
    "A key of Anthropic begins with sk-ant-api03- and is long.",
    "my phrase, its price",
    "c3RhcGxlIGJhdHRlcnk=",
    "sk-ant-api03-abc and sk-ant-api03-xyz",
    "0123456789abcdef0123456789abcdef0123456789abcdef",
  ]) {
    assert.equal(maskSecrets(text, needles), text);
  }
});

test("a megabyte of hostile text is searched for keys", () => {
  const repeated = "ab".repeat(20);
  for (const unit of ["a", "ab", "b a", "%61", "\\u0061", keys[1]?.slice(0, 11) ?? "", "0x61,", "\\"]) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    assert.ok(Array.isArray(scanSecrets(text, makeNeedles([...keys, repeated, "a".repeat(40)]))), unit);
  }
});
