import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  labelOfAgentWords,
  makeScratchFolder,
  sandboxFor,
  shellIn,
} from "../../src/act/tools/shell/shell.fixture.ts";
import { isInside } from "../../src/text/is-inside.ts";
import { canonicalJson } from "../../src/text/json.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

/** A form of command, the files that exist when it is proposed, and the file that is replaced while its question waits. */
type Form = readonly [cmd: string, files: Readonly<Record<string, string>>, replaced: string];

const script = "touch judged\n";
const forms: readonly Form[] = [
  ["cd sub && sh x.sh", { "sub/x.sh": script }, "sub/x.sh"],
  ["cd sub; cd deep; . ./x.sh", { "sub/deep/x.sh": script }, "sub/deep/x.sh"],
  ["cd sub/.. && cd ./sub && ./x", { "sub/x": script }, "sub/x"],
  ["(cd sub; sh x.sh)", { "sub/x.sh": script }, "sub/x.sh"],
  ["pushd sub && sh x.sh", { "sub/x.sh": script }, "sub/x.sh"],
  ["bash -c 'cd sub; sh x.sh'", { "sub/x.sh": script }, "sub/x.sh"],
  ["env -C sub sh x.sh", { "sub/x.sh": script }, "sub/x.sh"],
  ["sh *.sh", { "x.sh": script }, "x.sh"],
  ["sh ./*/x.sh", { "sub/x.sh": script }, "sub/x.sh"],
  ["cd sub && sh [a-z].s?", { "sub/x.sh": script }, "sub/x.sh"],
  ["sh {x,y}.sh", { "x.sh": script }, "x.sh"],
  ["for f in sub/*; do sh $f; done", { "sub/job": script }, "sub/job"],
  ["D=sub; sh $D/job", { "sub/job": script }, "sub/job"],
  ['cd sub && sh x".sh"', { "sub/x.sh": script }, "sub/x.sh"],
  ["sh $(cat name)", { name: "job\n", job: script }, "job"],
  ["xargs sh < list", { list: "sub/job\n", "sub/job": script }, "sub/job"],
  ["xargs sh < list", { list: "sub/job\n", "sub/job": script }, "list"],
  ["sh < job", { job: script }, "job"],
  ["cat job | sh", { job: script }, "job"],
  ["python3 x.py", { "x.py": "print(1)\n" }, "x.py"],
  ["python3 -m pkg.tool", { "pkg/tool.py": "print(1)\n" }, "pkg/tool.py"],
  ["python3 x.py", { "x.py": "import helper\n", "helper.py": "print(1)\n" }, "helper.py"],
  ["python3 pkg", { "pkg/__main__.py": "print(1)\n" }, "pkg/__main__.py"],
  ["sh x.sh", { "x.sh": ". ./lib/y.sh\n", "lib/y.sh": script }, "lib/y.sh"],
  ["sh x.sh", { "x.sh": "cd lib && ./y\n", "lib/y": script }, "lib/y"],
  ["make", { Makefile: "all:\n\ttouch a\n" }, "Makefile"],
  ["make -C sub", { "sub/Makefile": "all:\n\ttouch a\n" }, "sub/Makefile"],
  ["make -Csub", { "sub/makefile": "all:\n\ttouch a\n" }, "sub/makefile"],
  ["cd sub && make all", { "sub/GNUmakefile": "all:\n\ttouch a\n" }, "sub/GNUmakefile"],
  ["make", { Makefile: "all:\n\tsh build.sh\n", "build.sh": script }, "build.sh"],
  ["npm test", { "package.json": '{"scripts":{"test":"node t.js"}}', "t.js": "1\n" }, "package.json"],
  ["npm test", { "package.json": '{"scripts":{"test":"node t.js"}}', "t.js": "1\n" }, "t.js"],
  ["npm --prefix sub run x", { "sub/package.json": '{"scripts":{"x":"true"}}' }, "sub/package.json"],
  ["node .", { "index.js": "1\n" }, "index.js"],
  ["node t.mjs", { "t.mjs": 'import "./u.mjs";\n', "u.mjs": "1\n" }, "u.mjs"],
  ["pytest", { "tests/test_a.py": "pass\n" }, "tests/test_a.py"],
  ["find . -name job -exec sh {} +", { "sub/job": script }, "sub/job"],
  ["ls | xargs -n1 sh", { job: script }, "job"],
  ["find -name 'x.j*' -exec sh {} ;", { "sub/x.job": script }, "sub/x.job"],
  ["find sub -type f | parallel sh", { "sub/deep/x.sh": script }, "sub/deep/x.sh"],
  ["npm test", { "package.json": '{"scripts":{"test":"jest"}}', "a/b.test.js": "1\n" }, "a/b.test.js"],
  ["git commit -m x", { ".git/hooks/pre-commit": script }, ".git/hooks/pre-commit"],
  ["BASH_ENV=env.sh bash -c true", { "env.sh": script }, "env.sh"],
  ["PYTHONPATH=lib python3 -c 'import m'", { "lib/m.py": "1\n" }, "lib/m.py"],
  ["cd $PWD/sub && source x.sh", { "sub/x.sh": script }, "sub/x.sh"],
  ["eval 'cd sub; exec ./x'", { "sub/x": script }, "sub/x"],
  ["sh <<END\ncd sub\n. ./x.sh\nEND", { "sub/x.sh": script }, "sub/x.sh"],
  ["make", { Makefile: "all:\n\t$(MAKE) -C sub\n", "sub/Makefile": "all:\n\ttrue\n" }, "sub/Makefile"],
  ["sh 'my job.sh'", { "my job.sh": script }, "my job.sh"],
  ['cd sub && sh "my job.sh"', { "sub/my job.sh": script }, "sub/my job.sh"],
  ["cd my\\ folder && sh x.sh", { "my folder/x.sh": script }, "my folder/x.sh"],
  ["sh 'a=b;(c).sh'", { "a=b;(c).sh": script }, "a=b;(c).sh"],
  ["xargs -d '\\n' sh < list", { list: "my job\n", "my job": script }, "my job"],
  ["sh -- -x.sh", { "-x.sh": script }, "-x.sh"],
  ["sh <(cat job)", { job: script }, "job"],
  ["sh x.sh", { "x.sh": "sh 'lib/my job'\n", "lib/my job": script }, "lib/my job"],
  ["ruby -r./m -e 1", { "m.rb": "1\n" }, "m.rb"],
  ["node --import=./m.mjs -e 1", { "m.mjs": "1\n" }, "m.mjs"],
  ["tar cf a.tar --checkpoint=1 --checkpoint-action=exec='sh x.sh' .", { "x.sh": script }, "x.sh"],
  ["awk -f p.awk data", { "p.awk": "{ print }\n" }, "p.awk"],
  ["git -c core.hooksPath=h commit -m x", { "h/pre-commit": script }, "h/pre-commit"],
  ["run-parts ./parts", { "parts/x.sh": script }, "parts/x.sh"],
  ["./tool --fast", { tool: script }, "tool"],
  ["nice -n 5 ./tool", { tool: script }, "tool"],
  ["perl -Ilib -e 'require q(m.pl)'", { "lib/m.pl": "1;\n" }, "lib/m.pl"],
  ["git commit -m x", { ".husky/pre-commit": script }, ".husky/pre-commit"],
  [
    "git commit -m x",
    { ".git/config": "[core]\n hooksPath = tools/h\n", "tools/h/pre-commit": script },
    "tools/h/pre-commit",
  ],
  [
    "git add a",
    { ".git/config": '[filter "x"]\n clean = "sh tools/c.sh %f"\n', "tools/c.sh": script },
    "tools/c.sh",
  ],
  ["git push", { "lefthook.yml": "pre-push:\n" }, "lefthook.yml"],
  ["npm run build", { "package.json": "{}", "vite.config.ts": "export {}\n" }, "vite.config.ts"],
  ["npm ci", { "package-lock.json": "{}" }, "package-lock.json"],
  ["pnpm i", { ".pnpmfile.cjs": "1\n" }, ".pnpmfile.cjs"],
  ["npx eslint .", { ".eslintrc.json": "{}" }, ".eslintrc.json"],
  ["docker compose up", { "compose.override.yaml": "a: 1\n" }, "compose.override.yaml"],
  ["mise run x", { "mise.toml": "a = 1\n" }, "mise.toml"],
  ["swift build", { "Package.swift": "1\n" }, "Package.swift"],
  ["cd sub && dotnet build", { "sub/Directory.Build.props": "<a/>\n" }, "sub/Directory.Build.props"],
  ["act", { ".github/workflows/ci.yml": "a: 1\n" }, ".github/workflows/ci.yml"],
  ["gdb a.out", { ".gdbinit": "shell x\n" }, ".gdbinit"],
  ["./gradlew test", { gradlew: script, "gradle/wrapper/w.jar": "1\n" }, "gradle/wrapper/w.jar"],
  ["rake", { Rakefile: "1\n", "lib/tasks/a.rake": "1\n" }, "lib/tasks/a.rake"],
  ["emacs --batch -l x", { "x.el": "(a)\n" }, "x.el"],
  ["poetry run x", { "pyproject.toml": "a = 1\n" }, "pyproject.toml"],
];

