import assert from "node:assert/strict";
import { test } from "node:test";
import { executedLaterContents } from "./later-change.ts";

test("what git writes anew on a disk where all files are executable is data, and a program in its place is none", () => {
  const change = { held: ["0000 1111 Ada: one\n"], after: "0000 1111 Ada: one\n1111 2222 Ada: two\n" };
  for (const name of ["logs/HEAD", "logs/refs/heads/main", "COMMIT_EDITMSG", "index"]) {
    const path = `/work/.git/${name}`;
    const rule = (more: object): string | null =>
      executedLaterContents({ path, ...change, isExecutable: true, ...more });
    assert.equal(rule({}), null, name);
    assert.match(rule({ after: "#!/bin/sh\nid\n" }) ?? "", /begins with #!/, name);
    for (const after of ["\x7fELF\x02", "MZ\x90"])
      assert.equal(rule({ after }), "the file is executable", name);
    assert.equal(rule({ held: [] }), "the file is executable", "one that is new");
    assert.equal(rule({ becomesExecutable: true }), "it becomes a program", name);
  }
  assert.equal(
    executedLaterContents({ path: "/work/tool", ...change, isExecutable: true }),
    "the file is executable",
  );
});
