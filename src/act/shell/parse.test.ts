import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parser } from "../tools/shell/shell.fixture.ts";
import { openShellParser } from "./parse.ts";
import type { ShellProgram } from "./program.ts";

const parse = (cmd: string): Promise<ShellProgram> => parser.parse(cmd, "/home/u");

async function words(cmd: string): Promise<readonly (readonly string[])[]> {
  const program = await parse(cmd);
  assert.equal(program.kind, "plain", program.kind === "opaque" ? program.reason : "");
  return program.kind === "plain"
    ? program.pipelines.flatMap(({ commands }) => commands.map(({ argv }) => argv))
    : [];
}

test("a simple command gives its words after quote removal", async () => {
  assert.deepEqual(await words(`echo 'a b' "c \\" d" e\\ f g'h'"i" '' $'x\\ty'`), [
    ["echo", "a b", 'c " d', "e f", "ghi", "", "x\ty"],
  ]);
});

test("pipelines and connectors are kept in their order", async () => {
  const program = await parse("a | b && ! c || d; e\nf");
  assert.equal(program.kind, "plain");
  if (program.kind !== "plain") return;
  assert.deepEqual(
    program.pipelines.map(({ commands, negated, next }) => [
      commands.map(({ argv }) => argv[0]).join("|"),
      negated,
      next,
    ]),
    [
      ["a|b", false, "&&"],
      ["c", true, "||"],
      ["d", false, ";"],
      ["e", false, ";"],
      ["f", false, null],
    ],
  );
});

test("a redirection belongs to the last command before it", async () => {
  const program = await parse("a && b | c > f 2>&1");
  assert.equal(program.kind, "plain");
  if (program.kind !== "plain") return;
  const all = program.pipelines.flatMap(({ commands }) => commands);
  assert.deepEqual(
    all.map(({ redirects }) => redirects.length),
    [0, 0, 2],
  );
  assert.deepEqual(all[2]?.redirects, [
    { fd: 1, op: ">", target: "f" },
    { fd: 2, op: ">&", target: "1" },
  ]);
});

test("in a list each redirection belongs to the command that it stands behind", async () => {
  const program = await parse("a && b > f && c > g && d || e 2> h; i > j");
  assert.equal(program.kind, "plain");
  if (program.kind !== "plain") return;
  assert.deepEqual(
    program.pipelines.map(({ commands, next }) => [
      ...commands.flatMap(({ argv, redirects }) => [...argv, ...redirects.map(({ target }) => target)]),
      next,
    ]),
    [
      ["a", "&&"],
      ["b", "f", "&&"],
      ["c", "g", "&&"],
      ["d", "||"],
      ["e", "h", ";"],
      ["i", "j", null],
    ],
  );
});

test("a leading tilde stands for the home folder, a quoted one for itself", async () => {
  assert.deepEqual(await words("ls ~/x '~/x' a~b HEAD~3"), [["ls", "/home/u/x", "~/x", "a~b", "HEAD~3"]]);
});

test("$HOME stands for the home folder, except in single quotes", async () => {
  const line = `ls $HOME/x "\${HOME}/y z" '$HOME' a$HOME \\$HOME`;
  const expected = ["ls", "/home/u/x", "/home/u/y z", "$HOME", "a/home/u", "$HOME"];
  assert.deepEqual(await words(line), [expected]);
});

test("the program [ is a command like any other", async () => {
  assert.deepEqual(await words("[ -f 'a b' ] && ls"), [["[", "-f", "a b", "]"], ["ls"]]);
});