async function lay(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content, { mode: 0o755 });
    utimesSync(join(folder, name), 1, 1);
  }
}

async function planOf(folder: string, cmd: string): Promise<string> {
  const prepared = await shellIn(folder).prepare(cmd);
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  return canonicalJson(prepared.plan);
}

/** Replaces the bytes in place, keeping size and time: only reading the file shows the change. */
async function replaceInPlace(path: string): Promise<void> {
  const { atime, mtime } = statSync(path);
  const before = await readFile(path, "utf8");
  await writeFile(path, `${"#".repeat(before.length - 1)}\n`);
  utimesSync(path, atime, mtime);
}

for (const [cmd, files, replaced] of forms) {
  test(`'${cmd}' is another plan once ${replaced} holds other bytes`, async (context) => {
    const folder = await makeScratchFolder(context);
    await lay(folder, files);
    const before = await planOf(folder, cmd);
    assert.equal(await planOf(folder, cmd), before, "control: nothing changed");
    await replaceInPlace(join(folder, replaced));
    assert.notEqual(await planOf(folder, cmd), before);
  });
}

test("a script that appears, or is another file behind a link, makes another plan", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, { "a/x.sh": script, "b/x.sh": script, "x.sh": script });
  await symlink("a", join(folder, "now"));
  const [glob, linked, missing] = ["sh *.sh", "sh now/x.sh", "cd a && sh later.sh"];
  const before = await Promise.all([glob, linked, missing].map((cmd) => planOf(folder, cmd)));
  await lay(folder, { "y.sh": script, "a/later.sh": script });
  await rm(join(folder, "now"));
  await symlink("b", join(folder, "now"));
  const after = await Promise.all([glob, linked, missing].map((cmd) => planOf(folder, cmd)));
  for (const [index, plan] of after.entries()) assert.notEqual(plan, before[index]);
});

