import assert from "node:assert/strict";
import { test } from "node:test";
import { makeScratchFolder } from "../../src/act/tools/shell/shell.fixture.ts";
import { makeRandom } from "../make-random.ts";
import { openJudge } from "./fuzz-commands.ts";
import { dangerousCommands, quoted } from "./mutate-command.ts";

const readOnly: readonly string[] = [
  "ls -la src",
  "cat a.txt",
  "grep -rn x src",
  "head -5 a.txt",
  "wc -l a.txt",
  "git status",
  "git -C src log --oneline",
  "find . -name '*.ts'",
  "echo 'a b'",
  "du -sh .",
  "cat 'src/a.ts'",
  "sort a.txt",
];
const blocked: readonly string[] = [
  "cat .env",
  "cat ~/.ssh/id_rsa",
  "rm .env",
  "head -c 100 .ssh/id_rsa",
  "cp .env x",
  "base64 .env",
];

type Wrapper = (command: string, random: (below: number) => number) => string;

/** Words that start a command and do nothing else. */
const plain: readonly Wrapper[] = [
  (command) => `timeout 5 ${command}`,
  (command) => `timeout -k 1 --signal=KILL 2.5s ${command}`,
  (command) => `nice ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `/usr/bin/nice --adjustment=5 ${command}`,
  (command) => `nohup ${command}`,
  (command) => `ionice -c3 ${command}`,
  (command) => `stdbuf -oL ${command}`,
  (command) => `env LC_ALL=C ${command}`,
  (command) => `env ${command}`,
];
/** Shells and words of the shell that pass a command on. They stand before all others, because only a shell knows them. */
const shells: readonly Wrapper[] = [
  (command) => `bash -c ${quoted(command)}`,
  (command) => `sh -c ${quoted(command)}`,
  (command) => `/bin/sh -c ${quoted(command)} sh x`,
  (command) => `dash -c ${quoted(command)}`,
  (command) => `bash --norc --noprofile -c ${quoted(command)}`,
  (command) => `timeout 9 bash -c ${quoted(command)}`,
  (command) => `nohup nice sh -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `command ${command}`,
  (command) => `time ${command}`,
];
/** Programs that do more than start a command. */
const asking: readonly Wrapper[] = [
  (command) => `setsid ${command}`,
  (command) => `setsid -w ${command}`,
  (command) => `sudo ${command}`,
  (command) => `sudo -u root FOO=1 ${command}`,
  (command) => `doas ${command}`,
  (command) => `su root -c ${quoted(command)}`,
  (command) => `flock a.txt ${command}`,
  (command) => `flock -n a.txt -c ${quoted(command)}`,
  (command) => `watch -n 1 ${command}`,
  (command) => `script -q -c ${quoted(command)} out`,
  (command) => `env -i ${command}`,
  (command) => `env FOO=1 ${command}`,
  (command) => `strace -f ${command}`,
  (command) => `ionice -c3 busybox ${command}`,
  (command) => `taskset 1 ${command}`,
];

/** A command behind one to `deepest` wrappers, one inside the other. */
function wrap(command: string, wrappers: readonly Wrapper[], random: (below: number) => number): string {
  let wrapped = command;
  for (let left = 1 + random(deepest); left > 0; left -= 1)
    wrapped = wrappers[random(wrappers.length)]?.(wrapped, random) ?? wrapped;
  return wrapped;
}

const deepest = 6;
const strict = { pass: 0, trial: 1, ask: 1, block: 2, refused: 2 };

/** A part of the lines that `npm run long` makes, from the same seeds. */
const part = process.env["LONG"] === "all" ? 1 : 0.4;

test("a command has the same verdict behind words that only start it, nested as deep as they may be", async (context) => {
  const judge = openJudge(await makeScratchFolder(context));
  const random = makeRandom(20_261_122);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let number = 0; number < 300 * part; number += 1) {
    const commands = [readOnly, blocked, dangerousCommands][number % 3] ?? readOnly;
    const command = commands[below(commands.length)] ?? "";
    const isWord = /^[a-z]/.test(command) && !/[|<>~;&]/.test(command) && !/^(?:env|echo x)/.test(command);
    const inner = isWord ? wrap(command, plain, below) : command;
    const line =
      isWord && below(2) === 0 ? inner : wrap(inner, shells.slice(0, isWord ? undefined : 5), below);
    const verdict = await judge(line);
    if (commands === dangerousCommands) assert.notEqual(verdict, "pass", line);
    else assert.equal(verdict, await judge(command), line);
  }
});

test("behind a program that does more than start it, a command is asked about at least, and blocked where it is blocked alone", async (context) => {
  const judge = openJudge(await makeScratchFolder(context));
  const random = makeRandom(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let number = 0; number < 200 * part; number += 1) {
    const commands = number % 2 === 0 ? readOnly : blocked;
    const command = commands[below(commands.length)] ?? "";
    const shown = asking[below(asking.length)]?.(command, below) ?? command;
    const line = below(2) === 0 ? shown : wrap(shown, [...plain, ...shells.slice(0, 6)], below);
    const verdict = strict[await judge(line)];
    assert.ok(verdict >= Math.max(1, strict[await judge(command)]), line);
  }
});

test("a text for a shell that is no plain command asks as it is, and shells inside of shells are read to a limit", async (context) => {
  const judge = openJudge(await makeScratchFolder(context));
  let deep = "ls";
  for (let left = 40; left > 0; left -= 1) deep = `eval ${deep}`;
  for (const line of [
    "bash -c 'cat $X'",
    "bash -c 'cd src; ls'",
    "sh -c 'ls &> a'",
    "sh -c $'ls'$'\\x20'",
    "sh -c \"cat <<< $'a'\"",
    "bash -ic ls",
    "bash -lc ls",
    "bash -xc ls",
    "bash -c -x ls",
    "bash --rcfile x -c ls",
    "bash --init-file x -c ls",
    "bash -O extglob -c ls",
    "zsh -c ls",
    "./bash -c ls",
    "src/sh -c ls",
    "exec ls; rm a.txt",
    "eval 'exec ls'; rm a.txt",
    "LD_PRELOAD=./x bash -c ls",
    "BASH_ENV=./x bash -c ls",
    "bash -c 'LD_PRELOAD=./x ls'",
    "timeout 5 bash -c 'ls; pwd > x'",
    "! bash -c '! rm a.txt'",
    "bash -c 'rm a.txt' < a.txt",
    "ssh host ls",
    deep,
  ])
    assert.notEqual(await judge(line), "pass", line);
});
