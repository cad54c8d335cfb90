import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { holdBeneath } from "./open-beneath.ts";

test("permissions are given to the entry that was opened, and through no link", async (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "beneath-")));
  t.after(() => rmSync(root, { recursive: true }));
  const modeOf = (name: string): number => statSync(join(root, name)).mode & 0o777;
  mkdirSync(join(root, "folder/closed"), { recursive: true });
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "key"), "words");
  chmodSync(join(root, "key"), 0o600);
  chmodSync(join(root, "folder/closed"), 0o000);
  symlinkSync(join(root, "key"), join(root, "folder/link"));
  symlinkSync(join(root, "elsewhere"), join(root, "folder/away"));
  {
    await using held = await holdBeneath(root, "folder/closed");
    assert.ok(held.status.isDirectory());
    await held.chmod(0o711);
    assert.equal(modeOf("folder/closed"), 0o711);
  }
  await using link = await holdBeneath(root, "folder/link");
  assert.ok(link.status.isSymbolicLink());
  await assert.rejects(link.chmod(0o777), "a link has no permissions of its own");
  assert.equal(modeOf("key"), 0o600);
  await assert.rejects(holdBeneath(root, "folder/away/one"), /is no folder/);
});
