import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openVault } from "./vault.ts";
import { type Binding, readVaultFile } from "./vault-file.ts";

const passphrase = "correct horse battery";
const value = "sk-live-0123456789abcdefghij";
/** The least that the file allows, so that the tests are quick. */
const cost = 16_384;
const binding: Binding = {
  host: "api.example",
  port: 443,
  header: "authorization",
  variable: "API_TOKEN",
};

function makeVaultPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vault-file-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "vault.json");
}

const codeOf = (result: { readonly ok: boolean; readonly code?: string }): string =>
  result.ok ? "ok" : (result.code ?? "");

/** A file as version 1 wrote it. */
const firstVersion = `{"version":1,"scrypt":{"n":16384,"r":8,"p":1,"salt":"y2RPRQ7HO8A3Whwsv/+VsQ=="},"check":{"nonce":"6MErGri9OWgXMs+4","text":"fsyWnVIh30ozO/0SK3tZAQ=="},"entries":[{"name":"openai","nonce":"x9zbJtUJjQc61b4R","text":"KXU8cHurp/28dmsnsKahvGYunyDGeIfBz5EucKfGyKzxdtSPcKdz7pI33F4="},{"name":"second","nonce":"GDFbPnj/7G0RrcA/","text":"gfpn/wwCwzGrdWAs5r5PSp398ZGg1Uxkk4kp3bh4e5Czi9c="}],"seal":{"nonce":"MuGxkeCC0d9p+TTV","text":"YAQYAVq7QY+55Q+AU1inPw=="},"digest":"afc2afb3962372befe25ea5d12475b3ae5635d36aeee13aee324aab18ca37660"}`;

test("a vault of version 1 is read as it is, and keeps its values when it is changed", async (t) => {
  const path = makeVaultPath(t);
  writeFileSync(path, firstVersion);
  const vault = openVault(path, cost);
  assert.deepEqual(await vault.unlock(passphrase), { ok: true });
  assert.deepEqual(vault.read("openai"), { ok: true, value });
  assert.equal(readFileSync(path, "utf8"), firstVersion);
  assert.deepEqual(await vault.bind(passphrase, "openai", binding), { ok: true });
  const after = openVault(path, cost);
  await after.unlock(passphrase);
  assert.deepEqual(after.read("second"), { ok: true, value: "another-value-of-it" });
  assert.deepEqual([...after.status().bindings], [["openai", binding]]);
});

test("a value stays bound when it is set again, is bound to one place, and is one that a header can hold", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  assert.equal(codeOf(await vault.bind(passphrase, "none", binding)), "no-vault");
  await vault.set(passphrase, "api", value);
  assert.equal(codeOf(await vault.bind(passphrase, "none", binding)), "no-name");
  assert.equal(codeOf(await vault.bind("wrong passphrase", "api", binding)), "wrong-passphrase");
  await vault.bind(passphrase, "api", binding);
  await vault.set(passphrase, "api", `${value}-new`);
  await vault.bind(passphrase, "api", { ...binding, host: "other.example" });
  assert.equal(vault.status().bindings.get("api")?.host, "other.example");
  assert.equal(codeOf(await vault.set(passphrase, "api", `${value}\r\nX-More: 1`)), "wrong-value");
  await vault.set(passphrase, "lines", `${value}\nsecond line`);
  assert.equal(codeOf(await vault.bind(passphrase, "lines", binding)), "wrong-value");
  await vault.bind(passphrase, "api", null);
  assert.equal(vault.status().bindings.size, 0);
  await vault.unlock(passphrase);
  assert.deepEqual(vault.read("api"), { ok: true, value: `${value}-new` });
});

test("a binding that somebody wrote into the file is damage, even with the right digest", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "api", value);
  await vault.bind(passphrase, "api", binding);
  const file = readVaultFile(path);
  assert.ok(file.kind === "sealed");
  const [entry] = file.contents.entries;
  for (const bound of [{ ...binding, host: "evil.example" }, undefined]) {
    const forged = { ...file.contents, entries: [{ ...entry, bound }] };
    const digest = createHash("sha256").update(JSON.stringify(forged)).digest("hex");
    writeFileSync(path, JSON.stringify({ ...forged, digest }));
    assert.equal(codeOf(await openVault(path, cost).unlock(passphrase)), "damaged");
  }
});

test("the passphrase is changed, the old one opens nothing, and a running agent is locked until it has the new one", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  const agent = openVault(path, cost);
  await vault.set(passphrase, "api", value);
  await vault.bind(passphrase, "api", binding);
  await agent.unlock(passphrase);
  const next = { passphrase: "another passphrase" };
  assert.equal(codeOf(await vault.changePassphrase("wrong one", next)), "wrong-passphrase");
  assert.equal(codeOf(await vault.changePassphrase(passphrase, { passphrase: "short" })), "wrong-value");
  assert.deepEqual(agent.read("api"), { ok: true, value });
  assert.deepEqual(await vault.changePassphrase(passphrase, next), { ok: true });
  assert.equal(agent.read("api").ok, false);
  assert.deepEqual(agent.values(), [value], "it is still masked");
  assert.equal(codeOf(await agent.unlock(passphrase)), "wrong-passphrase");
  assert.deepEqual(await agent.unlock(next.passphrase), { ok: true });
  assert.deepEqual(agent.read("api"), { ok: true, value });
  assert.deepEqual([...agent.status().bindings], [["api", binding]]);
});

