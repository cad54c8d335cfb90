import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { filePrograms } from "./file-programs.ts";
import { gitCommands } from "./git-commands.ts";
import type { PathUse } from "./proof.ts";
import { proveHarmless } from "./prove-harmless.ts";
import { readOnlyPrograms } from "./read-only-programs.ts";
import { systemPrograms } from "./system-programs.ts";
import { textPrograms } from "./text-programs.ts";
import { wrapperTable } from "./wrapper-table.ts";

const harmless = [
  "ls -la src",
  "cat -n a b",
  "head -5 a",
  "head -n 5 a",
  "tail -f log",
  "wc -l a",
  "grep -rn --include=*.ts x src",
  "grep -e a -f list b",
  "find . -name *.ts -type f -not -path ./x",
  "find -maxdepth 2 ( -name a -o -name b ) -print0",
  "echo -e x",
  "printf %s\\n a",
  "pwd",
  "date +%F",
  "date -d tomorrow +%s",
  "whoami",
  "id -u",
  "uname -a",
  "sort -t: -k2,2 a",
  "uniq -c a",
  "cut -d: -f1 a",
  "tr -d x",
  "diff -u a b",
  "cmp a b",
  "file a",
  "stat -c %s a",
  "du -sh .",
  "df -h",
  "tree -L 2",
  "basename /a/b",
  "dirname /a/b",
  "realpath a",
  "readlink -f a",
  "which ls",
  "type ls",
  "true",
  "false",
  "test -f a",
  "[ -d a ]",
  "sed -n 1,20p a",
  "sed s/a/b/g a",
  "rg -n x src",
  "jq .a f",
  "md5sum a",
  "sha256sum a",
  "seq 10",
  "sleep 1",
  "nl a",
  "tac a",
  "rev a",
  "column -t a",
  "fold -w 80 a",
  "comm a b",
  "join a b",
  "paste a b",
  "xxd -l 16 a",
  "od -c a",
  "hexdump -C a",
  "ps aux",
  "free -m",
  "uptime",
  "/bin/ls",
  "/usr/bin/cat a",
  "node --version",
  "ls --",
  "cat -- -a",
  "awk 1 a",
  "md5sum -c a",
  "bat -n a",
  "jq --arg a b --slurpfile c d .x f",
];

for (const cmd of harmless) {
  test(`only reads: ${cmd}`, () => {
    const proof = proveHarmless(cmd.split(" "));
    assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
  });
}

const doubtful = [
  "jq -f p a",
  "jq --rawfile a",
  "bat --pager=sh a",
  "bat cache --build",
  "batcat --config-file=x a",
  "rm a",
  "cp a b",
  "env",
  "printenv",
  "bash -c ls",
  "sh",
  "./ls",
  "/tmp/ls",
  "/home/u/bin/ls",
  "ls/../rm",
  "../bin/ls",
  "LS",
  "find . -delete",
  "find . -exec rm {} ;",
  "find . -execdir x ;",
  "find . -ok x ;",
  "find . -fprint f",
  "find . -fprintf f %p",
  "find . -fls f",
  "find . -files0-from f",
  "sort -o a b",
  "sort --output=a b",
  "sort --compress-program=sh a",
  "sort --compress-prog sh a",
  "sort -T /x a",
  "uniq a b",
  "date -s x",
  "date 010100002000",
  "date --set=x",
  "hostname evil",
  "sed -i s/a/b/ f",
  "sed -n w/x f",
  "sed 1e f",
  "sed s/a/b/e f",
  "sed s/a/b/w f",
  "sed -f s f",
  "sed r/etc/passwd f",
  "sed --in-place s/a/b/ f",
  "rg --pre=x y",
  "rg -z x",
  "rg -L x",
  "rg --search-zip x",
  "rg --hostname-bin=x y",
  "tree -o f",
  "tree -R -L 1",
  "file -C -m x",
  "file -z a",
  "xxd a b",
  "xxd -r a b",
  "grep -R x .",
  "grep -d recurse x .",
  "grep --recu x .",
  "ls --al",
  "diff -l a b",
  "diff --outpu=x a b",
  "wc --files0-from=a",
  "du --files0-from=a",
  "tail --pid=1 -f a",
  "strings @a",
  "ps eww",
  "ps axe",
  "ps -aue",
  "ps -o environ",
  "jq env f",
  "jq $ENV.X f",
  "jq -n -f p",
  "jq import_.a -L x",
  "jq input_filename f",
  "printf -v x y",
  "fd -x rm",
  "fd -X rm",
  "fd -l",
  "test -v x",
  "[ -f a",
  "sleep 1000",
  "node x.js",
  "python3 -c x",
  "python3 --version x",
];

