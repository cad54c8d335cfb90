import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { calls, isMissing, makeWorld, talkTo } from "../agent-world.ts";

/** A text of so many bytes in which no number comes twice. */
function textOf(seed: number, length: number): string {
  let [text, last] = ["", seed];
  while (text.length < length) {
    last = (last * 1103515245 + 12345) % 2147483648;
    text += `w${last} `;
  }
  return text;
}

type Documents = { readonly count: number; readonly text: (file: number) => string };

/** Whether a script that makes `s` of each text `s` of the documents asks. */
async function asks(t: TestContext, { count, text }: Documents, made: string): Promise<boolean> {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  for (let file = 0; file < count; file += 1) writeFileSync(world.path(`d${file}.txt`), text(file));
  const cmd = `python3 -c "
import glob
for f in sorted(glob.glob('*.txt')):
    s = open(f, encoding='latin1').read()
    open(f, 'w', encoding='latin1').write(${made})
"`;
  world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("Bring the project up to date.");
  const changed = readFileSync(world.path("d0.txt"), "latin1") !== text(0);
  assert.equal(changed, said.end === "answered", said.text);
  if (changed) return false;
  assert.match(said.text, new RegExp(`overwrites ${count} files, and your message plainly asks for none`));
  return true;
}

const large = { count: 12, text: (file: number) => textOf(file, 2_200_000) };
const small = { count: 40, text: (file: number) => textOf(file, 3_000) };
const rows = { count: 40, text: (file: number) => `row ${file} of the table\n`.repeat(500) };

for (const [title, documents, made] of [
  ["large files of which only the ends stay are lost", large, "s[:40000] + s[-40000:]"],
  [
    "large files with other contents between their ends are lost",
    large,
    "s[:99999] + 'x ' * 1000000 + s[-99999:]",
  ],
  ["what is lost of many files is added up", small, "s[:len(s) // 2]"],
  ["what is lost between other words is added up", small, "s[:len(s) // 3] + 'x y z ' * 300"],
  ["rows of the same words are lost", rows, "s[:len(s) // 3]"],
] as const)
  test(title, async (t) => {
    if (isMissing(t, "bwrap", "bubblewrap")) return;
    assert.equal(await asks(t, documents, made), true);
  });

test("an edit of many files loses little", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  assert.equal(await asks(t, { ...small, count: 60 }, "s[:len(s) * 9 // 10] + ' and more'"), false);
  assert.equal(await asks(t, { ...small, count: 10 }, "s[:len(s) // 2]"), false);
});

test("documents that git tracks are lost also where builds put files", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const cmd of [
    `python3 -c "import glob; [open(p, 'w').write('x') for p in glob.glob('out/*.tex')]"`,
    `python3 -c "import os; os.remove('out/0.tex')"`,
    `python3 -c "import shutil; shutil.rmtree('out/part')"`,
  ]) {
    const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
    mkdirSync(world.path("out/part"), { recursive: true });
    writeFileSync(world.path("out/part/0.tex"), textOf(12, 3_000));
    for (let file = 0; file < 12; file += 1)
      writeFileSync(world.path(`out/${file}.tex`), textOf(file, 3_000));
    const say = async (): Promise<string> => {
      world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
      await using daemon = await world.open();
      const said = await (await talkTo(daemon)).say("Go on.");
      return said.end;
    };
    for (const args of [
      ["init", "-q"],
      ["add", "out"],
    ])
      execFileSync("git", ["-C", world.workspace, ...args]);
    assert.notEqual(await say(), "answered", cmd);
    assert.equal(readFileSync(world.path("out/0.tex"), "latin1"), textOf(0, 3_000));
    rmSync(world.path(".git"), { recursive: true });
    assert.equal(await say(), "answered", cmd);
  }
});