test("a keyring that does not keep the passphrase leaves the vault as it was", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "api", value);
  const before = readFileSync(path, "utf8");
  const fails = { passphrase: "made up by a machine", keep: () => Promise.reject(new Error("no keyring")) };
  await assert.rejects(vault.changePassphrase(passphrase, fails), /no keyring/);
  assert.equal(readFileSync(path, "utf8"), before);
  const kept: string[] = [];
  const keep = async (entry: string) => void kept.push(entry);
  assert.deepEqual(await vault.changePassphrase(passphrase, { passphrase: "made up by a machine", keep }), {
    ok: true,
  });
  assert.deepEqual([vault.status().keyringEntry], kept);
  assert.deepEqual(await vault.changePassphrase("made up by a machine", { passphrase }), { ok: true });
  assert.equal(vault.status().keyringEntry, null);
});

test("whenever a process is killed while it changes the passphrase, the old or the new one opens the vault", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "api", value);
  const program = `
    import { openVault } from ${JSON.stringify(new URL("./vault.ts", import.meta.url).href)};
    const vault = openVault(${JSON.stringify(path)}, ${cost});
    const both = [${JSON.stringify(passphrase)}, "another passphrase"];
    if (!(await vault.unlock(both[0])).ok) both.reverse();
    console.log("begun");
    for (;;) { await vault.changePassphrase(both[0], { passphrase: both[1] }); both.reverse(); }`;
  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await wait(10 + round * 57);
    child.kill("SIGKILL");
    await once(child, "close");
    const after = openVault(path, cost);
    const opened = [await after.unlock(passphrase), await after.unlock("another passphrase")];
    assert.equal(opened.filter(({ ok }) => ok).length, 1, `round ${round}: ${JSON.stringify(opened)}`);
    assert.deepEqual(after.read("api"), { ok: true, value });
    rmSync(`${path}.lock`, { force: true });
  }
});

/** `npm run long` tries a hundred: each costs as much as an attacker's. */
const wrong = process.env["LONG"] === "all" ? 100 : 25;

test("many wrong passphrases lock nothing, and the event loop goes on between them", async (t) => {
  const path = makeVaultPath(t);
  const vault = openVault(path, cost);
  await vault.set(passphrase, "api", value);
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  const results = await Promise.all(
    Array.from({ length: wrong }, (_, number) => vault.unlock(`wrong ${number}`)),
  );
  clearInterval(ticking);
  assert.deepEqual(new Set(results.map(codeOf)), new Set(["wrong-passphrase"]));
  assert.ok(turns >= wrong, `${turns} turns of the event loop`);
  assert.deepEqual(await vault.unlock(passphrase), { ok: true });
});

test("processes that set values at once wait for each other and lose none", async (t) => {
  const path = makeVaultPath(t);
  await openVault(path, cost).set(passphrase, "first", value);
  const program = (name: string) => `
    import { openVault } from ${JSON.stringify(new URL("./vault.ts", import.meta.url).href)};
    const vault = openVault(${JSON.stringify(path)}, ${cost});
    for (const each of [1, 2, 3]) {
      const done = await vault.set(${JSON.stringify(passphrase)}, "${name}-" + each, ${JSON.stringify(value)});
      if (!done.ok) throw new Error(done.reason);
    }`;
  const codes = await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      const args = ["--input-type=module-typescript", "-e", program(name)];
      const child = spawn(process.execPath, args, { stdio: "inherit" });
      await once(child, "close");
      return child.exitCode;
    }),
  );
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(openVault(path, cost).status().names.length, 10);
});

test("a file that is newer, too large or no file is told in words, and nothing is written over it", async (t) => {
  const path = makeVaultPath(t);
  mkdirSync(dirname(path), { recursive: true });
  const forms: readonly (readonly [() => void, RegExp])[] = [
    [() => writeFileSync(path, firstVersion.replace('"version":1', '"version":3')), /version 3.*Update/],
    [() => writeFileSync(path, "[".repeat(100_000)), /does not have the form/],
    [() => truncateSync(path, 2 ** 31), /more than \d+ bytes/],
    [() => execFileSync("mkfifo", [path]), /is no file/],
    [() => mkdirSync(path), /is no file/],
  ];
  for (const [make, words] of forms) {
    make();
    const vault = openVault(path, cost);
    assert.equal(vault.status().state, "damaged");
    assert.match(vault.status().text, words);
    const results = [
      await vault.unlock(passphrase),
      await vault.set(passphrase, "api", value),
      await vault.changePassphrase(passphrase, { passphrase: "another passphrase" }),
      await vault.bind(passphrase, "api", binding),
    ];
    assert.deepEqual(new Set(results.map(codeOf)), new Set(["damaged"]));
    if (words.source.includes("more than")) rmSync(path);
    else if (words.source.includes("no file")) rmSync(path, { recursive: true });
  }
});
