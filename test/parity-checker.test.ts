import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { TestOutcome } from "../scripts/outcome.ts";
import { checkParity, readRows } from "../scripts/parity.ts";
import { checkMutations, parseMutations } from "../scripts/parity-mutations.ts";

const good =
  "| judge-total | the judge is total | done | `src/gate/judge.ts` | `src/gate/judge.test.ts › it answers` |";
const passed: TestOutcome = {
  file: "src/gate/judge.test.ts",
  name: "it answers",
  outcome: "passed",
  reason: "",
};
const files = ["src/gate/judge.ts", "src/gate/judge.test.ts"];

function check(
  rows: readonly string[],
  { outcomes = [passed], exist = files, allowSkipped = true } = {},
): readonly string[] {
  const table = [
    "# Parity",
    "",
    "| id | behaviour | status | lives in | test |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ];
  return checkParity({
    table: table.join("\n"),
    outcomes,
    fileExists: (path) => exist.includes(path),
    allowSkipped,
  });
}

function assertOnly(problems: readonly string[], said: RegExp): void {
  assert.equal(problems.length, 1, problems.join("\n"));
  assert.match(problems[0] ?? "", said);
}

test("a done row with its file and a passed test has no problem", () => {
  assert.deepEqual(check([good]), []);
});

test("rows that are later, not kept or not applicable claim nothing", () => {
  const rows = ["later", "not kept", "n/a"].map(
    (status, index) => `| r${index} | b | ${status} | part 7 | why |`,
  );
  assert.deepEqual(check([good, ...rows], {}), []);
});

test("a table without rows is a problem", () => {
  assertOnly(check([]), /no rows/);
  assertOnly(checkParity({ table: "", outcomes: [], fileExists: () => true, allowSkipped: true }), /no rows/);
});

test("a done row whose file does not exist is a problem", () => {
  assertOnly(
    check([good], { exist: ["src/gate/judge.test.ts"] }),
    /lives in src\/gate\/judge\.ts, which does not exist/,
  );
});

test("a done row whose test file does not exist is a problem", () => {
  assertOnly(
    check([good], { exist: ["src/gate/judge.ts"] }),
    /proved by .*judge\.test\.ts, which does not exist/,
  );
});

test("a done row whose test did not run is a problem", () => {
  assertOnly(check([good], { outcomes: [] }), /did not run/);
  assertOnly(check([good], { outcomes: [{ ...passed, name: "it answers twice" }] }), /did not run/);
  assertOnly(check([good], { outcomes: [{ ...passed, file: "src/gate/other.test.ts" }] }), /did not run/);
});

test("a done row whose test failed is a problem, also where another test of that name passed", () => {
  assertOnly(check([good], { outcomes: [passed, { ...passed, outcome: "failed" }] }), /which failed/);
});

test("a done row whose test was skipped is a problem in CI only", () => {
  const outcomes: TestOutcome[] = [{ ...passed, outcome: "skipped", reason: "install bubblewrap" }];
  assert.deepEqual(check([good], { outcomes }), []);
  assertOnly(check([good], { outcomes, allowSkipped: false }), /was skipped: install bubblewrap/);
});

test("an inverted row is held to the same as a done one", () => {
  assert.deepEqual(check([good.replace("| done |", "| inverted |")]), []);
  assertOnly(check([good.replace("| done |", "| inverted |")], { outcomes: [] }), /did not run/);
});

test("a test inside others is found by its own name and by the whole", () => {
  const outcomes = [{ ...passed, name: "judge › it answers" }];
  assert.deepEqual(check([good], { outcomes }), []);
  assert.deepEqual(check([good.replace("› it", "› judge › it")], { outcomes }), []);
  assertOnly(check([good.replace("› it", "› gate › it")], { outcomes }), /did not run/);
});

test("each of several tests of a row has to have passed", () => {
  const row = good.replace(/ \|$/, ", `src/gate/judge.test.ts › it lasts` |");
  assertOnly(check([row]), /"it lasts".*did not run/);
  assert.deepEqual(check([row], { outcomes: [passed, { ...passed, name: "it lasts" }] }), []);
});

test("a bar inside backticks or after a backslash belongs to the cell", () => {
  const row = good.replace("it answers", "a | b").replace("is total", "says x \\| y");
  assert.deepEqual(check([row], { outcomes: [{ ...passed, name: "a | b" }] }), []);
});

test("a malformed row is a problem", () => {
  assertOnly(check([good, "| short | row |"]), /needs 5 cells and has 2/);
  assertOnly(check([good, good.replace("judge-total", "")]), /no id/);
  assertOnly(check([good, good]), /used twice/);
  assertOnly(
    check([good, good.replace("judge-total", "b").replace("| done |", "| finished |")]),
    /status "finished"/,
  );
  assertOnly(check([good.replace("the judge is total", "")]), /no behaviour/);
  assertOnly(check([good.replace("`src/gate/judge.ts`", "src/gate/judge.ts")]), /names no `path`/);
  assertOnly(check([good.replace(/`src\/gate\/judge\.test.*/, "the judge's test |")]), /names no test/);
});

test("a table under another header is a problem, so that no row goes unread", () => {
  const table = ["| name | why |", "| --- | --- |", "| a | b |"].join("\n");
  assert.equal(checkParity({ table, outcomes: [], fileExists: () => true, allowSkipped: true }).length, 3);
});

test("each proved row of the table has a mutation whose line is in the source; where this fails, write it anew by hand so that it breaks what its row says, and run npm run mutations -- ROW", () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const read = (file: string): string | null => {
    const path = join(root, file);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  };
  const rows = readRows(read("docs/parity.md") ?? "");
  const mutations = parseMutations(read("test/parity-mutations.json") ?? "");
  assert.deepEqual(checkMutations(rows, mutations, read), []);
});

/** Rows whose behaviour nobody outside can meet, with the reason. */
const byImportAlone: ReadonlyMap<string, string> = new Map([
  ["L-14", "a call of a model is blocked only where what is withheld before it failed"],
  ["L-60", "it is about the sources"],
  ["C-34", "the row waits for questions as nodes; what /plan org shows is in the tests of flight plans"],
  ["W-09", "no message of this program has a key that its schema does not know"],
  ["W-20", "no answer of this program is as long as a frame"],
  ["W-22", "what a name becomes in memory is not told"],
]);
/** Tests in the folder of tests that read sources or import a module. */
const readsSources = ["test/architecture/architecture.test.ts", "test/settings.test.ts"];

test("each proved row names a test that reaches it from outside: by the wire, the command line, a terminal, a door or an agent that a client opens", () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const inside = readRows(readFileSync(join(root, "docs", "parity.md"), "utf8"))
    .filter(({ tests }) =>
      tests.every(({ file }) => !file.startsWith("test/") || readsSources.includes(file)),
    )
    .map(({ id }) => id);
  assert.deepEqual(
    inside.filter((id) => !byImportAlone.has(id)),
    [],
  );
});

test("a row without a mutation, and a mutation without its row, file, line or effect, are named", () => {
  const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id, files: [], tests: [] }));
  const one = { file: "x.ts", line: "one", occurrence: 0, replacement: "two" };
  const mutations = new Map([
    ["a", one],
    ["b", { ...one, occurrence: 1 }],
    ["c", { ...one, file: "y.ts" }],
    ["d", { ...one, replacement: "one" }],
    ["z", one],
  ]);
  assert.deepEqual(
    checkMutations(rows, mutations, (file) => (file === "x.ts" ? "one\n" : null)),
    [
      "e has no mutation",
      "z is no proved row",
      "b: x.ts has no such line any more: one",
      "c: there is no file y.ts",
      "d: its mutation changes nothing",
    ],
  );
});
