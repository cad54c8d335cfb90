import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { commandTable } from "./command-table.ts";
import { completionForBash } from "./complete-bash.ts";
import { completionForFish } from "./complete-fish.ts";
import { completionForZsh } from "./complete-zsh.ts";

const settings = ["BUDGET_PER_DAY", "BUDGET_PER_TURN", "MEMEX_DIR"];
const folder = mkdtempSync(join(tmpdir(), "completion-"));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "bin"));
mkdirSync(join(folder, "garden"));
writeFileSync(join(folder, "plan one.org"), "");
writeFileSync(
  join(folder, "bin", "passepartout"),
  `#!/bin/sh\n[ "$1 $2" = "completion sessions" ] || exit 9\necho garden\necho 'two words'\n[ "$3" = --named ] || echo 0123abcd\n`,
  { mode: 0o755 },
);

/** What is completed behind each command line. The last word is the one under the cursor. */
const cases: readonly (readonly [line: readonly string[], offered: readonly string[]])[] = [
  [["ag"], ["agenda"]],
  [["se"], ["sessions", "setup", "secret-paths", "service"]],
  [["diagnostics", "--f"], ["--fix"]],
  [
    ["config", ""],
    ["list", "get", "set", "unset"],
  ],
  [["config", "--json", "un"], ["unset"]],
  [
    ["config", "set", "BUDGET_PER_"],
    ["BUDGET_PER_DAY", "BUDGET_PER_TURN"],
  ],
  [
    ["config", "set", "--"],
    ["--dry-run", "--json", "--help"],
  ],
  [
    ["config", "get", "--"],
    ["--show-origin", "--json", "--help"],
  ],
  [
    ["org", "p"],
    ["parse", "print"],
  ],
  [
    ["org", "parse", "--units", ""],
    ["utf16", "char", "byte"],
  ],
  [["org", "parse", "--units", "by"], ["byte"]],
  [["org", "parse", "--units", "byte", "--no-t"], ["--no-text"]],
  [["ask", "--session", "ga"], ["garden"]],
  [["ask", "--session", "012"], []],
  [["sessions", "delete", "012"], ["0123abcd"]],
  [["agenda", "--from", ""], []],
  [["ask", "--", "--j"], []],
  [["ask", "where", "is", "--q"], ["--quiet"]],
  [["--cont"], ["--continue"]],
  [["frobnicate", "x"], []],
  [["completion", "f"], ["fish"]],
];

function run(shell: string, flag: string, script: string) {
  const file = join(folder, `script.${shell}`);
  writeFileSync(file, script);
  const { status, stdout, stderr } = spawnSync(shell, [flag, file], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, HOME: folder, TERM: "dumb" },
  });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout;
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

test("bash completes commands, verbs, options, their values, settings and sessions", () => {
  const asked = cases.map(([words]) => `ask passepartout ${words.map(quote).join(" ")}`);
  const script = `${completionForBash(settings)}
ask() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _passepartout; (IFS=$'\\t'; echo "\${COMPREPLY[*]}"); }
${asked.join("\n")}
ask passepartout org parse --units = by
ask passepartout ask --session tw
`;
  const lines = run("bash", "--norc", script).split("\n");
  const expected = [...cases.map(([, offered]) => offered.join("\t")), "byte", "two\\ words", ""];
  assert.deepEqual(lines, expected);
});

test("every option of every command is completed in bash where it may stand", () => {
  const all = commandTable.flatMap((command) =>
    (command.parts ?? [command]).flatMap(({ name, verbs = [{ name: "" }], options }) =>
      Object.entries(options).map(([option, { verbs: only }]) => {
        const verb = only?.[0] ?? verbs[0]?.name ?? "";
        return { words: [...name.split(" "), ...(verb === "" ? [] : [verb])], option: `--${option}` };
      }),
    ),
  );
  assert.ok(all.length > 90, `${all.length} options`);
  const asked = all.map(({ words, option }) => `ask passepartout ${[...words, option].join(" ")}`);
  const script = `${completionForBash(settings)}
ask() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _passepartout; echo "$* -> \${COMPREPLY[*]}"; }
${asked.join("\n")}
`;
  const lines = run("bash", "--norc", script).split("\n");
  const missing = all.filter(({ option }, at) => !lines[at]?.split(" -> ")[1]?.split(" ").includes(option));
  assert.deepEqual(missing, []);
});

const noFish = existsSync("/usr/bin/fish") ? false : "install fish";

test("fish completes the same, with the help of each", { skip: noFish }, () => {
  const script = `${completionForFish(settings)}
${cases.map(([words]) => `complete -C ${quote(`passepartout ${words.join(" ")}`)}\necho =`).join("\n")}
`;
  const parts = run("fish", "--no-config", script).split("=\n").slice(0, -1);
  const offered = parts.map((part) => part.split("\n").filter((each) => each !== ""));
  const names = offered.map((lines) => lines.map((each) => each.split("\t")[0] ?? "").toSorted());
  assert.deepEqual(
    names,
    cases.map(([, expected]) => expected.toSorted()),
  );
  assert.deepEqual(offered[0], ["agenda\tlist what is scheduled and due, by default this week"]);
});

const noZsh = existsSync("/usr/bin/zsh") ? false : "install zsh";

test("zsh completes the same", { skip: noZsh }, () => {
  // What zsh would offer is written in place of being shown; outside of its editor the functions that show it do not work.
  const script = `compdef() { : }
compadd() { shift; for one in "$@"; do [[ $one == "\${words[CURRENT]##*=}"* ]] && print -rn -- "$one	"; done }
_describe() { for one in \${reply%%:*}; do [[ $one == "\${words[CURRENT]}"* ]] && print -rn -- "$one	"; done }
_files() { : }
_message() { : }
compset() { : }
${completionForZsh(settings)}
ask() { words=("$@"); CURRENT=$#; _passepartout; print }
${cases.map(([words]) => `ask passepartout ${words.map(quote).join(" ")}`).join("\n")}
ask passepartout org parse --units=by
`;
  const lines = run("zsh", "--no-rcs", script).split("\n");
  const names = lines.map((each) => each.split("\t").filter((name) => name !== ""));
  assert.deepEqual(names, [...cases.map(([, offered]) => offered), ["byte"], []]);
});
