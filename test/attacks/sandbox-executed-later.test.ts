import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { describeEffect } from "../../src/shown/describe-effect.ts";

/** A workspace with files, and the shell in it; null without a sandbox. */
async function workspaceWith(context: TestContext, files: Readonly<Record<string, string>>) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const workspace = await makeScratchFolder(context);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  return { workspace, shell: shellIn(workspace, { sandbox }), path: (name: string) => join(workspace, name) };
}

const planted = [
  "AGENTS.md",
  "deep/CLAUDE.md",
  ".cursorrules",
  ".github/copilot-instructions.md",
  "init.el",
  "sub/.dir-locals.el",
  "conftest.py",
  "setup.py",
  "a.pth",
  ".tool-versions",
  ".npmrc",
  "package.json",
  "node_modules/a/index.js",
  "Makefile",
  "justfile",
  "Dockerfile",
  ".husky/pre-push",
  "x.desktop",
  ".envrc",
  "lib/.pre-commit-config.yaml",
  "vite.config.ts",
];

test("one approved script changes no existing file that is executed later, and says why", async (context) => {
  const made = await workspaceWith(context, Object.fromEntries(planted.map((name) => [name, "mine"])));
  if (made === null) return;
  await writeFile(made.path("run.sh"), "#!/bin/sh\nmine\n", { mode: 0o755 });
  linkSync(made.path(".envrc"), made.path("other-name"));
  const all = [...planted, "run.sh", "other-name"];
  const script = all.map((name) => `echo evil > ${name}; rm -f ${name}; mv evil ${name}`).join("; ");
  const said = outputOf(await made.shell.run(`bash -c ':; echo evil > evil; ${script}'`));
  for (const name of all) assert.match(readFileSync(made.path(name), "utf8"), /mine/, name);
  assert.match(said, /executed later are read-only/);
});

test("one approved script makes no file that is executed later: it gets a name that nothing obeys", async (context) => {
  const made = await workspaceWith(context, { "src/a.ts": "x" });
  if (made === null) return;
  const names = [...planted, ".git", "clone/.git", "--checkpoint-action=exec=x"];
  const script = names
    .map((name) => `mkdir -p -- "$(dirname -- ./${name})"; echo evil > ./${name}`)
    .join("; ");
  const said = outputOf(
    await made.shell.run(`bash -c ':; ${script}; echo fine > src/b.ts; echo fine > made.txt'`),
  );
  for (const name of names) assert.equal(existsSync(made.path(name)), false, name);
  assert.ok(existsSync(made.path("not-approved..envrc.txt")));
  assert.match(said, /its making was not approved/);
  assert.equal(readFileSync(made.path("src/b.ts"), "utf8"), "fine\n");
  assert.equal(readFileSync(made.path("made.txt"), "utf8"), "fine\n");
});

test("a folder above a locked file cannot be moved away, however deep the file is", async (context) => {
  const made = await workspaceWith(context, { "sub/deep/.envrc": "mine", "pkg/a/package.json": "mine" });
  if (made === null) return;
  const script = "mv sub sub2; mv sub/deep x; mv pkg/a b; mkdir -p sub/deep; echo evil > sub/deep/.envrc";
  outputOf(
    await made.shell.run(`bash -c ':; ${script}; python3 -c "import os; os.rename(\\"pkg\\", \\"p\\")"'`),
  );
  assert.equal(readFileSync(made.path("sub/deep/.envrc"), "utf8"), "mine");
  assert.equal(readFileSync(made.path("pkg/a/package.json"), "utf8"), "mine");
});

