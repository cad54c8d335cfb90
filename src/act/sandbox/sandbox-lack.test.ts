import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { explainNoSandbox } from "./sandbox-lack.ts";

const cases: readonly (readonly [files: Readonly<Record<string, string>>, why: RegExp, remedy: RegExp])[] = [
  [{}, /is missing$/, /^Install the package bubblewrap/],
  [{ "usr/bin/bwrap": "" }, /is installed, but may make no namespaces/, /bwrap --unshare-all/],
  [
    { "usr/bin/bwrap": "", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" },
    /is installed/,
    /sudo sysctl kernel\.apparmor_restrict_unprivileged_userns=0/,
  ],
  [
    { "usr/bin/bwrap": "", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0\n" },
    /is installed/,
    /bwrap --unshare-all/,
  ],
  [
    { "usr/bin/bwrap": "", ".dockerenv": "", "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" },
    /is installed/,
    /--security-opt seccomp=unconfined/,
  ],
  [
    { "bin/bwrap": "", "proc/sys/user/max_user_namespaces": "0\n" },
    /is installed/,
    /sudo sysctl user\.max_user_namespaces=/,
  ],
  [
    { "bin/bwrap": "", "proc/sys/kernel/unprivileged_userns_clone": "0\n" },
    /is installed/,
    /sudo sysctl kernel\.unprivileged_userns_clone=1/,
  ],
];

test("bubblewrap that is installed and may make no namespaces is not called missing, and what forbids it is named", (t) => {
  for (const [files, why, remedy] of cases) {
    const root = mkdtempSync(join(tmpdir(), "sandbox-lack-"));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const lack = explainNoSandbox(root);
    assert.match(lack.why, why);
    assert.match(lack.remedy, remedy);
  }
});
