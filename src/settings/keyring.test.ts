import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findKeyring } from "./keyring.ts";

const passphrase = "made-up-by-a-machine_0123456789";
const session = {
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
  HOME: "/home/u",
  OPENAI_API_KEY: "sk-other",
};

/** A program in the place of the system's: keeps what it is given in a file, and writes down what it was called with. */
function makeProgram(t: TestContext, body: string) {
  const folder = mkdtempSync(join(tmpdir(), "keyring-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "program");
  const log = join(folder, "log");
  writeFileSync(program, `#!/bin/sh\n{ echo "$@"; env; } >> ${log}\nkept=${folder}/kept\n${body}\n`);
  chmodSync(program, 0o700);
  return {
    program,
    log: () => readFileSync(log, "utf8"),
    kept: () => readFileSync(join(folder, "kept"), "utf8"),
  };
}

const secretTool = `case "$1" in store) cat > $kept;; lookup) cat $kept 2>/dev/null;; clear) rm $kept;; esac`;
const security = `case "$1" in
-i) sed 's/.*-w //' > $kept;;
find-generic-password) cat $kept 2>/dev/null;;
delete-generic-password) rm $kept;;
esac`;

for (const [platform, body] of [
  ["linux", secretTool],
  ["darwin", security],
] as const) {
  test(`on ${platform} the keyring keeps a passphrase, gives it and forgets it, and it is in no argument or variable`, async (t) => {
    const { program, log, kept } = makeProgram(t, body);
    const keyring = findKeyring(session, { platform, program });
    assert.ok(keyring !== null);
    assert.equal((await keyring.read("entry")).ok, false);
    assert.equal(await keyring.works(), true);
    assert.equal((await keyring.read("entry")).ok, false, "nothing of the trial is left");
    await keyring.keep("entry", passphrase);
    assert.match(kept(), new RegExp(passphrase));
    assert.deepEqual(await keyring.read("entry"), { ok: true, passphrase });
    assert.ok(!log().includes(passphrase), log());
    assert.ok(!log().includes("sk-other"), "no key of the settings goes to it");
    await keyring.forget("entry");
    assert.equal((await keyring.read("entry")).ok, false);
  });
}

test("a keyring that keeps nothing, fails, or gives something else is told, never taken for one that works", async (t) => {
  for (const body of [
    "exit 1",
    "cat > /dev/null",
    `case "$1" in lookup) echo another;; esac`,
    "kill -9 $$",
  ]) {
    const { program } = makeProgram(t, body);
    const keyring = findKeyring(session, { platform: "linux", program });
    await assert.rejects(
      async () => keyring?.keep("entry", passphrase),
      /does not keep the passphrase/,
      body,
    );
  }
});

test("there is no keyring without its program, without a session, or on another system", (t) => {
  const { program } = makeProgram(t, secretTool);
  assert.equal(findKeyring(session, { platform: "linux", program: "/nowhere/secret-tool" }), null);
  assert.equal(findKeyring({}, { platform: "linux", program }), null);
  assert.equal(findKeyring({ XDG_RUNTIME_DIR: "/nowhere" }, { platform: "linux", program }), null);
  assert.equal(findKeyring(session, { platform: "win32", program }), null);
});
