import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Effect, RunProgram } from "../../../signal/effect.ts";
import { canonicalJson } from "../../../text/json.ts";
import {
  labelOfAgentWords,
  makeScratchFolder,
  outputOf,
  parser,
  sandboxFor,
  shellIn,
} from "./shell.fixture.ts";
import { makeShellTool } from "./shell.ts";

type Shell = ReturnType<typeof shellIn>;

async function effects(shell: Shell, cmd: string): Promise<readonly Effect[]> {
  const prepared = await shell.prepare(cmd);
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  return prepared.ok ? prepared.effects : [];
}

const runs = (all: readonly Effect[]): readonly RunProgram[] =>
  all.filter((effect) => effect.kind === "run-program");
const touched = (all: readonly Effect[], kind: Effect["kind"]): readonly string[] =>
  all.filter((effect) => effect.kind === kind).map(({ target }) => target);

test("each program of a line is an effect of its own, with its proof or the doubt", async (context) => {
  const shell = shellIn(await makeScratchFolder(context));
  const found = runs(await effects(shell, "cat a | dd if=a"));
  assert.equal(found.length, 2);
  assert.deepEqual(found[0]?.argv, ["cat", "a"]);
  assert.equal(found[0]?.proof, "cat only reads");
  assert.ok(found[0]?.binary?.endsWith("/cat"));
  assert.equal(found[1]?.proof, null);
  assert.match(found[1]?.doubt ?? "", /dd is not known/);
  const [absent] = runs(await effects(shell, "frobnicate --x"));
  assert.equal(absent?.binary, null);
  assert.match(absent?.doubt ?? "", /frobnicate is not known/);
});

test("what is read is an effect on its real path, links followed", async (context) => {
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "ws"));
  await writeFile(join(folder, "outside"), "x");
  await symlink("../outside", join(folder, "ws", "link"));
  await symlink("../none", join(folder, "ws", "dangling"));
  const shell = shellIn(join(folder, "ws"));
  assert.deepEqual(touched(await effects(shell, "cat link sub/../plain"), "read-path"), [
    join(folder, "outside"),
    join(folder, "ws", "plain"),
  ]);
  assert.deepEqual(touched(await effects(shell, "cat dangling"), "read-path"), [join(folder, "none")]);
  assert.deepEqual(touched(await effects(shell, "cat < link"), "read-path"), [join(folder, "outside")]);
  assert.deepEqual(touched(await effects(shell, "cat ~/x"), "read-path"), ["/home/u/x"]);
});

test("a script outside of the workspace is read and judged, whichever shell runs it", async (context) => {
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "ws"));
  const script = join(folder, "outside.sh");
  await writeFile(script, "echo hi");
  const shell = shellIn(join(folder, "ws"));
  for (const program of ["sh", "bash", "bash -x"])
    assert.deepEqual(touched(await effects(shell, `${program} ${script}`), "read-path"), [script], program);
});

test("a link with a secret's name is a read of the secret", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "real"), "x");
  await symlink("real", join(folder, ".env"));
  assert.deepEqual(touched(await effects(shellIn(folder), "cat .env"), "read-path"), [
    join(folder, "real"),
    join(folder, ".env"),
  ]);
});

test("a circle of links is refused in words", async (context) => {
  const folder = await makeScratchFolder(context);
  await symlink("b", join(folder, "a"));
  await symlink("a", join(folder, "b"));
  const prepared = await shellIn(folder).prepare("cat a");
  assert.ok(!prepared.ok && prepared.code === "unresolvable-path" && /circle/.test(prepared.message));
});

test("output to a file is a write, and takes the proof away", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "old"), "");
  const found = await effects(shellIn(folder), "echo a > old; echo b >> new; echo c > /dev/null");
  assert.deepEqual(
    found.filter((effect) => effect.kind === "write-path").map(({ target, change }) => [target, change]),
    [
      [join(folder, "old"), "replace"],
      [join(folder, "new"), "create"],
    ],
  );
  assert.deepEqual(
    runs(found).map(({ proof }) => proof === null),
    [true, true, false],
  );
});