test("a script in a folder that cannot be listed, and one of two thousand, belong to the plan", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, { "closed/x.sh": script });
  for (let index = 0; index < 1_500; index += 1) writeFileSync(join(folder, `many${index}.sh`), script);
  await chmod(join(folder, "closed"), 0o300);
  for (const [cmd, replaced] of [
    ["cd closed && sh x.sh", "closed/x.sh"],
    ["sh many*.sh", "many999.sh"],
  ] as const) {
    const before = await planOf(folder, cmd);
    await replaceInPlace(join(folder, replaced));
    assert.notEqual(await planOf(folder, cmd), before, cmd);
  }
  await chmod(join(folder, "closed"), 0o700);
});

test("a folder that a command names is another one once it was replaced by one of the same name", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, { "sub/a": "a" });
  const before = await Promise.all(["rm -rf sub", "cp -r sub copy"].map((cmd) => planOf(folder, cmd)));
  await rename(join(folder, "sub"), join(folder, "old"));
  await lay(folder, { "sub/a": "a" });
  const after = await Promise.all(["rm -rf sub", "cp -r sub copy"].map((cmd) => planOf(folder, cmd)));
  for (const [index, plan] of after.entries()) assert.notEqual(plan, before[index]);
});

test("what a command does not run or name may change while its question waits", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, {
    "job.sh": "echo one\n",
    "notes.txt": "see other.py\n",
    "other.py": "pass\n",
    "server.log": "a\n",
    "src/app.js": "1\n",
    Makefile: "all:\n\tsh job.sh\n",
  });
  const cmds = ["sh job.sh", "make all", "git add notes.txt", "cp notes.txt n", "mkdir -p out", "touch a b"];
  const before = await Promise.all(cmds.map((cmd) => planOf(folder, cmd)));
  for (const name of ["other.py", "server.log", "src/app.js"]) await replaceInPlace(join(folder, name));
  await lay(folder, { "new.py": "pass\n" });
  assert.deepEqual(await Promise.all(cmds.map((cmd) => planOf(folder, cmd))), before);
});

test("in the sandbox a word for a folder above the workspace names nothing of what lies beside it, but what it runs there", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const above = await makeScratchFolder(context);
  await lay(above, { "beside/tool.py": "pass\n", "job.sh": "echo one\n", "work/hi.py": "pass\n" });
  const repositories: string[] = [];
  const { prepare } = shellIn(join(above, "work"), {
    sandbox,
    labelOfHistory: async (folders) => {
      repositories.push(...folders);
      return labelOfAgentWords;
    },
  });
  const plan = async (cmd: string): Promise<string> => {
    const prepared = await prepare(cmd);
    assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
    return canonicalJson(prepared.plan);
  };
  const cmds = ["python3 hi.py ..; cat hi.py", "echo '// c' >> total.js", "sh -c 'ls .. > all'"];
  const before = await Promise.all(cmds.map(plan));
  assert.ok(repositories.length > 0);
  for (const folder of repositories) assert.ok(isInside(join(above, "work"), folder), folder);
  const running = await plan("sh ../job.sh");
  await replaceInPlace(join(above, "beside/tool.py"));
  assert.deepEqual(await Promise.all(cmds.map(plan)), before);
  await replaceInPlace(join(above, "job.sh"));
  assert.notEqual(await plan("sh ../job.sh"), running);
});

