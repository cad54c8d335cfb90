import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutUnprinted } from "../../text/unprinted.ts";
import { makeNeedles } from "./needles.ts";
import { maskSecrets, scanSecrets } from "./secrets.ts";

// Made up for these tests, and put together here so that no scanner takes this file for a leak.
const samples: Readonly<Record<string, string>> = {
  "aws-access-key": ["AKIA", "Q3WJ7RTB5XZN2KDF"].join(""),
  "github-token": ["ghp", "_8sKd02mNqLz7RtYw5VbXc3HjPf6GaTe1UoIi"].join(""),
  "gitlab-token": ["glpat", "-x7Qm2Lr9Tz4Vb8Nc1KwJ"].join(""),
  "slack-token": ["xoxb", "-293847561029-8JqLmZx3Kd9Wv"].join(""),
  "model-provider-key": ["sk", "-proj-9fLq2XzR7mTb4VwK1cNs", "T3BlbkFJ8HdYq2XzR7mTb4VwK1cN"].join(""),
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

test("a token is found with what is not seen between its letters: colours, and the NULs of UTF-16", () => {
  for (const secret of Object.values(samples)) {
    const colour = "\u001b[01;31m\u001b[K";
    const wide = Buffer.from(secret, "utf16le").toString();
    const texts = [
      `${colour}${secret.slice(0, 3)}\u001b[m\u001b[K${secret.slice(3)}`,
      `${secret.slice(0, 7)}\u009b0m${secret.slice(7)}`,
      `\u001b]8;;file:///a\u001b\\${secret.slice(0, 2)}\u001b]8;;\u0007${secret.slice(2)}`,
      JSON.stringify(`${secret.slice(0, 3)}\u001b[m${secret.slice(3)}`),
      wide,
      `token: ${wide}`,
      `\0${wide.slice(0, -1)}`,
      wide.replaceAll("\0", "\0\0\0"),
    ];
    for (const text of texts) {
      const masked = maskSecrets(text, makeNeedles([]));
      assert.match(masked, /\[masked: /, JSON.stringify(text));
      assert.ok(!withoutUnprinted(masked).includes(secret.slice(4, 16)), JSON.stringify(masked));
    }
  }
  const names = "password=ada\0PATH=/usr/bin/q7Zt3RvB9n\0";
  assert.equal(maskSecrets(names, makeNeedles([])), names);
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
    "a PEM file begins with `-----BEGIN PRIVATE KEY-----`, then comes Base64",
    "-----BEGIN PRIVATE KEY-----\n1. is its first line\n2. Note: more follows\n\nand it ends with the last",
    "ghp_short",
  ];
  for (const text of clean) assert.deepEqual(scanSecrets(text, makeNeedles([])), [], text);
});

test("tokens of further makers are found by their format, in prose, code, notes and JSON", () => {
  const body = "q7Zt3RvB9nWcHjP8fGaTe1UoKd5LmXs2Yw4B";
  const tokens = [
    ["npm", `_${body}`],
    ["dop", "_v1_8ddfb1f5d5f644f186f826c37bc4751b4a895e8ca6ce82062c1aab98e3b36358"],
    ["tskey", "-auth-kQ7Zt3RvB9nW-cHjP8fGaTe1UoKd5LmXs2Yw4B"],
    ["hvs", `.${body}${body}${body}`],
    ["SG", ".q7Zt3RvB9nWcHjP8fGaTe1.UoKd5LmXs2Yw4Bq7Zt3RvB9nWcHjP8fGaTe1UoKd5L4"],
    ["7213808860", ":AAH1bjqpKKW3maRSPAxzIU-0v6xNuq2-NjM"],
    ["MTE4Nzk1NjM0MjA1ODQ0Mjg4", ".GSwJyi.sbaw8msOR3Wi6vPUzeIWy_P0vJbB0UuRVjH8l8"],
    ["343ea45721923ed956e2b38c31db76aa", "-us30"],
    ["https://hooks.slack", ".com/services/T0DCUJB1Q/B0DD08H5G/bJtrpFi1fO1JMCcwLx8uZyAg"],
    ["shpat", "_bc8d8290bb86a68b3db0abc360a9b60e"],
  ].map((parts) => parts.join(""));
  for (const token of tokens) {
    for (const text of [
      `the key is ${token}, keep it`,
      `const key = "${token}";`,
      `* Key\n:PROPERTIES:\n:KEY: ${token}\n:END:`,
      JSON.stringify({ line: `first\n${token}\n` }),
      `curl -H "Authorization: Bearer ${token}" https://api.example.com`,
    ]) {
      assert.ok(!maskSecrets(text, makeNeedles([])).includes(token), text);
    }
  }
});

test("in a text that was masked nothing is found", () => {
  const texts = [
    ...Object.values(samples).map((secret) => `Here it is: ${secret}, keep it.`),
    "//registry.example.org/:_authToken=743b294a-cd03-11ec-9d64-0242ac120002",
    "password=t7Rq9Zx2Lm token: t7Rq9Zx2Lm",
    "curl -u ada:t7Rq9Zx2Lm https://ada:t7Rq9Zx2Lm@api.service.com",
  ];
  for (const text of texts)
    assert.deepEqual(scanSecrets(maskSecrets(text, makeNeedles([])), makeNeedles([])), [], text);
});

test("logins in addresses, headers and commands are masked, and the rest of the text stays", () => {
  const password = ["h0pk1ns", "~21s"].join("");
  for (const text of [
    `postgres://app:${password}@db.internal:5432/app`,
    `https://deploy:${password}@git.example.com/x.git`,
    `curl -sL --user 'johns:${password}' https://api.example.com`,
    `PGPASSWORD=${password} psql`,
    `<password>${password}</password>`,
    `setenv("DB_PASSWORD", "${password}")`,
    `'secret_key' => '${password}'`,
  ]) {
    const masked = maskSecrets(text, makeNeedles([]));
    assert.ok(!masked.includes(password), masked);
    assert.ok(masked.length > "[masked: address-password]".length + 4, masked);
  }
});

test("variables, samples, hashes, identifiers and lock files are not secrets", () => {
  const hash = "5cb4a5f04cd412fe946667b17f0129ba17aeb2e0";
  const clean = [
    "Authorization: Bearer $TOKEN",
    'curl -u "$USER:$PASSWORD" https://api.example.com',
    "curl -u user:password https://api.example.com",
    "postgres://user:password@localhost:5432/db",
    "https://user:password@example.com/",
    `https://\${USER}:\${PASSWORD}@api.service.com`,
    "https://example.com:8443/a@b",
    `commit ${hash}`,
    `"integrity": "sha512-xXnsI+oVvI6Tii/SdunWQ6xtmIo9LtnUjcD4hEjQRokTf1bV57Ly8k3FMP6moEPxdw44Ls+nZOWoUTiHyRCrN+=="`,
    `"contentHash": "${hash}", "id": "743b294a-cd03-11ec-9d64-0242ac120002"`,
    "const secret: Uint8Array = await readSecret(path);",
    "tokenOptions: RealtimeFactoryV4GetTokenOptions",
    "maxTokens: 4096, token: next.value, password: config.database.password",
    `API_KEY=\${API_KEY:-none}`,
    "password: process.env.PASSWORD_2024",
    'api_key = "your-api-key-123"',
    "s.makeKubeConfigController = args",
    "sk-learn-classifier-with-many-words-in-it",
    `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk">`,
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8sKd02mNqLz7RtYw5VbXc3HjPf6GaTe1UoIi ada@home",
    "DOTENV_PUBLIC_KEY=037cfbfc90234cfdab7eb54050566293789efaa1a35dc420749662db400dc9c4b2",
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

test("a private key is masked behind headers of its armour, and in lines that are quoted, numbered or commented out", () => {
  const body = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB",
    "AQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S",
  ];
  const plain = (kind: string, heads: readonly string[]): readonly string[] => [
    `-----BEGIN ${kind}-----`,
    ...heads,
    ...body,
    `-----END ${kind}-----`,
  ];
  const pem = plain("RSA PRIVATE KEY", []);
  const keys: readonly (readonly string[])[] = [
    plain("RSA PRIVATE KEY", ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,9F86D081884C7D65", ""]),
    plain("PGP PRIVATE KEY BLOCK", ["Version: GnuPG v2", "Comment: a key", ""]),
    pem.map((line) => `> ${line}`),
    pem.map((line) => `> > ${line}`),
    pem.map((line, at) => `   ${at + 11}\t${line}`),
    pem.map((line, at) => `key.txt:${at + 1}:${line}`).map((line) => line.slice(7)),
    pem.map((line) => `-${line}`),
    pem.map((line) => `# ${line}`),
    pem.map((line) => `// ${line}`),
    pem.map((line) => ` * ${line}`),
    pem.map((line) => `| ${line} |`),
  ];
  for (const lines of keys) {
    const whole = lines.join("\n");
    for (const text of [whole, lines.slice(0, -1).join("\n"), JSON.stringify(whole)]) {
      const masked = maskSecrets(text, makeNeedles([]));
      assert.match(masked, /\[masked: private-key\]/, text);
      for (const line of body) assert.ok(!masked.includes(line.slice(0, 24)), masked);
    }
  }
});

test("the private members of a JSON Web Key are masked, the public ones are not", () => {
  const values = {
    n: "vD3zRtYw5VbXc3HjPf6GaTe1UoIiKd5LmXs2Yw4Bq7Zt",
    d: "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97I",
  };
  const key = { kty: "RSA", ...values, dp: values.d, qi: values.d, e: "AQAB" };
  for (const text of [
    JSON.stringify(key),
    JSON.stringify(key, null, 2),
    JSON.stringify(JSON.stringify(key)),
  ]) {
    const masked = maskSecrets(text, makeNeedles([]));
    assert.ok(!masked.includes(values.d), masked);
    assert.ok(masked.includes(values.n), masked);
  }
  const path = JSON.stringify({
    d: "5f4dcc3b5aa765d61d8327deb882cf995f4dcc3b5aa765d61d8327deb882cf99",
    k: "a-name-of-a-thing-that-is-long-and-in-words-1A",
  });
  assert.equal(maskSecrets(path, makeNeedles([])), path);
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
    "-----BEGIN PRIVATE KEY-----\n> 12: # ",
    "-----BEGIN PRIVATE KEY-----\nVersion: a\n",
    "sk-",
    "a-",
    "ghp_",
    "=",
    " ",
    "aws_secret: '",
    "-",
    "key:a1",
    "a1b2:",
    "curl -u a",
    "://a:b",
    "1:A",
    "SG.",
    "BUNDLE_",
    "_authToken=",
    '"d":"',
  ];
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(size / unit.length));
    assert.ok(Array.isArray(scanSecrets(text, makeNeedles([key, "a".repeat(40)]))), unit);
  }
});
