import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { certificate } from "./certificates.fixture.ts";
import { holdsOnlyCertificates, isMaybeCertificates } from "./certificates.ts";

const inPem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;

test("a bundle of public certificates with words between them is one", () => {
  const words = `
# Issuer: CN=Example Root CA O=Example
# Label: "Example Root CA 2"
# Serial: 123456789012345678901234567890123456789
# MD5 Fingerprint: 7c:62:ff:74:9d:31:53:5e:68:4a:d5:78:aa:1e:bf:23
`;
  const chain = `Bag Attributes\n    localKeyID: 7C 62 \nsubject=C = BE, CN = Example\n\nissuer=/C=BE/CN=Example\n${certificate} 0 s:/C=BE/CN=Example\n   i:C = BE\n`;
  for (const text of [certificate, `${words}${certificate}\nExample\n=======\n${certificate}`, chain])
    assert.equal(holdsOnlyCertificates(text), true);
});

test("a key in any form, a cut block, other blocks and words that may be a password are no bundle of certificates", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const keys = [
    privateKey.export({ type: "pkcs8", format: "der" }),
    privateKey.export({ type: "sec1", format: "der" }),
    privateKey.export({ type: "pkcs8", format: "der", cipher: "aes-256-cbc", passphrase: "x" }),
    Buffer.from("hunter2"),
  ];
  const [first = Buffer.alloc(0)] = keys;
  const mixed = [
    "",
    "\n",
    "# a file that grows\n",
    ...keys.map((der) => inPem("CERTIFICATE", der)),
    ...keys.map((der) => `${certificate}${inPem("PRIVATE KEY", der)}`),
    `${certificate}${inPem("ENCRYPTED PRIVATE KEY", first)}`,
    `${certificate}-----BEGIN CERTIFICATE-----\nMIIB`,
    certificate.slice(0, -20),
    certificate.replace("-----END", "AAAA\n-----END"),
    `${certificate}# password: hunter2\n`,
    ...[
      "pwd: hunter2",
      "# API key: AKCANARY1234567890",
      "pw: hunter2",
      "pass: hunter2",
      "PIN 4711",
      "user:hunter2",
      "key=hunter2",
      "sk-live-0123456789abcde",
      "hunter2",
      "# hunter2",
      "# Label: key=hunter2",
      "# Serial: hunter2",
      "# Issuer: hunter2",
      "key=x\n=====",
      "=====",
    ].map((line) => `${line}\n${certificate}`),
    `${certificate}${first.toString("base64")}\n`,
    `${certificate}\0\x01binary`,
    certificate + " ".repeat(2_100_000),
  ];
  for (const text of mixed) assert.equal(holdsOnlyCertificates(text), false, text.slice(-200));
});

test("only a file that is secret for its ending may be certificates", () => {
  const isSecret = (path: string): boolean => /\.pem$|\.key$|\/\.ssh\/|\/id_rsa/.test(path);
  const of = (path: string): boolean => isMaybeCertificates(path, isSecret);
  assert.deepEqual(
    ["/w/a.pem", "/w/.ssh/a.pem", "/w/id_rsa.pem", "/w/a.key", "/w/a.txt", "/w/.pem"].map(of),
    [true, false, false, false, false, false],
  );
});