test("a line that is not understood is one bash command of unknown effect", async (context) => {
  const [only, ...more] = await effects(
    shellIn(await makeScratchFolder(context)),
    "for i in 1; do rm $i; done",
  );
  assert.equal(more.length, 0);
  assert.ok(only?.kind === "run-program");
  assert.equal(only.proof, null);
  assert.match(only.doubt, /loop/);
  assert.equal(only.argv.at(-1), "for i in 1; do rm $i; done");
});

test("variables that could name a program take the proof away, the locale does not", async (context) => {
  const shell = shellIn(await makeScratchFolder(context));
  const proofs = async (cmd: string): Promise<boolean> =>
    runs(await effects(shell, cmd)).every(({ proof }) => proof !== null);
  assert.equal(await proofs("LC_ALL=C sort a"), true);
  assert.equal(await proofs("TZ=Europe/Berlin date"), true);
  for (const set of [
    "LD_PRELOAD=./x.so",
    "GIT_EXTERNAL_DIFF=x",
    "PAGER=x",
    "PATH=.",
    "TZ=:/etc/shadow",
    "LC_ALL=../x",
  ]) {
    assert.equal(await proofs(`${set} git diff`), false, set);
  }
});

test("a program of the workspace does not count as the system program of that name", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "ls"), "#!/bin/sh\n", { mode: 0o755 });
  const [found] = runs(await effects(shellIn(folder, { searchPath: `${folder}:/usr/bin:/bin` }), "ls"));
  assert.equal(found?.proof, null);
});

test("git is proved harmless only if the repository's settings name no program", async (context) => {
  const folder = await makeScratchFolder(context);
  execFileSync("git", ["init", "-q", folder], { env: { PATH: process.env["PATH"], HOME: folder } });
  const proof = async (): Promise<string | null | undefined> =>
    runs(await effects(shellIn(folder), "git status"))[0]?.proof;
  assert.equal(typeof (await proof()), "string");
  await appendFile(join(folder, ".git", "config"), '[filter "x"]\n\tclean = ./evil\n');
  assert.equal(await proof(), null);
});

test("git runs no program that the repository's settings name", async (context) => {
  const folder = await makeScratchFolder(context);
  execFileSync("git", ["init", "-q", folder], { env: { PATH: process.env["PATH"], HOME: folder } });
  const evil = join(folder, "evil.sh");
  await writeFile(evil, `#!/bin/sh\ntouch ${join(folder, "ran")}\n`, { mode: 0o755 });
  await appendFile(join(folder, ".git", "config"), `[core]\n\tfsmonitor = ${evil}\n`);
  const shell = shellIn(folder);
  assert.match(outputOf(await shell.run("git status --short")), /evil\.sh/);
  assert.equal(existsSync(join(folder, "ran")), false);
  execFileSync("git", ["-C", folder, "status"], { env: { PATH: process.env["PATH"], HOME: folder } });
  assert.ok(existsSync(join(folder, "ran")), "control: git alone runs it");
});

test("git shows a repository from inside the sandbox", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(context);
  execFileSync("git", ["init", "-q", folder], { env: { PATH: process.env["PATH"], HOME: folder } });
  await writeFile(join(folder, "new.txt"), "x");
  assert.match(
    outputOf(
      await shellIn(folder, { sandbox }).run("git status --short && git diff --stat && git branch --list"),
    ),
    /\?\? new\.txt.*"exitCode":0/,
  );
});

test("without a sandbox a search leaves a secret file out, and one that names it is a read of it", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, ".env"), "KEY=1");
  const [met, named] = await Promise.all(
    ["grep -r KEY", "grep -r KEY . .env"].map((cmd) => effects(shellIn(folder), cmd)),
  );
  assert.deepEqual(touched(met ?? [], "read-path"), [folder]);
  assert.ok(runs(met ?? [])[0]?.argv.includes("--exclude=.env"));
  assert.ok(touched(named ?? [], "read-path").includes(join(folder, ".env")));
});

