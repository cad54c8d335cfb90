import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { leastTime } from "../../../test/processor-time.ts";
import { makeScratchFolder, parser, shellIn } from "../tools/shell/shell.fixture.ts";

async function workspaceWith(context: TestContext, ...files: readonly string[]): Promise<string> {
  const folder = await makeScratchFolder(context);
  for (const file of files) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), "x");
  }
  return folder;
}

/** The words that a line would run with, or the one script that it is. */
async function wordsOf(folder: string, cmd: string): Promise<readonly string[]> {
  const prepared = await shellIn(folder).prepare(cmd);
  assert.ok(prepared.ok);
  return prepared.effects.flatMap((effect) => (effect.kind === "run-program" ? effect.argv : []));
}

test("a pattern is replaced by the names that bash would put in its place", async (context) => {
  const folder = await workspaceWith(
    context,
    "a.txt",
    "b.txt",
    "B.md",
    ".hidden",
    "src/x.ts",
    "src/y.ts",
    "docs/x.ts",
    "we ird.txt",
  );
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["cat *.txt", ["cat", "a.txt", "b.txt", "we ird.txt"]],
    ["cat ?.txt", ["cat", "a.txt", "b.txt"]],
    ["cat [ab].txt", ["cat", "a.txt", "b.txt"]],
    ["cat [!a].txt", ["cat", "b.txt"]],
    ["cat [[:upper:]].md", ["cat", "B.md"]],
    ["cat */x.ts", ["cat", "docs/x.ts", "src/x.ts"]],
    ["cat ./src/*", ["cat", "./src/x.ts", "./src/y.ts"]],
    ["cat 'we'*.txt", ["cat", "we ird.txt"]],
    ['cat "*.txt"', ["cat", "*.txt"]],
    ["cat \\*.txt", ["cat", "*.txt"]],
    ["cat *.none", ["cat", "*.none"]],
    ["ls -d */", ["ls", "-d", "docs/", "src/"]],
    ["rm *.txt", ["rm", "a.txt", "b.txt", "we ird.txt"]],
  ];
  for (const [cmd, words] of cases) assert.deepEqual(await wordsOf(folder, cmd), words, cmd);
});

test("a pattern finds names that look like what it matches, as they are on the disk, where none has its own Unicode form", async (context) => {
  const [composed, decomposed] = ["r\u00e9sum\u00e9", "re\u0301sume\u0301"];
  for (const [there, written] of [
    [decomposed, composed],
    [composed, decomposed],
  ] as const) {
    const folder = await workspaceWith(context, `${there}/${there}.txt`, `${there}/b.txt`);
    const path = `${there}/${there}.txt`;
    assert.deepEqual(await wordsOf(folder, `cat ${written}/*.txt`), ["cat", `${there}/b.txt`, path]);
    assert.deepEqual(await wordsOf(folder, `cat ${written}/${written}*`), ["cat", path]);
    assert.deepEqual(await wordsOf(folder, `cat */${written[0]}*[${composed.at(-1)}].txt`), ["cat", path]);
    assert.deepEqual(await wordsOf(folder, "cat */r?sum?.txt"), ["cat", path]);
    await writeFile(join(folder, there, `${written}.txt`), "x");
    const own = await wordsOf(folder, `cat ${there}/${written}*`);
    assert.deepEqual(own, ["cat", `${there}/${written}.txt`], "its own form comes first");
  }
});

test("a pattern whose names cannot be known, or would be an option, leaves the line a script that asks", async (context) => {
  const folder = await workspaceWith(context, "-rf", "a.txt");
  for (const cmd of [
    "cat *",
    "ls [[.e.]]*",
    "touch b.txt && cat *.txt",
    "cat .e*",
    "cat id_?sa",
    "cat *.pem",
    "l? a",
  ])
    assert.equal((await wordsOf(folder, cmd))[0], "bash", cmd);
  assert.deepEqual(await wordsOf(folder, "cat ./*"), ["cat", "./-rf", "./a.txt"]);
});

test("a pattern that stands for a secret file is a read of that file", async (context) => {
  const folder = await workspaceWith(context, ".env", "id_rsa", "a");
  for (const cmd of ["cat .e*", "cat .[de]*v", "cat id_*", "cat *"]) {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok);
    const read = prepared.effects.flatMap((effect) => (effect.kind === "read-path" ? effect.target : []));
    assert.ok(
      read.some((path) => path.endsWith("/.env") || path.endsWith("/id_rsa")),
      cmd,
    );
  }
});

test("a pattern with many stars is matched in no time", async (context) => {
  const folder = await workspaceWith(context, "a".repeat(200));
  const time = await leastTime(async () => {
    assert.deepEqual((await wordsOf(folder, `ls ${"*a".repeat(100)}b`)).length, 2);
  }, 2000);
  assert.ok(time < 2000, `${time} ms`);
});

test("a backslash in the name of an option, and patterns in redirections and assignments, are opaque", async () => {
  for (const cmd of [
    "ls \\-l",
    "ls -\\l",
    "sort --ou\\tput=x",
    "cat < *.txt",
    "echo x > *.txt",
    "A=* ls",
    "[ -f * ]",
  ])
    assert.equal((await parser.parse(cmd, "/home/u")).kind, "opaque", cmd);
  for (const cmd of ["cut -d\\| -f1 a", "find . \\( -name x \\)"])
    assert.equal((await parser.parse(cmd, "/home/u")).kind, "plain", cmd);
});

test("parts of a word that the grammar reads apart make a line opaque, and are never several words", async () => {
  for (const cmd of ['jq -n $"e"nv', "cat .en\\\nv", 'cat "a"\\\n"b"', 'cat $"a b"', "cat .e\\\n\\\nnv"])
    assert.equal((await parser.parse(cmd, "/home/u")).kind, "opaque", cmd);
  for (const cmd of ["ls \\\n -l", "ls \\\n-l", "ls -l \\\na"])
    assert.equal((await parser.parse(cmd, "/home/u")).kind, "plain", cmd);
});