test("the .git file of a worktree keeps leading to its repository", async (context) => {
  const made = await workspaceWith(context, { a: "x" });
  if (made === null) return;
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", made.workspace, ...words], { stdio: "pipe" });
  git("init", "-q");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
  git("worktree", "add", "-q", "tree");
  const before = readFileSync(made.path("tree/.git"), "utf8");
  const script =
    "mkdir evil; echo gitdir: ../evil > tree/.git; mv tree t; rm -f tree/.git; mkdir -p .git/worktrees/tree; echo x > .git/worktrees/tree/commondir; mkdir .git/hooks2; echo y > .git/commondir; rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit";
  outputOf(await made.shell.run(`bash -c ':; ${script}'`));
  assert.equal(readFileSync(made.path("tree/.git"), "utf8"), before);
  assert.notEqual(readFileSync(made.path(".git/worktrees/tree/commondir"), "utf8"), "x\n");
  for (const name of [".git/commondir", ".git/hooks/pre-commit"])
    assert.equal(existsSync(made.path(name)), false, name);
});

test("a link of such a name leads where it led, and what it leads to is locked", async (context) => {
  const made = await workspaceWith(context, { "real-hooks/pre-commit": "mine", "env.sh": "mine" });
  if (made === null) return;
  await symlink("real-hooks", made.path(".githooks"));
  await symlink("env.sh", made.path(".envrc"));
  const script =
    "echo evil > env.sh; echo evil > real-hooks/pre-commit; rm .githooks .envrc; mkdir .githooks; echo evil > .githooks/pre-commit; ln -s /tmp/x .envrc";
  outputOf(await made.shell.run(`bash -c ':; ${script}'`));
  assert.equal(readlinkSync(made.path(".githooks")), "real-hooks");
  assert.equal(readlinkSync(made.path(".envrc")), "env.sh");
  for (const name of ["env.sh", "real-hooks/pre-commit"])
    assert.equal(readFileSync(made.path(name), "utf8"), "mine");
});

test("set-uid bits do not survive", async (context) => {
  const made = await workspaceWith(context, { a: "x" });
  if (made === null) return;
  const said = outputOf(
    await made.shell.run(
      "bash -c ':; cp /bin/true t; chmod 6755 t; mkdir d; cp /bin/true d/t; chmod u+s d/t; chmod g+s a'",
    ),
  );
  for (const name of ["t", "d/t", "a"]) assert.equal(statSync(made.path(name)).mode & 0o6000, 0, name);
  assert.equal(statSync(made.path("t")).mode & 0o777, 0o755);
  assert.match(said, /set-uid/);
});

test("a plain command that names such a file asks for it by name, and its approval unlocks that file only", async (context) => {
  const made = await workspaceWith(context, {
    Makefile: "old",
    justfile: "old",
    new: "new",
    "pkg/package.json": "{}",
    "package.json": "{}",
  });
  if (made === null) return;
  const later = async (cmd: string): Promise<readonly string[]> => {
    const prepared = await made.shell.prepare(cmd);
    assert.ok(prepared.ok);
    return prepared.effects.flatMap((effect) =>
      effect.kind === "write-path" && effect.executedLater !== undefined
        ? [effect.target.slice(made.workspace.length + 1)]
        : [],
    );
  };
  assert.deepEqual(await later("cp new Makefile"), ["Makefile"]);
  assert.deepEqual(await later("cp new src.txt"), []);
  assert.deepEqual(await later("mv pkg moved"), ["pkg"]);
  assert.deepEqual(await later("chmod +x Makefile"), ["Makefile"]);
  assert.deepEqual(await later("ln -s new AGENTS.md"), ["AGENTS.md"]);
  assert.deepEqual(await later("git -c a=b checkout other"), [""]);
  assert.ok((await later("npm install left-pad")).includes("node_modules"));
  assert.deepEqual(await later("npm test"), []);
  assert.match(outputOf(await made.shell.run("cp new Makefile")), /"exitCode":0/);
  assert.equal(readFileSync(made.path("Makefile"), "utf8"), "new");
  assert.match(outputOf(await made.shell.run("cp new AGENTS.md")), /"exitCode":0/);
  assert.ok(existsSync(made.path("AGENTS.md")));
  outputOf(await made.shell.run("bash -c ':; cp new justfile'"));
  assert.equal(readFileSync(made.path("justfile"), "utf8"), "old");
});

