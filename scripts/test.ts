// Runs every test, then the parity test on their outcomes; prints the ten slowest files, and counts the skipped tests with their reasons.
// Files given as arguments run instead of all, without the parity test.
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FileUsage, listSlowest } from "./file-usage.ts";
import type { TestOutcome } from "./outcome.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parity = join("test", "parity.test.ts");
/** Node's compile cache for the processes of the tests: most of their starting time is compiling our sources. */
const compiled = join(root, ".passepartout", "compiled");
/** Test files at the same time: more than there are processors, since a third of a file's time is waiting: for the disk, for clocks and for other processes. */
const filesAtOnce = availableParallelism() + 2;
/** A test file that takes longer hangs. Milliseconds. */
const longest = 5 * 60_000;

async function runTests(files: readonly string[], record: string, outcomes: string): Promise<boolean> {
  const reporters = [
    ["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ["--test-reporter=./scripts/collect-outcomes.ts", `--test-reporter-destination=${record}`],
  ];
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--import=./scripts/record-usage.ts",
      "--test",
      `--test-concurrency=${filesAtOnce}`,
      `--test-timeout=${longest}`,
      ...reporters.flat(),
      ...files,
    ],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        PASSEPARTOUT_TEST_OUTCOMES: outcomes,
        PASSEPARTOUT_TEST_USAGE: usageRecord,
        NODE_COMPILE_CACHE: compiled,
      },
    },
  );
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => done(code === 0));
  });
}

function readOutcomes(file: string): readonly TestOutcome[] {
  return readLines(file).map((line): TestOutcome => JSON.parse(line));
}

function readLines(file: string): readonly string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function countSkipped(outcomes: readonly TestOutcome[]): string {
  const reasons = new Map<string, number>();
  for (const { outcome, reason } of outcomes) {
    if (outcome === "skipped") reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const total = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  const listed = [...reasons].map(([reason, count]) => `${count} because: ${reason}`).join("; ");
  return total === 0 ? "skipped: 0" : `skipped: ${total} (${listed})`;
}

const folder = mkdtempSync(join(tmpdir(), "passepartout-test-"));
const usageRecord = join(folder, "usage");
writeFileSync(usageRecord, "");
const asked = process.argv.slice(2);
const all = globSync(["src/**/*.test.ts", "packages/*/src/**/*.test.ts", "test/**/*.test.ts"], {
  cwd: root,
}).filter((file) => file !== parity);
const record = join(folder, "outcomes");
let passed = await runTests(asked.length > 0 ? asked : all.sort(), record, "");
const outcomes = [...readOutcomes(record)];
if (asked.length === 0) {
  const second = join(folder, "parity");
  passed = (await runTests([parity], second, record)) && passed;
  outcomes.push(...readOutcomes(second));
}
const usages = readLines(usageRecord).map((line): FileUsage => JSON.parse(line));
rmSync(folder, { recursive: true });
const skipped = outcomes.some(({ outcome }) => outcome === "skipped");
if (skipped && process.env["CI"] === "true") {
  passed = false;
  process.stdout.write("In CI a skipped test is a failure: install what it names in .ci/run.\n");
}
if (outcomes.length === 0) passed = false;
process.stdout.write(listSlowest(usages, 10));
process.stdout.write(`${countSkipped(outcomes)}\n`);
process.exitCode = passed ? 0 : 1;
