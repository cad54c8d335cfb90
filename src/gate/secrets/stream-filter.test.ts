import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutUnprinted } from "../../text/unprinted.ts";
import { makeVisible } from "../../text/visible.ts";
import { makeNeedles } from "./needles.ts";
import { maskSecrets } from "./secrets.ts";
import { filterWhole, makeStreamFilter } from "./stream-filter.ts";

const keys = ["corr3ct-h0rse/battery+staple", "a secret with blanks", "abcabcabcabc"];
const pem = [
  "-----BEGIN ",
  "RSA PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQ==\n-----END ",
  "RSA PRIVATE KEY-----",
].join("");
const token = ["ghp", "_8sKd02mNqLz7RtYw5VbXc3HjPf6GaTe1UoIi"].join("");

function filtered(chunks: readonly string[]): string {
  const filter = makeStreamFilter(makeNeedles(keys));
  return chunks.map((chunk) => filter.push(chunk)).join("") + filter.end();
}

function split(text: string, sizes: readonly number[]): readonly string[] {
  const chunks: string[] = [];
  let position = 0;
  for (let turn = 0; position < text.length; turn++) {
    const size = sizes.length === 0 ? 1 : (sizes[turn % sizes.length] ?? 1);
    chunks.push(text.slice(position, position + size));
    position += size;
  }
  return chunks;
}

const pieces = fc.constantFrom(
  ...keys,
  ...keys.map((key) => key.slice(0, -1)),
  ...keys.map((key) => Buffer.from(key).toString("base64")),
  pem,
  pem.slice(0, 40),
  pem.slice(0, 60),
  token,
  token.slice(0, 12),
  "password: ",
  'API_KEY = "',
  "token=",
  "t7Rq9Zx2Lm",
  "-----",
  "-----BEGIN PRIVATE KEY----- spoken of only",
  "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F86D081\n\n",
  "\n> ",
  "\n 12\t",
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB",
  "sk-",
  " ",
  "\n",
  "hello world",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5ODc2NTQifQ.q7Zt3RvB9nWcHjP8fGaTe1Uo",
  "\u001b]8;;http://evil\u0007",
  "\u202e",
  "🙂",
  "a\u{e0041}",
  "abc",
  "xoxb-",
  "postgres://app:h0pk1ns21s@db.internal:5432/app",
  "curl -sL --user 'johns:h0pk1ns~21s' https://a.b",
  "curl -u ",
  "Authorization: Bearer ",
  ["7213808860", ":AAH1bjqpKKW3maRSPAxzIU-0v6xNuq2-NjM"].join(""),
  ["MTE4Nzk1NjM0MjA1ODQ0Mjg4", ".GSwJyi.sbaw8msOR3Wi6vPUzeIWy_P0vJbB0UuRVjH8l8"].join(""),
  ["343ea45721923ed956e2b38c31db76aa", "-us30"].join(""),
  'setenv("DB_PASSWORD", "',
  "<password>",
  "//registry.example.org/:_authToken=",
  "\r",
  "\r\n",
);
const texts = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }).map((parts) => parts.join(""));
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 });

/** `npm run long` takes 1,500. */
const numRuns = process.env["LONG"] === "all" ? 1500 : 400;

test("any split into chunks gives the same text as the whole", () => {
  fc.assert(
    fc.property(texts, sizes, (text, given) => {
      const expected = filterWhole(text, makeNeedles(keys));
      const masked = maskSecrets(text, makeNeedles(keys)).replaceAll("\r\n", "\n");
      if (withoutUnprinted(text) === text) assert.equal(expected, makeVisible(masked));
      assert.equal(filtered([text]), expected);
      assert.equal(filtered(split(text, given)), expected);
    }),
    { numRuns },
  );
});

test("a key that comes in single characters is masked", () => {
  assert.equal(filtered([...`say ${keys[0]} now`]), "say [masked: configured-key] now");
  assert.equal(filtered([...`say ${keys[1]} now`]), "say [masked: configured-key] now");
});

test("a private key that comes in single characters is masked", () => {
  assert.equal(filtered([...`first\n${pem}\nlast`]), "first\n[masked: private-key]\nlast");
});

test("ordinary text is held back by no more than its last word", () => {
  const filter = makeStreamFilter(makeNeedles(keys));
  assert.equal(filter.push("The quick brown fox"), "The quick brown ");
  assert.equal(filter.push(" jumps."), "fox ");
  assert.equal(filter.push("\n"), "jumps.\n");
  assert.equal(filter.end(), "");
});

test("control and direction characters become visible, newlines and tabs stay", () => {
  assert.equal(filtered(["a\u001b[31m\u0007\u009b\u007f\r\n\tb\u202ec"]), "a␛[31m␇⟨U+009B⟩␡\n\tb⟨U+202E⟩c");
  for (const chunks of [
    ["one\r", "\ntwo\rthree\r"],
    ["one\r\ntwo", "\rthree", "\r"],
  ])
    assert.equal(filtered(chunks), "one\ntwo␍three␍");
});

test("a terminal hyperlink dies with its escape", () => {
  assert.ok(!filtered(["\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\"]).includes("\u001b"));
});

test("a character beyond the basic plane survives being split in two", () => {
  assert.equal(filtered(["a\ud83d", "\ude42b"]), "a🙂b");
});

test("a long text without blanks is released in time", () => {
  const filter = makeStreamFilter(makeNeedles(keys));
  let released = 0;
  for (let turn = 0; turn < 200; turn++) released += filter.push("Zz9".repeat(50)).length;
  assert.ok(released > 20_000);
  assert.equal(released + filter.end().length, 30_000);
});
