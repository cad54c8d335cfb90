import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readGivenPassphrase } from "./given-passphrase.ts";
import { openVault } from "./vault.ts";
import { readVaultFile } from "./vault-file.ts";

const passphrase = "correct horse battery";
const value = "sk-live-0123456789abcdefghij";
/** The least that the file allows, so that the tests are quick. */
const cost = 16_384;

function makeFolder(t: { readonly after: (end: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), "vault-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "configuration", "vault.json");
}

test("a value that is set is read only after the vault was unlocked, by the right passphrase", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  assert.equal(vault.status().state, "none");
  assert.deepEqual(await vault.set(passphrase, "openai", value), { ok: true });
  const other = openVault(path, cost);
  assert.deepEqual(other.status().names, ["openai"]);
  assert.equal(other.status().state, "locked");
  assert.equal(other.read("openai").ok, false);
  const wrong = await other.unlock("correct horse batterz");
  assert.equal(wrong.ok ? "ok" : wrong.code, "wrong-passphrase");
  assert.equal(other.status().state, "locked");
  assert.deepEqual(await other.unlock(passphrase), { ok: true });
  assert.deepEqual(other.read("openai"), { ok: true, value });
  other.lock();
  assert.equal(other.read("openai").ok, false);
  assert.deepEqual(other.values(), [value], "what was known is masked after the lock too");
});

test("the address of signal-cli's daemon is no secret, and is masked nowhere", async (t) => {
  const vault = openVault(makeFolder(t), cost);
  await vault.set(passphrase, "signal-daemon", "http://127.0.0.1:8080 +4915112345678");
  await vault.set(passphrase, "openai", value);
  await vault.unlock(passphrase);
  assert.deepEqual(vault.values(), [value]);
  assert.ok(vault.read("signal-daemon").ok);
});

test("an unlocked vault is changed without its passphrase, all at once or not at all, and a locked one is not", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "old", value);
  const changes = new Map([
    ["old", null],
    ["one", "first-token"],
    ["two", "second-token"],
  ]);
  assert.equal((await vault.change(changes)).ok, false, "it is locked");
  await vault.unlock(passphrase);
  const other = openVault(path, cost);
  await other.unlock(passphrase);
  assert.deepEqual(await vault.change(changes), { ok: true });
  assert.ok(vault.values().includes("second-token"), "what was set is masked at once");
  for (const one of [vault, other]) {
    assert.deepEqual(one.status().names, ["one", "two"]);
    assert.deepEqual(one.read("one"), { ok: true, value: "first-token" });
  }
  const short = await vault.change(
    new Map([
      ["one", "third-token"],
      ["two", "short"],
    ]),
  );
  assert.equal(short.ok ? "ok" : short.code, "wrong-value");
  assert.deepEqual(vault.read("one"), { ok: true, value: "first-token" });
});

test("the file is its owner's alone and has neither passphrase nor value in it, in no encoding", async (t) => {
  const path = makeFolder(t);
  await openVault(path, cost).set(passphrase, "openai", value);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const text = readFileSync(path, "utf8");
  for (const secret of [passphrase, value])
    for (const encoding of ["utf8", "base64", "hex"] as const)
      assert.ok(!text.includes(Buffer.from(secret).toString(encoding)), `${encoding} of ${secret}`);
});

test("each value has a nonce of its own, also when the same value is set again", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  const nonces = new Set<string>();
  for (const name of ["a", "b", "a"]) {
    await vault.set(passphrase, name, value);
    for (const [, nonce] of readFileSync(path, "utf8").matchAll(/"nonce": "([^"]+)"/g))
      nonces.add(nonce ?? "");
  }
  // Each writing has a check and a seal, and one, two and two values.
  assert.equal(nonces.size, 3 * 2 + 1 + 2 + 2);
});

test("every byte of the file that changes is told as damage, and never as a wrong passphrase", async (t) => {
  const path = makeFolder(t);
  await openVault(path, cost).set(passphrase, "openai", value);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { state } = openVault(path, cost).status();
    const isSame = JSON.stringify(parse(bytes.toString())) === JSON.stringify(parse(whole.toString()));
    assert.equal(state, isSame ? "locked" : "damaged", `byte ${at}: ${whole.toString().slice(at, at + 12)}`);
  }
  for (const length of [0, 1, whole.length / 2, whole.length - 3]) {
    writeFileSync(path, whole.subarray(0, length));
    const broken = openVault(path, cost);
    const result = await broken.unlock(passphrase);
    assert.equal(result.ok ? "ok" : result.code, "damaged");
    const set = await broken.set(passphrase, "other", value);
    assert.equal(set.ok ? "ok" : set.code, "damaged", "a damaged vault is not written over");
  }
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test("values that somebody exchanged, renamed or took out are refused even with the right digest", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "one", value);
  await vault.set(passphrase, "two", `${value}-second`);
  const file = readVaultFile(path);
  assert.ok(file.kind === "sealed");
  const { contents } = file;
  const [one, two] = contents.entries;
  assert.ok(one !== undefined && two !== undefined);
  const changes = [
    [
      { ...one, name: "two" },
      { ...two, name: "one" },
    ],
    [one],
    [one, two, { ...one, name: "three" }],
    [{ ...one, nonce: two.nonce, text: two.text }, two],
  ];
  for (const entries of changes) {
    const forged = { ...contents, entries };
    const digest = createHash("sha256").update(JSON.stringify(forged)).digest("hex");
    writeFileSync(path, JSON.stringify({ ...forged, digest }));
    const result = await openVault(path, cost).unlock(passphrase);
    assert.equal(result.ok ? "ok" : result.code, "damaged");
  }
});