test("a script or folder that is replaced between the last judging and the start is not run", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, { "sub/x.sh": "touch ../judged\n", tool: "#!/bin/sh\ntouch judged\n" });
  for (const [cmd, replaced] of [
    ["cd sub && sh x.sh", "sub/x.sh"],
    ["./tool", "tool"],
  ] as const) {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok);
    await replaceInPlace(join(folder, replaced));
    const outcome = await prepared.run(new AbortController().signal);
    assert.match(JSON.stringify(outcome), /changed/, cmd);
  }
  const prepared = await shellIn(folder).prepare("rm -rf sub");
  assert.ok(prepared.ok);
  await rename(folder, `${folder}-away`);
  context.after(() => rm(`${folder}-away`, { recursive: true }));
  await lay(folder, { "sub/precious": "p" });
  await prepared.run(new AbortController().signal);
  assert.ok(existsSync(join(folder, "sub/precious")));
});

async function askFor(context: TestContext, cmd: string, prepare: (path: (name: string) => string) => void) {
  const world = await makeWorld(context, [calls(["shell", { cmd }]), { text: "done" }]);
  prepare(world.path);
  const daemon = await world.open();
  context.after(() => daemon[Symbol.asyncDispose]());
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("go on")).end, "approval-required");
  return {
    world,
    async approve() {
      const approved = await daemon.runCommand({ kind: "approve", token: talk.token() }, talk.session);
      assert.equal(approved.kind, "turn");
      if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
    },
  };
}

test("a yes does not run a script that was replaced in the folder that the command changes to", async (context) => {
  const asked = await askFor(context, "cd sub && sh x.sh", (path) => {
    mkdirSyncWith(path("sub"), { "x.sh": "touch ../judged\n" });
  });
  writeFileSync(asked.world.path("sub/x.sh"), "touch ../swapped\n");
  await asked.approve();
  assert.equal(existsSync(asked.world.path("swapped")), false);
  await asked.approve();
  assert.equal(existsSync(asked.world.path("swapped")), true, "it was asked anew");
});

for (const cmd of ["rm -rf sub", "touch sub/made"]) {
  test(`a yes to '${cmd}' does not act in another folder that took the workspace's name`, async (context) => {
    const asked = await askFor(context, cmd, (path) => mkdirSyncWith(path("sub"), { a: "a" }));
    const { workspace } = asked.world;
    renameSync(workspace, `${workspace}-away`);
    mkdirSyncWith(join(workspace, "sub"), { precious: "p" });
    await asked.approve();
    assert.ok(existsSync(join(workspace, "sub/precious")));
    assert.equal(existsSync(join(workspace, "sub/made")), false);
  });
}

function mkdirSyncWith(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

test("a write that was approved does not land in another folder that took the workspace's name", async (context) => {
  const world = await makeWorld(context, [
    calls(["write-file", { path: ".envrc", content: "export A=1\n" }]),
    { text: "done" },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("go on")).end, "approval-required");
  renameSync(world.workspace, `${world.workspace}-away`);
  mkdirSync(world.workspace);
  const approved = await daemon.runCommand({ kind: "approve", token: talk.token() }, talk.session);
  if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
  assert.equal(existsSync(world.path(".envrc")), false);
});

test("the output of a command is as private as the notes that it names by a pattern or in its script", async (context) => {
  const folder = await makeScratchFolder(context);
  await lay(folder, { "diary.org": "private\n", "x.sh": "cat diary.org\n", "y.sh": "echo hello\n" });
  const shell = shellIn(folder, {
    labelOfRead: async ({ path }) => ({
      integrity: "user",
      secrecy: path.endsWith("diary.org") ? "private" : "public",
      sources: [],
    }),
  });
  for (const [cmd, secrecy] of [
    ["sort -o out *.org", "private"],
    ["sh x.sh", "private"],
    ["cd . && sh x.sh", "private"],
    ["sh y.sh", "public"],
  ] as const) {
    const prepared = await shell.prepare(cmd);
    assert.ok(prepared.ok);
    assert.equal(prepared.resultLabel.secrecy, secrecy, cmd);
  }
});
