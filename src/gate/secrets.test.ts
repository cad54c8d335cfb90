import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeNeedles } from "./needles.ts";
import { maskSecrets, scanSecrets } from "./secrets.ts";

// Made up for these tests, and put together here so that no scanner takes this file for a leak.
const samples: Readonly<Record<string, string>> = {
  "aws-access-key": ["AKIA", "Q3WJ7RTB5XZN2KDF"].join(""),
  "github-token": ["ghp", "_8sKd02mNqLz7RtYw5VbXc3HjPf6GaTe1UoIi"].join(""),
  "gitlab-token": ["glpat", "-x7Qm2Lr9Tz4Vb8Nc1KwJ"].join(""),
  "slack-token": ["xoxb", "-293847561029-8JqLmZx3Kd9Wv"].join(""),
  "model-provider-key": ["sk", "-proj-9fLq2XzR7mTb4VwK1cNs8HdY"].join(""),
  "google-api-key": ["AIza", "Sy9Kd3LmQ7xZtR2vBn5WcHjP8fGaTe1Uo4I"].join(""),
  "stripe-key": ["sk", "_live_9Kd3LmQ7xZtR2vBn5WcH"].join(""),
  "json-web-token": ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiI5ODc2NTQifQ", "q7Zt3RvB9nWcHjP8fGaTe1Uo"].join("."),
  "private-key": [
    "-----BEGIN ",
    "PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQ==\n-----END ",
    "PRIVATE KEY-----",
  ].join(""),
};
const key = "corr3ct-h0rse/battery+staple";

test("each of the named patterns is found, and masked with its name", () => {
  for (const [rule, secret] of Object.entries(samples)) {
    const text = `Here it is: ${secret}, keep it.`;
    assert.deepEqual(
      scanSecrets(text, makeNeedles([])).map((span) => span.rule),
      [rule],
    );
    assert.equal(maskSecrets(text, makeNeedles([])), `Here it is: [masked: ${rule}], keep it.`);
  }
});

test("a value assigned to a secret's name is masked, and the name stays", () => {
  for (const text of [
    'password = "t7Rq9Zx2Lm"',
    "API_KEY=t7Rq9Zx2Lm",
    '{"client_secret": "t7Rq9Zx2Lm"}',
    "token: t7Rq9Zx2Lm",
  ]) {
    assert.equal(maskSecrets(text, makeNeedles([])), text.replace("t7Rq9Zx2Lm", "[masked: assigned-secret]"));
  }
});

test("placeholders and prose are not secrets", () => {
  const clean = [
    "password = xxxxxxxxxxxx",
    "api_key: ************",
    "token = aaaaaaaaaaaaaaaa",
    "The secret: patience.",
    "AKIAIOSFODNN7EXAMPLE",
    "a PEM file begins with -----BEGIN PRIVATE KEY----- and goes on",
    "ghp_short",
  ];
  for (const text of clean) assert.deepEqual(scanSecrets(text, makeNeedles([])), [], text);
});

test("a configured key is found as it is, percent-encoded and in base64 at any alignment", () => {
  const forms = [key, encodeURIComponent(key), encodeURIComponent(key).toLowerCase()];
  for (const before of ["", "a", "ab", "user:"]) {
    const bytes = Buffer.from(`${before}${key}${before}`);
    forms.push(bytes.toString("base64"), bytes.toString("base64url"));
  }
  for (const form of forms) {
    assert.ok(
      scanSecrets(`x ${form} y`, makeNeedles([key])).some((span) => span.rule === "configured-key"),
      form,
    );
  }
});

test("keys shorter than 8 characters are ignored", () => {
  assert.deepEqual(scanSecrets("open sesame", makeNeedles(["", " ", "open", "sesame"])), []);
});

test("after masking no configured key is left anywhere", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant(key), fc.constant(key.slice(0, 9)), fc.string())), (parts) => {
      assert.ok(!maskSecrets(parts.join(""), makeNeedles([key])).includes(key));
    }),
  );
});

test("overlapping occurrences of a key that repeats itself are masked whole", () => {
  assert.equal(maskSecrets("a".repeat(20), makeNeedles(["a".repeat(8)])), "[masked: configured-key]");
});

test("a private key without an end is masked as far as it goes", () => {
  const text = `${samples["private-key"]?.split("\n-----END")[0]}\n!rest`;
  assert.equal(maskSecrets(text, makeNeedles([])), "[masked: private-key]!rest");
});

test("a megabyte of hostile text is scanned", () => {
  const size = 1_000_000;
  const units = [
    "eyJ",
    "eyJa.",
    "token=",
    "password",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----AAAAAAAAAAAAAAAA!",
    "sk-",
    "a-",
    "ghp_",
    "=",
    " ",
    "aws_secret: '",
    "-",
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(size / unit.length));
    assert.ok(Array.isArray(scanSecrets(text, makeNeedles([key, "a".repeat(40)]))), unit);
  }
});