const unknowable = [
  "echo $HOMES",
  "echo $USER",
  'echo "$(id)"',
  "echo `id`",
  "echo {a,b}",
  "ls ~root",
  "X=~/a:~/b ls",
  "for i in a; do echo; done",
  "while true; do x; done",
  "if true; then ls; fi",
  "f() { ls; }",
  "function ls { rm; }",
  "(ls)",
  "{ ls; }",
  "cat <<E\nx\nE",
  "diff <(a) <(b)",
  "ls > >(rm)",
  "ls &",
  "coproc ls",
  "ls # x",
  "X=1",
  "export X=1",
  "[[ -f x ]]",
  "case a in a) ls;; esac",
  "cd /",
  "eval $x",
  "eval cd /",
  "eval",
  "exec > x",
  "exec ls; rm a",
  "eval 'exec ls'; rm a",
  "exec -a x ls",
  "command cd /",
  "builtin cd /",
  "command -p ls",
  "source x",
  ". x",
  "set -x",
  "time",
  "time ls | wc",
  "time cd /",
  "ls 3>x",
  "ls >&3",
  "ls <&-",
  "ls >|$x",
  "'unclosed",
  "ls \\",
  "ls;;ls",
  "a |",
  "&& a",
  ")",
  "$'rm' -rf x",
  "$'\\x72m' x",
  '$"ls"',
  "ls $((1+1))",
  "a=(1 2)",
  `echo $\{a:=b}`,
  "select i in a; do x; done",
  "",
  "  \n ",
  "!",
];

for (const cmd of unknowable.filter((each) => each !== "$'rm' -rf x")) {
  test(`a line that bash would expand, group or run itself is opaque: ${JSON.stringify(cmd)}`, async () => {
    assert.equal((await parse(cmd)).kind, "opaque");
  });
}

test("characters that do not look like what they are make a command opaque", async () => {
  for (const code of [
    0, 7, 0x0b, 0x0d, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x200b, 0x202e, 0x2028, 0x3000, 0xfeff, 0xff1b, 0xd800,
    0xe0041,
  ]) {
    assert.equal((await parse(`echo a${String.fromCodePoint(code)}b`)).kind, "opaque", code.toString(16));
  }
});

test("any text is read without a throw", async () => {
  const shellish = fc.string({
    unit: fc.constantFrom(..."ls'\"\\$`(){}[]<>|&;!#~*? \n\t=-1a\0\u00e9\ud800"),
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), shellish), async (text) => {
      const program = await parse(text);
      assert.ok(program.kind === "plain" || program.reason !== "");
    }),
    { numRuns: 1_000 },
  );
});

test("quoting a list of words and reading it gives the words back", async () => {
  const plain = fc.string({
    unit: fc.constantFrom(..."aZ9 '\"\\$`*?{}[]()<>|&;!#~=-/\u00e9\u4e2d"),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(plain, { maxLength: 5 }), async (list) => {
      const cmd = ["echo", ...list.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)].join(" ");
      assert.deepEqual(await words(cmd), [["echo", ...list]]);
    }),
    { numRuns: 300 },
  );
});

test("a very long or deeply nested command gets an answer and does not crash", async () => {
  assert.equal((await parse(`echo ${"a".repeat(20_000)}`)).kind, "opaque");
  assert.equal((await parse("(".repeat(4_000))).kind, "opaque");
  assert.equal((await parse(Array.from({ length: 1_500 }, () => "a").join("&&"))).kind, "plain");
});

test("a line with thousands of pipes or conditions is opaque, and one with hundreds is read", async () => {
  for (const [piece, reason] of [
    ["a|", "it has too many pipes"],
    ["a /x|", "it has too many pipes"],
    ["a || ", "it has too many pipes"],
    ["[[ a && ", "it has too many conditions"],
  ] as const) {
    assert.deepEqual(await parse(piece.repeat(1_000)), { kind: "opaque", reason }, piece);
  }
  assert.equal((await parse(`${"a | ".repeat(250)}a`)).kind, "plain");
});

test("ten thousand parses free their trees", async () => {
  await parse("ls");
  const before = process.memoryUsage();
  for (let count = 0; count < 10_000; count += 1)
    await parse("cat a | grep 'b c' | head -5 && echo done > /dev/null");
  const grown =
    process.memoryUsage().external +
    process.memoryUsage().arrayBuffers -
    before.external -
    before.arrayBuffers;
  assert.ok(grown < 8 * 1024 * 1024, `WebAssembly memory grew by ${grown} bytes`);
});

test("a grammar that cannot be loaded makes every command opaque, and is tried again", async () => {
  let tries = 0;
  const broken = openShellParser(() => {
    tries += 1;
    return Promise.reject(new Error("no such file"));
  });
  const program = await broken.parse("ls", "/home/u");
  assert.equal(program.kind, "opaque");
  await broken.parse("ls", "/home/u");
  assert.equal(tries, 2);
});
