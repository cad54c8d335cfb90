import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { describeForeignOwner } from "./foreign-owner.ts";

test("of a folder of the program that belongs to another user it is said whose it is, and how to get it back; of no other folder", (t) => {
  const root = mkdtempSync(join(tmpdir(), "owner-"));
  t.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, "passepartout");
  mkdirSync(folder);
  writeFileSync(join(folder, "state.db"), "");
  const { uid } = statSync(folder);
  const ada = { uid: uid + 1, username: "ada" };
  for (const path of [folder, join(folder, "state.db"), join(folder, "not/there")])
    assert.match(
      describeForeignOwner(path, ada) ?? "",
      new RegExp(`^\\S+ belongs to \\S+, not to ada: .* sudo chown -R ada ${folder}$`),
    );
  assert.equal(describeForeignOwner(folder, { uid, username: "me" }), null, "their own");
  assert.equal(describeForeignOwner(folder, { uid: 0, username: "root" }), null);
  assert.equal(describeForeignOwner(root, ada), null, "another folder");
  assert.equal(describeForeignOwner("/nowhere/passepartout", ada), null, "not there");
});
