import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeNeedles } from "./needles.ts";
import { maskKeys, maskSecrets, scanSecrets } from "./secrets.ts";
import { makeStreamFilter } from "./stream-filter.ts";
import { makeVisible } from "./visible.ts";

const keys = [
  "corr3ct-h0rse/battery+staple",
  "q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2",
  'it\'s "my" p4ss\\phrase $x',
];

const hexOf = (key: string): string => Buffer.from(key).toString("hex");
const bytesOf = (key: string): readonly number[] => [...Buffer.from(key)];
const join = (key: string, separator: string): string => [...key].join(separator);

/** Each way to write a key. What reads it gets the key back. */
const encodings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => key,
  "in base64": (key) => Buffer.from(key).toString("base64"),
  "in base64 behind one byte": (key) => Buffer.from(`a${key}z`).toString("base64"),
  "in base64 behind two bytes": (key) => Buffer.from(`ab${key}`).toString("base64"),
  "in base64 of addresses": (key) => Buffer.from(`~?${key}`).toString("base64url"),
  "in base64 with line ends": (key) =>
    Buffer.from(`user:${key}`).toString("base64").replaceAll(/.{10}/g, "$&\n  "),
  "in hexadecimal digits": hexOf,
  "in upper-case hexadecimal digits": (key) => hexOf(key).toUpperCase(),
  "in hexadecimal digits with blanks": (key) => hexOf(key).replaceAll(/../g, "$& "),
  "in hexadecimal digits with colons": (key) =>
    bytesOf(key)
      .map((byte) => byte.toString(16))
      .join(":"),
  "as bytes of C": (key) =>
    bytesOf(key)
      .map((byte) => `0x${byte.toString(16)}`)
      .join(", "),
  "percent-encoded": (key) => encodeURIComponent(key),
  "percent-encoded in lower case": (key) =>
    encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
  "in lower case": (key) => key.toLowerCase(),
  "percent-encoded whole": (key) => hexOf(key).replaceAll(/../g, "%$&"),
  "percent-encoded here and there": (key) =>
    [...key].map((character, at) => (at % 3 === 0 ? `%${hexOf(character)}` : character)).join(""),
  "as a form": (key) => new URLSearchParams({ key }).toString(),
  "in a JSON text": (key) => JSON.stringify(JSON.stringify(key)),
  "in escapes of JSON": (key) => [...key].map((character) => `\\u00${hexOf(character)}`).join(""),
  "in escapes of a shell": (key) => hexOf(key).replaceAll(/../g, "\\x$&"),
  "in octal escapes": (key) =>
    bytesOf(key)
      .map((byte) => `\\${byte.toString(8)}`)
      .join(""),
  "quoted for a shell": (key) => `'${key.replaceAll("'", `'\\''`)}'`,
  "with backslashes": (key) => key.replaceAll(/[^A-Za-z0-9]/g, "\\$&"),
  "as quoted pieces": (key) => `${JSON.stringify(key.slice(0, 9))} + ${JSON.stringify(key.slice(9))}`,
  "as entities of XML": (key) =>
    bytesOf(key)
      .map((byte) => `&#${byte};`)
      .join(""),
  reversed: (key) => [...key].reverse().join(""),
  "with a blank between": (key) => join(key, " "),
  "with points between": (key) => join(key, "."),
  "with invisible characters between": (key) => join(key, "\u200b"),
  "with a letter between": (key) => join(key, "x"),
  "with a digit between": (key) => join(key, "0"),
  "with line ends": (key) => key.replaceAll(/.{4}/g, "$&\r\n"),
  "with line ends of JSON": (key) => key.replaceAll(/.{4}/g, "$&\\n"),
};

/** Whether more than a third of a key is left in a text: as it is, or in an encoding. */
function leaks(masked: string, encoded: string): boolean {
  const longest = Math.floor(encoded.length / 3);
  for (let at = 0; at + longest <= encoded.length; at += 1)
    if (masked.includes(encoded.slice(at, at + longest))) return true;
  return false;
}

test("a configured key is masked in each encoding, wherever it stands", () => {
  const needles = makeNeedles(keys);
  for (const key of keys) {
    for (const [name, encode] of Object.entries(encodings)) {
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

test("of a key that is split over two texts, the longer part is masked by itself", () => {
  const [, key = ""] = keys;
  const needles = makeNeedles(keys);
  for (let at = 0; at <= key.length; at += 1) {
    const [first, second] = [`first ${key.slice(0, at)}`, `${key.slice(at)} last`];
    const joined =
      maskKeys(first, needles).replace("first ", "") + maskKeys(second, needles).replace(" last", "");
    assert.ok(joined.includes("[masked: configured-key]"), joined);
    assert.ok(!leaks(joined, key) || !joined.includes(key.slice(key.length / 2)), joined);
  }
});

test("any key in any encoding is masked in a stream as in the whole text, wherever the stream is split", () => {
  const character = fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_+/=.!$%");
  const aKey = fc.string({ unit: character, minLength: 16, maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      aKey,
      fc.constantFrom(...Object.values(encodings)),
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
        assert.equal(streamed, makeVisible(maskSecrets(text, needles)));
      },
    ),
    { numRuns: 1000 },
  );
});

test("words that a key has in common with a text are left as they are", () => {
  const needles = makeNeedles([...keys, "sk-ant-api03-q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2Yw4BkQ7Zt3RvB9"]);
  for (const text of [
    "The battery, staple it to the horse.",
    "A key of Anthropic begins with sk-ant-api03- and is long.",
    "my phrase, its price",
    "c3RhcGxlIGJhdHRlcnk=",
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
