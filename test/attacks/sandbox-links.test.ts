import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";

/** A workspace with files and links, and a script in it that was approved; null without a sandbox. */
async function workspaceWith(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const workspace = await makeScratchFolder(context);
  const path = (name: string): string => join(workspace, name);
  for (const name of [...Object.keys(files), ...Object.keys(links)])
    mkdirSync(dirname(path(name)), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path(name));
  const run = async (script: string): Promise<string> =>
    outputOf(await shellIn(workspace, { sandbox }).run(`bash -c ':; ${script}'`));
  return { workspace, path, run };
}

test("a link in the middle of the way to what is executed later leads where it led, whatever takes its place", async (context) => {
  const made = await workspaceWith(
    context,
    { "hooks-real/pre-commit": "mine", "build-real/Mk": "mine", "docs/rules.md": "mine", "plain/x": "x" },
    {
      ".husky": "hooks-link",
      "hooks-link": "hooks-real",
      Makefile: "build-link/Mk",
      "build-link": "build-real",
      ".cursorrules": "one",
      one: "two/rules.md",
      two: "docs",
      "other-link": "plain",
    },
  );
  if (made === null) return;
  const said = await made.run(
    "mkdir e; echo evil > e/pre-commit; echo evil > e/Mk; echo evil > e/rules.md; rm hooks-link build-link two other-link; ln -s e hooks-link; mkdir build-link; echo evil > build-link/Mk; cp -r e two; ln -s e other-link",
  );
  for (const name of [".husky/pre-commit", "Makefile", ".cursorrules"])
    assert.equal(readFileSync(made.path(name), "utf8"), "mine", name);
  assert.equal(readlinkSync(made.path("other-link")), "e", "any other link may change");
  assert.match(said, /leads to hooks-real again/);
});

test("what a link in a folder of other agents or editors leads to is locked, and the sources of packages are not", async (context) => {
  const made = await workspaceWith(
    context,
    {
      "cfg/tasks.json": "mine",
      "skills/a/SKILL.md": "mine",
      "skills/a/run.txt": "mine",
      "packages/a/x.js": "mine",
    },
    {
      ".vscode/tasks.json": "../cfg/tasks.json",
      ".claude/skills": "../skills",
      "node_modules/a": "../packages/a",
    },
  );
  if (made === null) return;
  await made.run(
    "for f in cfg/tasks.json skills/a/SKILL.md skills/a/run.txt packages/a/x.js; do echo new > $f; done",
  );
  for (const name of [".vscode/tasks.json", ".claude/skills/a/SKILL.md", ".claude/skills/a/run.txt"])
    assert.equal(readFileSync(made.path(name), "utf8"), "mine", name);
  assert.equal(readFileSync(made.path("packages/a/x.js"), "utf8"), "new\n");
});

test("what is made where a link of such a name led to nothing gets a name that nothing obeys", async (context) => {
  const made = await workspaceWith(
    context,
    { a: "x" },
    { "AGENTS.md": "gone/agents.txt", ".envrc": "env.sh", ".vscode/tasks.json": "../tasks", loop: "loop" },
  );
  if (made === null) return;
  const said = await made.run(
    "mkdir gone; echo evil > gone/agents.txt; ln -s a env.sh; echo evil > a; echo evil > tasks; echo fine > b",
  );
  for (const name of ["AGENTS.md", ".envrc", ".vscode/tasks.json"])
    assert.equal(existsSync(made.path(name)), false, name);
  assert.equal(readFileSync(made.path("b"), "utf8"), "fine\n");
  assert.match(said, /was not there before/);
});

test("a folder does not become a repository whose settings git obeys, with or without .git", async (context) => {
  const made = await workspaceWith(context, { "docs/a.txt": "x" });
  if (made === null) return;
  const ran = made.path("ran");
  const settings = `[core]\\nrepositoryformatversion=0\\nbare=false\\nworktree=..\\nfsmonitor=touch ${ran};false\\n`;
  const plant = (folder: string): string =>
    `mkdir -p ${folder}/objects ${folder}/refs; echo "ref: refs/heads/main" > ${folder}/HEAD; printf "${settings}" > ${folder}/config`;
  execFileSync("bash", ["-c", plant(made.path("control"))]);
  const status = (name: string): void => {
    try {
      execFileSync("git", ["-C", made.path(name), "status"], { stdio: "ignore" });
    } catch (fault) {
      assert.ok(fault instanceof Error, "git says that it is no repository");
    }
  };
  status("control");
  assert.ok(existsSync(ran), "control: git obeys a folder that looks like a repository");
  execFileSync("rm", ["-r", ran, made.path("control")]);
  await made.run(plant("docs"));
  status("docs");
  assert.equal(existsSync(ran), false);
});
