import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { canReadAttributes, readAttributes } from "./extended-attributes.ts";

test("attributes are read by any name of a file, links have none, and what cannot be read is not known", async (context) => {
  if (!(await canReadAttributes())) {
    context.skip("install the package attr");
    return;
  }
  const made = ["attributes-", "without-"].map((name) => mkdtempSync(join(tmpdir(), name)));
  context.after(() => made.forEach((each) => void rmSync(each, { recursive: true })));
  const [folder = "", empty = ""] = made;
  const paths = ["a", "b\nc d", textOfName(Buffer.from([0x61, 0xff]))].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(bytesOfPath(path), "");
  execFileSync("/bin/sh", ["-c", "setfattr -n user.tag -v red -- *"], { cwd: folder });
  for (const to of ["a", "nowhere"]) symlinkSync(to, join(folder, `to-${to}`));
  const expected = paths.map((path) => [path, new Map([["user.tag", "0x726564"]])]).sort();
  const links = ["to-a", "to-nowhere"].map((name) => join(folder, name));
  assert.deepEqual(
    [...((await readAttributes(empty, [...paths, ...links]))?.attributes ?? [])].sort(),
    expected,
  );
  assert.deepEqual([...((await readAttributes(folder, []))?.attributes ?? [])].sort(), expected);
  assert.equal(await readAttributes(empty, [join(folder, "missing")]), null);
  assert.equal(await readAttributes(join(folder, "missing"), paths), null);
});
