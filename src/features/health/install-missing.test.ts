import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { installMissing } from "./install-missing.ts";

/** Installs `greeter` by a package manager that is this script, in a folder of its own. */
async function install(t: TestContext, script: string | null) {
  const folder = mkdtempSync(join(tmpdir(), "install-missing-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const manager = join(folder, "manager");
  if (script !== null) writeFileSync(manager, `#!/bin/sh\ncd ${folder}\n${script}\n`);
  if (script !== null) chmodSync(manager, 0o755);
  const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
  const argv = [manager, "install", "greeter-package"];
  const installation = { program: "greeter", package: "greeter-package", isGuessed: false, argv };
  const find = async () => installation;
  return installMissing({ environment, find }, "greeter", new AbortController().signal);
}

test("an installation says where the program is, or why it is not there and what to run", async (t) => {
  const made = await install(
    t,
    `[ "$*" = "install greeter-package" ] && echo : > greeter && chmod 755 greeter`,
  );
  assert.equal(made.ok, true, made.text);
  assert.match(made.text, /^The package greeter-package was installed; greeter is \S+\/greeter\.$/);
  for (const [script, why] of [
    ["echo 'sudo: a password is required' >&2; exit 1", /sudo asks for a password here/],
    ["echo 'no such package' >&2; exit 100", /no such package/],
    ["exit 7", /exit code 7/],
  ] as const) {
    const failed = await install(t, script);
    assert.equal(failed.ok, false);
    assert.match(failed.text, why);
    assert.match(failed.text, /Run it yourself: \S+\/manager install greeter-package$/);
  }
  assert.match((await install(t, "exit 0")).text, /still not there/);
  assert.match((await install(t, null)).text, /manager is not there\. Install greeter as root: /);
});
