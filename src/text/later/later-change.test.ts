import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { executedLaterRule } from "./executed-later.ts";
import { executedLaterContents, executedLaterLarge } from "./later-change.ts";

test("what git writes anew on a disk where all files are executable is data, and a program in its place is none", () => {
  const change = { held: ["0000 1111 Ada: one\n"], after: "0000 1111 Ada: one\n1111 2222 Ada: two\n" };
  for (const name of ["logs/HEAD", "logs/refs/heads/main", "COMMIT_EDITMSG", "index"]) {
    const path = `/home/ada/site/.git/${name}`;
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
    executedLaterContents({ path: "/home/ada/site/tool", ...change, isExecutable: true }),
    "the file is executable",
  );
});

test("what names a commit in a repository is data, and where it names a branch git writes that", () => {
  const names = ["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE"];
  for (const name of [...names, "worktrees/w/MERGE_HEAD", "modules/m/AUTO_MERGE"]) {
    const rule = (after: string): string | null =>
      executedLaterContents({ path: `/home/ada/site/.git/${name}`, held: [], after, isExecutable: false });
    assert.equal(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
    assert.equal(rule(`${"0".repeat(40)}\n`), null, name);
    assert.equal(rule("ref: refs/heads/main\n"), "git writes or takes what it names", name);
  }
  for (const name of ["MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "COMMIT_EDITMSG"])
    assert.equal(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
  for (const name of ["rebase-merge/git-rebase-todo", "HEAD", "config", "MERGE_HEAD/x", "hooks/MERGE_HEAD"])
    assert.notEqual(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
});

test("escapes that stand by chance in bytes that are no text are none, and those in text are", () => {
  const random = (length: number, seed: number): Buffer => {
    const digests: Buffer[] = [];
    for (let at = 0; at < length; at += 32)
      digests.push(createHash("sha256").update(`${seed} ${at}`).digest());
    return Buffer.concat(digests).subarray(0, length);
  };
  const rule = (path: string, bytes: Buffer): (string | null)[] => {
    const after = bytes.toString("latin1");
    const now = { path: `/home/ada/site/${path}`, isExecutable: false };
    return [
      executedLaterContents({ ...now, held: [], after }),
      executedLaterLarge({ ...now, first: after.slice(0, 65_536), last: after.slice(-65_536) }),
    ];
  };
  const nothing = [null, null];
  for (let seed = 0; seed < 40; seed += 1) {
    const some = random(3_000, seed);
    for (const [path, bytes] of [
      ["docs.gz", gzipSync(some)],
      ["one.gz", gzipSync(random(20, seed).toString("hex"))],
      ["docs.zip", Buffer.concat([Buffer.from("PK\x03\x04\x14\0"), deflateRawSync(some)])],
      ["photo.png", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), some])],
      ["table.db", Buffer.concat([Buffer.from("SQLite format 3\0"), some])],
    ] as const)
      assert.deepEqual(rule(path, bytes), nothing, `${path} ${seed}`);
  }
  const hidden = "# Local Vari\x1b(Bables:\n# eval: (evil)\n# End:\n";
  for (const text of [hidden, `\0${hidden}`, `${hidden}\0`, `É ✓ ${hidden}`])
    for (const found of rule("a.py", Buffer.from(text)))
      assert.match(found ?? "", /another code/, JSON.stringify(text));
  for (const unit of ["\xe9", "\x8e\xe9\0"])
    for (const found of rule("a.py", Buffer.from(hidden + unit, "latin1")))
      assert.match(found ?? "", /another code/, JSON.stringify(unit));
  const armed = Buffer.concat([gzipSync("x"), Buffer.from("\n# Local Variables:\n# eval: (evil)\n# End:\n")]);
  for (const found of rule("a.py", armed)) assert.match(found ?? "", /Emacs sets variables/);
});

test("a log with colours and a new database are read as they stand, and only where a character set is named do shifts hide words", () => {
  const whole = (after: string) =>
    executedLaterContents({ path: "/home/ada/site/a.log", held: [], after, isExecutable: false });
  const large = (first: string, last: string) =>
    executedLaterLarge({ path: "/home/ada/site/a.log", first, last, isExecutable: false });
  const table = `SQLite format 3\0\x10\0\x01\x01\0@  \0\0\0\x01\0\0\0\x02${"\0".repeat(30)}\x0f\xd7\x0f\xd7table\x0e`;
  const colours = "\x1b[1mok\x1b[0m\x1b[31;1m failed\x1b[0m \x1b[2K\x1b]0;title\x07\n";
  for (const text of [table, colours, "a\x1b7\x1b[3;1Hb\x1b8", "\x0e\x0f", "Vari\x0e\x0fables:"])
    assert.equal(whole(text), null, JSON.stringify(text));
  assert.equal(large(colours, colours), null);
  const set = ["\x1b(B", "\x1b$B", "\x1b$(D", "\x1b-A", "\x1b.A", "\x1b0"];
  for (const named of set) {
    assert.match(whole(`x ${named} y`) ?? "", /another code/, JSON.stringify(named));
    assert.match(
      whole(`x ,${named} y\n# Local Vari\x0e\x0fables:`) ?? "",
      /another code/,
      JSON.stringify(named),
    );
  }
  // Between the ends of a large file a character set may be named that makes these disappear.
  for (const hides of ["Vari\x0e\x0fables:", "Vari\x1bn\x0fables:"])
    assert.match(large("x", hides) ?? "", /another code/, JSON.stringify(hides));
});
