import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld } from "../agent-world.ts";
import { court } from "./trial-court.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const line =
  "printf 'to-%s\\n' errors > /dev/stderr; seq 3 > /dev/stdout; printf 'to-%s\\n' two >> /proc/self/fd/2";

for (const [where, redirection] of [
  ["a file in the workspace", "2> said.txt"],
  ["a file outside", "2> ../said.txt"],
  ["a pipe", "2>&1 | cat > said.txt"],
] as const)
  test(`what a command prints to /dev/stderr is its output, where that of the program is ${where}`, async (t) => {
    const world = await makeWorld(t, [calls(["shell", { cmd: line }]), { text: "Printed." }], {
      TRIALS: "true",
    });
    const ask = `"$0" --disable-warning=ExperimentalWarning "$1" ask hello < /dev/null > out.txt ${redirection}`;
    await promisify(execFile)("sh", ["-c", ask, process.execPath, main], {
      cwd: world.workspace,
      env: world.environment,
    });
    const said = readFileSync(world.path(where === "a file outside" ? "../said.txt" : "said.txt"), "utf8");
    assert.doesNotMatch(said, /May I|blocked|^to-/m);
    const told = JSON.stringify(world.provider.requests.at(-1)?.body);
    assert.match(told, /1\\+n2\\+n3/);
    assert.match(told, /to-errors\\+nto-two/);
  });

/** What commands capture of each stream. */
const led = [
  { cmd: "echo a > /dev/stderr", stdout: "", stderr: "a\n" },
  { cmd: "echo a &> /dev/fd/2", stdout: "", stderr: "a\n" },
  { cmd: "echo a &>> /dev/stdout", stdout: "a\n", stderr: "" },
  { cmd: "echo a > /proc/thread-self/fd/1", stdout: "a\n", stderr: "" },
  { cmd: "cat < /dev/stdin 2> /dev/null", stdout: "", stderr: "" },
  { cmd: "cat /dev/fd/0 2> /dev/stdout", stdout: "", stderr: "" },
  { cmd: "head -c 0 /dev/zero /dev/urandom -q 2> /dev/stderr", stdout: "", stderr: "" },
];

test("a stream of the command and a device that holds nothing ask nothing, and what is printed goes where it is led", async (t) => {
  const made = await court(t);
  if (made === null) return;
  for (const { cmd, stdout, stderr } of led) {
    const prepared = await made.prepare(cmd);
    assert.ok(prepared.ok, cmd);
    assert.deepEqual(kindsOf(prepared.effects), ["run-program"], cmd);
    const outcome = await prepared.run(new AbortController().signal);
    assert.ok(outcome.status === "success", JSON.stringify(outcome));
    assert.deepEqual(outcome.content, { stdout, stderr, exitCode: 0 }, cmd);
  }
});

/** Programs that open a stream of their own by its name. */
const opened = [
  { cmd: "seq 2 | tee /dev/stderr", stdout: "1\n2\n", stderr: "1\n2\n" },
  { cmd: "seq 2 | tee /proc/self/fd/1", stdout: "1\n2\n1\n2\n", stderr: "" },
  { cmd: "seq 2 | cat /dev/stdin | cat - /dev/null", stdout: "1\n2\n", stderr: "" },
  { cmd: "cat /dev/stdin <<< word", stdout: "word\n", stderr: "" },
  {
    cmd: `sh -c 'echo a > /dev/stdout; echo b > /dev/fd/2; seq 3 | sed -n 2p /dev/stdin >> /proc/thread-self/fd/1'`,
    stdout: "a\n2\n",
    stderr: "b\n",
  },
  { cmd: `perl -e 'open F, ">", "/dev/stdout" or die $!; print F "c\n"'`, stdout: "c\n", stderr: "" },
];

test("a program opens its own streams by their names, in a pipe, in a trial and after a yes", async (t) => {
  const made = await court(t);
  if (made === null) return;
  for (const { cmd, stdout, stderr } of opened) {
    const said = outputOf(await made.approve(cmd));
    assert.deepEqual(JSON.parse(said), { stdout, stderr, exitCode: 0 }, cmd);
  }
  const tried = await made.attempt(opened[4]?.cmd ?? "");
  assert.deepEqual(JSON.parse(tried.said), { stdout: "a\n2\n", stderr: "b\n", exitCode: 0 });
});

test("what the kernel shows of each program itself is not taken from this program for a command", async (t) => {
  const made = await court(t);
  if (made === null) return;
  assert.match(outputOf(await made.approve("/proc/self/exe --version")), /no program has that path/);
  const { said } = await made.attempt("printf '%s,' /dev/fd/[0-2] /proc/self/fd/1*");
  assert.match(said, /"stdout":"\/dev\/fd\/0,\/dev\/fd\/1,\/dev\/fd\/2,\/proc\/self\/fd\/1,"/);
});

test("a word or a link that names a stream of the command adds nothing to what is asked; other descriptors do", async (t) => {
  const made = await court(t);
  if (made === null) return;
  writeFileSync(made.path("m1"), "one\n");
  symlinkSync("/dev/stderr", made.path("errors"));
  const asked = async (cmd: string) => {
    const prepared = await made.prepare(cmd);
    assert.ok(prepared.ok, cmd);
    return kindsOf(prepared.effects);
  };
  assert.deepEqual(await asked("cat m1 | tee /dev/stderr"), await asked("cat m1 | tee"));
  assert.deepEqual(await asked("echo a > errors"), ["run-program"]);
  assert.deepEqual(await asked("sh -c 'echo a > /dev/stdout'"), ["run-program"]);
  assert.deepEqual(await asked("echo a > /dev/fd/7"), ["run-program", "write-path"]);
  assert.deepEqual(await asked("echo a > /dev/stdin"), ["run-program", "write-path"]);
  // What it reads there is what the file holds.
  assert.deepEqual(await asked("cat /dev/fd/2 2>> m1"), ["run-program", "read-path", "write-path"]);
  const { said } = await made.attempt("cat m1 | tee -a x; echo b > errors");
  assert.match(said, /"stderr":"[^"]*b\\n"/);
});

test("what the kernel shows of a program stays secret by each of its names, and a tool for files has no streams", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ...[
        "cat /proc/self/environ",
        "cat < /proc/thread-self/environ",
        "cat /proc/1/environ",
        "cat /dev/fd/7",
        "echo x > /dev/fd/7",
        "echo x > /proc/self/mem",
        `cat /proc/${process.pid}/fd/2`,
      ].map((cmd) => ["shell", { cmd }] as const),
    ),
    calls(
      ["read-file", { path: "/dev/stdin" }],
      ["write-file", { path: "/dev/stdout", content: "x" }],
      ["read-file", { path: "/proc/self/environ" }],
    ),
    { text: "Nothing was read." },
  ]);
  const { err } = await world.command(["ask", "look"]);
  assert.equal(err.match(/secret path \(memory of another program\)/g)?.length, 8, err);
  const told = JSON.stringify(world.provider.requests.at(-1)?.body);
  assert.equal(told.match(/is a stream of the program that opens it, and no file/g)?.length, 2, told);
});

function kindsOf(effects: readonly { readonly kind: string }[]): readonly string[] {
  return effects.map(({ kind }) => kind);
}
