import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { namedByRepository, namesInSettings } from "./git-names.ts";
import { OtherNames } from "./later-names.ts";

const settings: readonly (readonly [what: string, text: string, named: string, file?: string])[] = [
  ["a place of the home folder", "[include]\n\tpath = ~/tree/team.cfg", "team.cfg"],
  ["one under a condition", '[includeIf "gitdir:/"]\n\tpath = ~/tree/team.cfg', "team.cfg"],
  ["hooks of the home folder", "[core]\n\thooksPath = ~/tree/hk", "hk/pre-commit"],
  ["a comment behind a place", "[core]\n\thooksPath = hk ; of the team", "hk/pre-commit"],
  ["another comment behind a place", "[include]\n\tpath = ../team.cfg # team", "team.cfg"],
  ["a place that is quoted in part", '[include]\n\tpath = "../team".cfg', "team.cfg"],
  ["a comment that seems to go on", "[core]\n; x \\\n\thooksPath = hk", "hk/pre-commit"],
  ["settings of one work tree", "[core]\n\thooksPath = hk", "hk/pre-commit", "config.worktree"],
  ["a pager of one command", "[pager]\n\tlog = sh tools/x", "tools/x"],
  ["an update of a submodule", '[submodule "s"]\n\tupdate = !tools/x', "tools/x"],
  ["a folder of templates", "[init]\n\ttemplateDir = tools/tpl", "tools/tpl/hooks/pre-commit"],
  ["a command that goes to its folder", '[alias]\n\tx = "!cd tools && ./x"', "tools/x"],
  ["a command behind a variable", '[alias]\n\tx = "!sh \\"$PWD\\"/tools/x"', "tools/x"],
  ["a command with a space in a name", '[alias]\n\tx = "!sh \\"tools/my x\\""', "tools/my x"],
];

/** What executes or obeys a file by another name. */
function laterBy(path: string): Promise<string | null> {
  return new OtherNames().laterBy(path, { byInode: true });
}

function makeWorkTree(context: { after: (end: () => void) => void }): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "git-names-")));
  context.after(() => rmSync(home, { recursive: true }));
  for (const folder of [".git", "tools", "lib"]) mkdirSync(join(home, "tree", folder), { recursive: true });
  return join(home, "tree");
}

for (const [what, text, named, file = "config"] of settings)
  test(`what the settings of a repository name counts: ${what}`, async (context) => {
    const work = makeWorkTree(context);
    writeFileSync(join(work, ".git", file), `[user]\n\tname = a\n${text}\n`);
    assert.match((await namedByRepository(join(work, named))) ?? "", /git obeys or runs it/);
    assert.equal(await namedByRepository(join(work, "plan.txt")), null);
  });

test("settings that a place of the home folder leads to are read, and name files as well", async (context) => {
  const work = makeWorkTree(context);
  writeFileSync(join(work, ".git/config"), "[include]\n\tpath = ~/team.cfg\n");
  writeFileSync(join(dirname(work), "team.cfg"), "[core]\n\thooksPath = hk\n");
  assert.match((await namedByRepository(join(work, "hk/pre-commit"))) ?? "", /git obeys or runs it/);
});

test("what the settings of a repository name around its work tree is found for the folder around", async (context) => {
  const work = makeWorkTree(context);
  mkdirSync(join(work, "lib/.git"));
  writeFileSync(join(work, "lib/.git/config"), "[core]\n\thooksPath = ../hooks-of-all\n");
  const hooks = join(work, "hooks-of-all");
  assert.ok((await namesInSettings(join(work, "lib"), work)).includes(hooks));
  assert.ok(!(await namesInSettings(join(work, "lib"))).includes(hooks));
  const why = await laterBy(join(hooks, "pre-commit"));
  assert.match(why ?? "", /the settings of a repository in \S+ name \S+hooks-of-all, and git obeys/);
});

test("what the settings of a submodule name around its work tree counts, however deep it lies", async (context) => {
  const work = makeWorkTree(context);
  mkdirSync(join(work, ".git/modules/s"), { recursive: true });
  mkdirSync(join(work, "lib/vendor/s"), { recursive: true });
  writeFileSync(join(work, "lib/vendor/s/.git"), "gitdir: ../../../.git/modules/s\n");
  writeFileSync(join(work, ".git/modules/s/config"), "[core]\n\thooksPath = ../../../hooks-of-all\n");
  writeFileSync(join(work, ".gitmodules"), '[submodule "s"]\n\tpath = lib/vendor/s\n');
  assert.match((await laterBy(join(work, "hooks-of-all/pre-commit"))) ?? "", /git obeys/);
  assert.equal(await laterBy(join(work, "plain.txt")), null);
});

test("a repository beside a file is found among many folders", async (context) => {
  const work = makeWorkTree(context);
  for (let index = 0; index < 120; index += 1) mkdirSync(join(work, `part-${index}`));
  mkdirSync(join(work, "part-99/.git"));
  writeFileSync(join(work, "part-99/.git/config"), "[core]\n\thooksPath = ../hooks-of-all\n");
  const why = await laterBy(join(work, "hooks-of-all/pre-commit"));
  assert.match(why ?? "", /the settings of a repository in \S+ name \S+hooks-of-all, and git obeys/);
});