test("with a sandbox programs are confined, without one the doubt says that they are not", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(context);
  const [inside] = runs(await effects(shellIn(folder, { sandbox }), "make"));
  const [outside] = runs(await effects(shellIn(folder), "make"));
  assert.equal(inside?.confined, true);
  assert.equal(outside?.confined, false);
  assert.match(outside?.doubt ?? "", /would run without a sandbox/);
});

test("keys are masked in the effects and stay in what runs", async (context) => {
  const shell = shellIn(await makeScratchFolder(context), {
    mask: (text) => text.replaceAll("sk-123", "***"),
  });
  const prepared = await shell.prepare("echo sk-123");
  assert.ok(prepared.ok);
  assert.ok(!JSON.stringify(prepared.effects).includes("sk-123"));
  assert.match(outputOf(await prepared.run(new AbortController().signal)), /sk-123/);
});

test("the plan is the same for the same line, and another for another workspace file, program or word", async (context) => {
  const shell = shellIn(await makeScratchFolder(context));
  const plan = async (cmd: string): Promise<string> => {
    const prepared = await shell.prepare(cmd);
    assert.ok(prepared.ok);
    return prepared.ok ? canonicalJson(prepared.plan) : "";
  };
  assert.equal(await plan("cat a"), await plan("cat a"));
  assert.equal(await plan("cat a"), await plan("cat   'a'"));
  assert.notEqual(await plan("cat a"), await plan("cat b"));
  assert.notEqual(await plan("cat a && ls"), await plan("cat a || ls"));
});

test("judging alone resolves nothing, runs nothing, and accepts a program by its name", async () => {
  const shell = shellIn("/no/such/workspace", { resolve: false });
  const found = await effects(shell, "tree . && cat ../x");
  assert.deepEqual(
    runs(found).map(({ binary, proof }) => [binary, proof !== null]),
    [
      [null, true],
      [null, true],
    ],
  );
  assert.deepEqual(touched(found, "read-path"), ["/no/such/workspace", "/no/such/x"]);
  assert.match(outputOf(await shell.run("ls")), /not-resolved/);
});

test("the result of a command is untrusted, whoever asked", async (context) => {
  const prepared = await shellIn(await makeScratchFolder(context)).prepare("ls");
  assert.ok(
    prepared.ok &&
      prepared.resultLabel.integrity === "untrusted" &&
      prepared.resultLabel.secrecy === "public",
  );
});

test("arguments that are not exactly a command are refused", async () => {
  const tool = makeShellTool({
    parser,
    sandbox: null,
    isSecretPath: () => false,
    hidden: [],
    home: "/",
    searchPath: "",
    mask: (text) => text,
  });
  const caller = {
    turn: "t",
    session: "s",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace: "/",
    known: new Map(),
    promptLabel: labelOfAgentWords,
  } as const;
  for (const args of [{}, { cmd: 1 }, { cmd: "" }, { cmd: "ls", cwd: "/" }, { cmd: "ls\0" }]) {
    const prepared = await tool.prepare(args, caller, () => labelOfAgentWords);
    assert.ok(!prepared.ok && prepared.code === "invalid-arguments", JSON.stringify(args));
  }
});

test("a confined reading command sees the judged path outside the workspace, and nothing beside it", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "ws"));
  await mkdir(join(folder, "other"));
  await writeFile(join(folder, "other", "shown"), "visible");
  await writeFile(join(folder, "other", "beside"), "hidden");
  await symlink("../other/shown", join(folder, "ws", "link"));
  const shell = shellIn(join(folder, "ws"), { sandbox });
  assert.match(outputOf(await shell.run(`cat ${join(folder, "other", "shown")}`)), /visible/);
  assert.match(outputOf(await shell.run("cat link")), /visible/);
  assert.match(outputOf(await shell.run("cat ../other/shown")), /visible/);
  assert.match(outputOf(await shell.run(`ls ${join(folder, "other")}`)), /beside.*shown/);
  assert.doesNotMatch(outputOf(await shell.run(`bash -c "cd .; cat ../other/*"`)), /hidden/);
});