for (const cmd of doubtful) {
  test(`is not proved harmless: ${cmd}`, () => {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false);
  });
}

function reads(...argv: readonly string[]): readonly PathUse[] {
  const proof = proveHarmless(argv);
  assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
  return proof.harmless ? proof.reads : [];
}

test("the files that a command opens are its reads, the pattern and the values of options are not", () => {
  assert.deepEqual(reads("grep", "-A", "2", "x", "a", "b"), [
    { path: "a", access: "contents", tree: false },
    { path: "b", access: "contents", tree: false },
  ]);
  assert.deepEqual(reads("grep", "-f", "list", "a"), [
    { path: "list", access: "contents", tree: false },
    { path: "a", access: "contents", tree: false },
  ]);
  assert.deepEqual(reads("grep", "-r", "x"), [{ path: ".", access: "contents", tree: true }]);
  assert.deepEqual(reads("date", "-f", "/etc/shadow"), [
    { path: "/etc/shadow", access: "contents", tree: false },
  ]);
  assert.deepEqual(reads("ls", "-R", "a"), [{ path: "a", access: "names", tree: true }]);
  assert.deepEqual(reads("sed", "-n", "p", "a"), [{ path: "a", access: "contents", tree: false }]);
  assert.deepEqual(reads("xxd", "-ps", "a"), [{ path: "a", access: "contents", tree: false }]);
  assert.deepEqual(reads("cat", "-"), [{ path: "-", access: "contents", tree: false }]);
});

test("the words that run keep a program from starting another one", () => {
  const git = proveHarmless(["git", "diff"]);
  assert.ok(
    git.harmless &&
      ["--no-ext-diff", "--no-textconv", "core.fsmonitor=false", "--no-pager"].every((word) =>
        git.argv.includes(word),
      ),
  );
  const sed = proveHarmless(["sed", "-n", "1p", "a"]);
  assert.ok(sed.harmless && sed.argv.includes("--sandbox"));
});

test("an unknown program is never proved harmless, whatever follows it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.string()), (program, args) => {
      fc.pre(!harmless.some((cmd) => cmd.split(" ")[0] === program) && program.length > 8);
      assert.equal(proveHarmless([program, ...args]).harmless, false);
    }),
  );
});

test("a program stands in one table only", () => {
  const names = [filePrograms, textPrograms, systemPrograms].flatMap((table) => Object.keys(table));
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test("each entry of the grammar names the manual page that it was made from, with section, package and version", () => {
  const pages = [
    ...[...readOnlyPrograms].map(([name, { page }]) => [name, page] as const),
    ...[...gitCommands].map(([name, { page }]) => [name, page] as const),
    ...[...wrapperTable].map(([name, { page }]) => [name, page] as const),
  ];
  assert.ok(pages.length > 150);
  const wrong = pages.filter(
    ([, page]) => !/^[\w.+-]+(?:\(\d\w*\)| --help,) [a-z][\w.+-]* \d[\w.]*$/.test(page),
  );
  assert.deepEqual(wrong, []);
});

test("a word behind an option whose value may be left out is a file that is read", () => {
  for (const cmd of [
    "git diff -U /etc/a /dev/null",
    "git diff --unified /etc/a /dev/null",
    "git diff -p -U /etc/a -- /dev/null",
    "git blame --abbrev /etc/a",
  ]) {
    const proof = proveHarmless(cmd.split(" "));
    assert.ok(proof.harmless && proof.reads.some(({ path }) => path === "/etc/a"), cmd);
  }
});