test("a vault that is unlocked knows what another process sets, and is locked where its file goes or gets another passphrase", async (t) => {
  const path = makeFolder(t);
  const daemon = openVault(path, cost);
  const command = openVault(path, cost);
  await command.set(passphrase, "one", value);
  await daemon.unlock(passphrase);
  const second = `${value}-second`;
  await command.set(passphrase, "two", second);
  assert.deepEqual(daemon.read("two"), { ok: true, value: second });
  assert.deepEqual(daemon.values(), [value, second]);
  await command.remove(passphrase, "one");
  assert.equal(daemon.read("one").ok, false);
  rmSync(path);
  assert.equal(daemon.status().state, "none");
  await command.set("another passphrase", "two", second);
  assert.equal(daemon.status().state, "locked");
});

test("several processes that set values at once lose none", async (t) => {
  const path = makeFolder(t);
  await openVault(path, cost).set(passphrase, "first", value);
  const names = Array.from({ length: 8 }, (_, number) => `name-${number}`);
  const results = await Promise.all(names.map((name) => openVault(path, cost).set(passphrase, name, value)));
  assert.ok(results.every(({ ok }) => ok));
  assert.deepEqual(openVault(path, cost).status().names, ["first", ...names]);
});

test("names and values that could not be used or masked are refused, and nothing is made", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  for (const [name, text] of [
    ["__proto__", value],
    ["../x", value],
    ["a b", value],
    ["", value],
    ["x".repeat(65), value],
    ["short", "seven77"],
    ["blank", " ".repeat(20)],
    ["nul", `${value}\0`],
    ["large", "x".repeat(65_537)],
    ["half", `${value}\ud800`],
  ] as const) {
    const result = await vault.set(passphrase, name, text);
    assert.equal(result.ok ? "ok" : result.code, "wrong-value", name);
  }
  const weak = await vault.set("1234567", "name", value);
  assert.equal(weak.ok ? "ok" : weak.code, "wrong-value");
  assert.equal(vault.status().state, "none");
  assert.deepEqual(await vault.set(passphrase, "constructor", value), { ok: true });
  assert.equal(vault.read("toString").ok, false);
});

test("a change waits for no lock that a killed process left, and makes none beside one that is held", async (t) => {
  const path = makeFolder(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "one", value);
  const before = readFileSync(path, "utf8");
  writeFileSync(`${path}.lock`, "");
  await assert.rejects(vault.set(passphrase, "two", value), /Another command changes .*vault.json now/);
  assert.equal(readFileSync(path, "utf8"), before);
  utimesSync(`${path}.lock`, 0, 0);
  assert.deepEqual(await vault.set(passphrase, "two", value), { ok: true });
  assert.deepEqual(vault.status().names, ["one", "two"]);
});

test("a passphrase comes by a descriptor, which is closed then, and never by standard input or a wrong number", (t) => {
  const path = `${makeFolder(t)}`.replace("configuration/vault.json", "passphrase");
  writeFileSync(path, `${passphrase}\r\nanother line\n`);
  const descriptor = openSync(path, "r");
  const environment = { PASSEPARTOUT_PASSPHRASE_FD: String(descriptor) };
  assert.equal(readGivenPassphrase(environment), passphrase);
  assert.throws(() => fstatSync(descriptor), /EBADF/);
  for (const number of ["0", "1", "2", "-3", "3.5", "three", "99999"])
    assert.throws(
      () => readGivenPassphrase({ PASSEPARTOUT_PASSPHRASE_FD: number }),
      /passphrase of the vault could not be read/,
      number,
    );
  assert.equal(readGivenPassphrase({ CREDENTIALS_DIRECTORY: join(path, "..") }), null);
  writeFileSync(join(path, "..", "passepartout-passphrase"), "");
  assert.throws(() => readGivenPassphrase({ CREDENTIALS_DIRECTORY: join(path, "..") }), /is empty/);
});
