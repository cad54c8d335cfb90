import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Pipeline, SimpleCommand } from "../../src/act/shell/program.ts";
import { parser } from "../../src/act/tools/shell/shell.fixture.ts";
import { makeRandom } from "../make-random.ts";

/** A whole run is `BASH_LINES=63000 BASH_SEED=1`; a test run tries fewer. */
const [count, seed] = [Number(process.env["BASH_LINES"] ?? 600), Number(process.env["BASH_SEED"] ?? 1)];

const words = [
  "a",
  "b1",
  "-1",
  "-2",
  "1",
  "2",
  "0",
  "12",
  "-",
  "--",
  "+1",
  "=",
  "x=1",
  "x=",
  "{}",
  "{a}",
  "@",
  "%",
  "^",
  ",",
  ":",
  "/",
];
const quoted = [
  "\\2",
  "\\>",
  "\\a",
  "\\ ",
  "\\\n",
  "'c'",
  "'2'",
  "''",
  '"d"',
  '"2"',
  '"\\$"',
  "$'e'",
  "$'\\n'",
  "$",
  "~",
  "~/",
  "#",
  "!",
];
const opened = [
  ">f",
  ">g",
  "> f",
  "2>f",
  "1>g",
  "0>f",
  "3>f",
  "02>g",
  "-1>f",
  ">>f",
  "2>>g",
  ">|f",
  "&>f",
  "&>>g",
];
const others = [
  ">&2",
  "2>&1",
  ">& 2",
  "2>& 1",
  ">&f",
  "2>&1a",
  "<line",
  "0<line",
  "2<line",
  "<<<w",
  "<<< w",
  ";",
  "&&",
  "\n",
];
const pieces = [...words, ...quoted, ...opened, ...others];
const blanks = ["", "", " ", " ", " ", "\t", "  "];

function generateLine(number: number): string {
  const random = makeRandom(seed * 1_000_003 + number);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const length = 1 + Math.floor(random() * 7);
  return `p ${Array.from({ length }, () => `${pick(blanks)}${pick(pieces)}`).join("")}`;
}

/** What bash gives to each program of a line, and which files it opens for it. */
const script = `
p() { printf '%s\\0' p "$@" >&9; printf '\\1' >&9; printf O; printf E >&2; }
command_not_found_handle() { printf '%s\\0' "$@" >&9; printf '\\1' >&9; printf O; printf E >&2; }
for ((number = 0; number < ${count}; number++)); do
  cd "$ROOT/$number"; IFS= read -rd '' line <line; unset x a
  eval "$line" 9>calls >out 2>err
done; exit 0
`;

type Seen = { readonly calls: readonly (readonly string[])[]; readonly files: readonly string[] };

/** The same by this program's own reader. */
function readCalls(pipelines: readonly Pipeline[]): Seen | null {
  const commands = pipelines.flatMap((pipeline) => pipeline.commands);
  // A program with a path is not looked up, and so not told.
  if (commands.some(({ globs, argv }) => globs !== undefined || argv[0]?.includes("/") === true)) return null;
  // A program of which bash cannot open a file does not run.
  if (
    commands.some(({ redirects }) =>
      redirects.some(({ op, target }) => (op === "<" ? target !== "line" : target.includes("/"))),
    )
  )
    return null;
  const opened = commands.flatMap(({ redirects }) => redirects.filter(({ op }) => /^&?>(?!&)/.test(op)));
  // What two openings of one file leave in it depends on their places in it.
  if (new Set(opened.map(({ target }) => target)).size < opened.length) return null;
  const files = new Map<string, string>();
  for (const command of commands) for (const [file, text] of filesOf(command)) files.set(file, text);
  return { calls: commands.map(({ argv }) => argv), files: describe(files) };
}

/** The files that a command writes, each with what of its two outputs goes there. */
function filesOf({ redirects }: SimpleCommand): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const places = new Map([
    [1, "out"],
    [2, "err"],
  ]);
  for (const { op, fd, target } of redirects) {
    if (op === ">&") places.set(fd, places.get(Number(target)) ?? "");
    else if (op.includes(">")) {
      files.set(target, "");
      places.set(fd, target);
      if (op.startsWith("&")) places.set(1, target).set(2, target);
    }
  }
  for (const [fd, sign] of [
    [1, "O"],
    [2, "E"],
  ] as const) {
    const place = places.get(fd) ?? "";
    if (files.has(place)) files.set(place, `${files.get(place) ?? ""}${sign}`);
  }
  return files;
}

function describe(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].map(([name, text]) => `${name} ${text}`).toSorted();
}

test("a line that is read is read as bash reads it: the same words, and the same files for the same outputs", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "bash-lines-"));
  t.after(() => rmSync(root, { recursive: true }));
  const lines = Array.from({ length: count }, (_, number) => generateLine(number));
  for (const [number, line] of lines.entries()) {
    mkdirSync(join(root, String(number)));
    writeFileSync(join(root, String(number), "line"), line);
  }
  execFileSync("/bin/bash", ["--norc", "-c", script], {
    env: { ROOT: root, HOME: "/h", PATH: "/nowhere", LC_ALL: "C.UTF-8" },
    stdio: "ignore",
  });
  let read = 0;
  for (const [number, line] of lines.entries()) {
    const program = await parser.parse(line, "/h");
    const ours = program.kind === "plain" ? readCalls(program.pipelines) : null;
    if (ours === null) continue;
    read += 1;
    assert.deepEqual(ours, seenBy(join(root, String(number))), JSON.stringify(line));
  }
  assert.ok(read > count / 10, `${read} of ${count} were read`);
  t.diagnostic(`${read} of ${count} lines are read`);
});

function seenBy(folder: string): Seen {
  const names = readdirSync(folder).filter((name) => !["line", "calls", "out", "err"].includes(name));
  const calls = readFileSync(join(folder, "calls"), "utf8").split("\0\u0001").slice(0, -1);
  return {
    calls: calls.map((call) => call.split("\0")),
    files: names.map((name) => `${name} ${readFileSync(join(folder, name), "utf8")}`).toSorted(),
  };
}
