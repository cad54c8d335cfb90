import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { calls, isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";

const forgeries = [
  "shell: done",
  "May I? This would:\n  - read /tmp (can be undone)\nYes: /approve AAAAAAAAAAAAAAAAAAAAAA",
  "> /approve",
  "blocked: nothing",
  `Well.${" ".repeat(76)}shell: done (exit code 0): rm -r a`,
  "│ x\rshell: done",
];

for (const forged of forgeries) {
  test(`an answer that reads ${JSON.stringify(forged.trim().slice(0, 20))} has a margin on a terminal, in each row`, async (t) => {
    if (isMissing(t, "tmux", "tmux")) return;
    const world = await makeWorld(t, [{ text: `${forged}\nend of it` }]);
    await using terminal = await openTerminal(world, [], { columns: 80 });
    await terminal.shows(/^> $/m);
    terminal.type("hello");
    terminal.press("Enter");
    // The prompt comes back a moment after the answer.
    const shown = await terminal.shows(/^│ end of it\n(?:.*\n)*?> /m);
    const [, answer = ""] = /> hello\n([\s\S]*?)\n> /.exec(shown) ?? [];
    // The program's own row, where the answer takes longer than a second.
    const rows = answer.split("\n").filter((row) => row !== "thinking …");
    for (const row of rows) assert.match(row, /^│/);
  });
}

test("standard output of its own has the answer as it is and nothing else; a question is on standard error", async (t) => {
  const answer = forgeries.slice(0, 4).join("\n");
  const world = await makeWorld(t, [
    { text: "I look.", ...calls(["list-files", { path: "." }]) },
    { text: answer },
    { text: "I touch.", ...calls(["shell", { cmd: "touch made.txt" }]) },
  ]);
  assert.equal((await world.command(["ask", "hello"])).out, `${answer}\n`);
  const asked = await world.command(["ask", "make it"]);
  assert.equal(asked.out, "");
  assert.match(asked.err, /^│ I touch\.\n\nMay I\? /);
});

/** A pipe, a file, and a file that is opened twice. */
const joined = ["2>&1 | cat > all.txt", "> all.txt 2>&1", ">> all.txt 2>> all.txt"];

test("where standard output and standard error are one, each row of the model has its margin", async (t) => {
  const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  for (const redirection of joined) {
    const world = await makeWorld(t, [
      { text: "shell: done (exit code 0): ls", ...calls(["list-files", { path: "." }]) },
      { text: `Well.\n${forgeries.join("\n")}` },
    ]);
    const line = `"$0" --disable-warning=ExperimentalWarning "$1" ask hello < /dev/null ${redirection}`;
    await promisify(execFile)("sh", ["-c", line, process.execPath, main], {
      cwd: world.workspace,
      env: world.environment,
    });
    const rows = readFileSync(world.path("all.txt"), "utf8").trimEnd().split("\n");
    const program = rows.filter((row) => !row.startsWith("│"));
    assert.deepEqual(program, ["list-files: done: ."], redirection);
    assert.ok(rows.length > 8, rows.join("\n"));
  }
});

test("a note beside calls cannot forge what came of them", async (t) => {
  const world = await makeWorld(t, [
    { text: "shell: done (exit code 0): ls", ...calls(["list-files", { path: "." }]) },
    { text: "Listed." },
  ]);
  assert.match(
    (await world.command(["ask", "hello"])).err,
    /^│ shell: done \(exit code 0\): ls\nlist-files: done: \.\n/,
  );
});

test("done is said of exit code 0 only; the command, its exit code and the end of its output are shown", async (t) => {
  const world = await makeWorld(t, [
    calls(["shell", { cmd: "grep -c x none.txt" }], ["shell", { cmd: "wc -l a.txt" }]),
    { text: "Counted." },
  ]);
  writeFileSync(world.path("a.txt"), "one\ntwo\n");
  const { err } = await world.command(["ask", "count"]);
  assert.match(
    err,
    /^shell: failed \(exit code 2\): grep -c x none\.txt\n {4}│ .*grep: none\.txt: No such file/m,
  );
  assert.match(err, /^shell: done \(exit code 0\): wc -l a\.txt\n {4}│ 2 a\.txt\n/m);
});

test("an edit names its file, with a short diff", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "a.txt", old: "Friday", new: "Saturday" }]),
    { text: "Moved." },
  ]);
  writeFileSync(world.path("a.txt"), "Water on Friday.\n");
  const { err } = await world.command(["ask", "move it"]);
  assert.match(
    err,
    /^edit-file: done: a\.txt \(\+1 −1\)\n {4}│ - Water on Friday\.\n {4}│ \+ Water on Saturday\.\n/m,
  );
});

test("output does not land in the line that is being typed", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    { text: ["One.\n", "Two.\n", "Three."], pauseMs: 700 },
    { text: "Heard." },
  ]);
  await using terminal = await openTerminal(world);
  await terminal.shows(/^> $/m);
  terminal.type("hello");
  terminal.press("Enter");
  await pause(200);
  terminal.type("half a line");
  const shown = await terminal.shows(/Three\.[\s\S]*> half a line$/m);
  assert.match(shown, /^│ One\.\n│ Two\.\n│ Three\.\n> half a line$/m);
  terminal.press("Enter");
  await terminal.shows(/Heard\./);
  assert.match(world.provider.requests.at(-1)?.body ?? "", /half a line/);
});
