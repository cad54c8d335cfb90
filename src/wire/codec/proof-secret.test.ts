import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readOrMakeSecret, readSecret } from "./proof-secret.ts";

function newFolder(t: TestContext): { readonly folder: string; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-secret-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return { folder, file: join(folder, "wire-secret") };
}

test("a secret is made once: 64 lower-case hexadecimal digits and a line end, for the owner alone", (t) => {
  const { folder, file } = newFolder(t);
  const secret = readOrMakeSecret(folder);
  assert.equal(secret.length, 32);
  assert.equal(readFileSync(file, "utf8"), `${Buffer.from(secret).toString("hex")}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readOrMakeSecret(folder), secret);
  assert.deepEqual(readSecret(folder), secret);
  assert.deepEqual(readdirSync(folder), ["wire-secret"]);
});

test("processes that make the secret at the same time all get the same secret", async (t) => {
  const { folder } = newFolder(t);
  const module = JSON.stringify(new URL("proof-secret.ts", import.meta.url).href);
  const program = `import { readOrMakeSecret } from ${module};
    process.stdout.write(Buffer.from(readOrMakeSecret(${JSON.stringify(folder)})).toString("hex"));`;
  const made = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const said: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
      await once(child, "close");
      assert.equal(child.exitCode, 0);
      return Buffer.concat(said).toString();
    }),
  );
  assert.deepEqual(new Set(made), new Set([Buffer.from(readSecret(folder)).toString("hex")]));
  assert.deepEqual(readdirSync(folder), ["wire-secret"]);
});

test("a folder without a secret is an error for a client, who makes none", (t) => {
  const { folder } = newFolder(t);
  assert.throws(() => readSecret(folder), /There is no secret at .*wire-secret\. Start the daemon once/);
  assert.deepEqual(readdirSync(folder), []);
});

test("a secret that other users can read is refused with its mode, and not repaired", (t) => {
  const { folder, file } = newFolder(t);
  readOrMakeSecret(folder);
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(file, mode);
    for (const read of [readSecret, readOrMakeSecret]) {
      assert.throws(() => read(folder), new RegExp(`mode is ${mode.toString(8)} and must be 600`));
    }
    assert.equal(statSync(file).mode & 0o777, mode);
  }
});

test("an invalid secret is refused and not changed", (t) => {
  const { folder, file } = newFolder(t);
  const digits = "0".repeat(64);
  for (const contents of [
    "",
    digits,
    `${digits}\n\n`,
    `${digits}0\n`,
    `${"A".repeat(64)}\n`,
    `${digits}\r\n`,
  ]) {
    writeFileSync(file, contents, { mode: 0o600 });
    assert.throws(() => readOrMakeSecret(folder), /does not consist of 64 lower-case hexadecimal digits/);
    assert.equal(readFileSync(file, "utf8"), contents);
  }
});

test("a link, a pipe and a folder in the place of the secret are refused at once", (t) => {
  const { folder, file } = newFolder(t);
  const other = newFolder(t);
  readOrMakeSecret(other.folder);
  symlinkSync(other.file, file);
  assert.throws(() => readOrMakeSecret(folder), /is a link; the secret must be a regular file/);
  rmSync(file);
  assert.equal(spawnSync("mkfifo", ["-m", "600", file]).status, 0);
  assert.throws(() => readSecret(folder), /is not a regular file/);
  rmSync(file);
  mkdirSync(file, 0o700);
  assert.throws(() => readSecret(folder), /is not a regular file/);
});

test("a missing folder is an error with a message", (t) => {
  const { folder } = newFolder(t);
  assert.throws(
    () => readOrMakeSecret(join(folder, "none")),
    /cannot be written\. Make sure that its folder is writable/,
  );
});