test("a command that makes or changes a repository is asked about by what it changes", async (context) => {
  const made = await workspaceWith(context, { "sub/a.txt": "x" });
  if (made === null) return;
  const later = async (cmd: string): Promise<readonly string[]> => {
    const prepared = await made.shell.prepare(cmd);
    assert.ok(prepared.ok);
    return prepared.effects.flatMap((effect) =>
      effect.kind === "write-path" ? [describeEffect(effect).replaceAll(made.workspace, "W")] : [],
    );
  };
  assert.deepEqual(await later("git init -q ."), ["create W/.git"]);
  assert.deepEqual(await later("git init -b main sub"), ["create W/sub/.git"]);
  assert.deepEqual(await later("git -C sub init"), ["create W/sub/.git"]);
  assert.deepEqual(await later("git init --bare"), ["change files in W"]);
  assert.deepEqual(await later("git checkout other"), ["change files in W"]);
  assert.deepEqual(await later("git clone https://a.invalid/b"), ["change files in W"]);
  outputOf(await made.shell.run("git init -q ."));
  assert.deepEqual(await later("git init -q ."), ["replace W/.git"]);
  assert.deepEqual(await later("git config user.name ada"), ["replace W/.git"]);
  assert.match(outputOf(await made.shell.run("git config user.name ada")), /"exitCode":0/);
  assert.match(readFileSync(made.path(".git/config"), "utf8"), /name = ada/);
});

test("an honest command makes, moves and builds as before", async (context) => {
  const made = await workspaceWith(context, {
    "src/a.c": "int main(){return 0;}",
    "old/b.txt": "x",
    "a.py": "import b",
    "b.py": "",
  });
  if (made === null) return;
  execFileSync("git", ["init", "-q", made.workspace]);
  const commands = [
    "mv old new",
    "bash -c ':; mkdir -p dist && cp /bin/true dist/tool && cp /bin/true dist/tool && echo x > dist/vite.config.js'",
    "bash -c ':; cp /bin/true tool; cp -f /bin/true tool'",
    "python3 a.py",
    "git add src",
    "git -c user.name=a -c user.email=a@b commit -qm x",
    "git checkout -q -b other",
    "git init -q inner",
  ];
  for (const cmd of commands) {
    const said = outputOf(await made.shell.run(cmd));
    assert.match(said, /"exitCode":0/, `${cmd}: ${said}`);
    assert.doesNotMatch(said, /not approved|read-only/, `${cmd}: ${said}`);
  }
  assert.deepEqual(readdirSync(made.workspace).sort(), [
    ".git",
    "a.py",
    "b.py",
    "dist",
    "inner",
    "new",
    "src",
    "tool",
  ]);
  assert.ok(existsSync(made.path("inner/.git")));
  assert.ok(lstatSync(made.path("dist/vite.config.js")).isFile());
});

test("in a workspace with a thousand files that are executed later, the folders of most of them are locked as a whole", async (context) => {
  const files: Record<string, string> = { Makefile: "mine", "src/a.txt": "x", "one/package.json": "mine" };
  for (let index = 0; index < 900; index += 1) {
    files[`scripts/${index}/Makefile`] = "mine";
    files[`tools/AGENTS-${index % 2 === 0 ? "a" : "b"}/x${index}.desktop`] = "mine";
  }
  const made = await workspaceWith(context, files);
  if (made === null) return;
  const tries = ["Makefile", "one/package.json", "scripts/3/Makefile", "tools/AGENTS-b/x3.desktop"];
  const script = tries
    .map((name) => `echo evil > ${name}; rm -rf ${name}; mv ${dirname(name)} away`)
    .join("; ");
  const said = outputOf(
    await made.shell.run(`bash -c ':; echo new > src/b.txt; echo new > one/b.txt; ${script}'`),
  );
  for (const name of tries) assert.equal(readFileSync(made.path(name), "utf8"), "mine", `${name}: ${said}`);
  assert.equal(readFileSync(made.path("src/b.txt"), "utf8"), "new\n", said);
  assert.equal(readFileSync(made.path("one/b.txt"), "utf8"), "new\n", said);
  assert.match(said, /folders that hold many are read-only as a whole/);
});
