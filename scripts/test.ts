// Runs every test, then the parity test on their outcomes; prints the ten slowest files, and counts the skipped tests with their reasons.
// Files given as arguments run instead of all, without the parity test.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";
import { collectOutcomes } from "./collect-outcomes.ts";
import { endSilentProcesses } from "./end-silent.ts";
import { type FileUsage, listSlowest } from "./file-usage.ts";
import { canShareProcess, dealOut } from "./group-tests.ts";
import type { TestOutcome } from "./outcome.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parity = join("test", "parity.test.ts");
const guard = join("scripts", "guard-process.ts");
/** Node's compile cache for the processes of the tests: most of their starting time is compiling our sources. */
const compiled = join(root, ".passepartout", "compiled");
/** Test files at the same time: more than there are processors, since a third of a file's time is waiting: for the disk, for clocks and for other processes. With six for two processors the whole took longer than with four. */
const filesAtOnce = availableParallelism() + 2;
/** Test files that share a process: many, so that what they use is loaded and optimised once for them (two groups of 16 take a ninth more than one of 32), and so few that both processors have work to the end. */
const filesInGroup = 32;
/** Megabytes for new objects in a process of tests. With Node's default of 16, collecting them takes a seventh of the processor's time. */
const youngGeneration = 64;
/**
 * A process that gives no sign of life for so long hangs, and so does a test that takes twice as long: some
 * start a hundred programs. Milliseconds.
 */
const longest = Number(process.env["PASSEPARTOUT_TEST_LONGEST"] ?? 5 * 60_000);
/** Settings of the person who runs the tests: no test obeys them. */
const personal = /^(?:GIT_(?!SSL_)\w+|EDITOR|VISUAL|PAGER|(?:https?|all|no|ftp)_proxy)$/i;

/**
 * What takes longest, or waits longest, starts first, so that at the end no file is left over for one
 * processor while the other waits.
 */
const longFirst = [
  "test/daemon/idle-day.test.ts",
  "test/daemon/jobs.test.ts",
  "test/mcp/http.test.ts",
  "test/mcp/pool.test.ts",
  "test/fresh-clone.test.ts",
  "test/packages.test.ts",
  "test/kill/",
  "test/command-line/bad-places.test.ts",
  "test/main-job/real-server.test.ts",
  "test/daemon/kill-",
  "test/daemon/queue-pressure.test.ts",
  "test/notes-writes/kill.test.ts",
  "test/attacks/undo-budget.test.ts",
  "src/act/web/read-page.test.ts",
  "test/attacks/hostile-repository.test.ts",
  "test/attacks/private-traces.test.ts",
  "test/attacks/only-in-git.test.ts",
  "test/main-job/linked-git.test.ts",
  "test/mcp/granted-notes.test.ts",
  "test/org/agenda-emacs.test.ts",
];

function rankOf(file: string): number {
  const rank = longFirst.findIndex((long) => file.startsWith(long));
  return rank === -1 ? longFirst.length : rank;
}

/** Test files that leave their process as they found it share processes: a third of the time of most is starting one and loading what they import. What takes longest stays by itself, and first; small files come last, to fill the end. */
function groupFiles(files: readonly string[]): readonly string[] {
  const read = (file: string): string => readFileSync(resolve(root, file), "utf8");
  const long = files.filter((file) => rankOf(file) < longFirst.length);
  const sharing = files.filter((file) => !long.includes(file) && canShareProcess(file, read));
  const count = Math.ceil(sharing.length / filesInGroup);
  if (count < 2) return files;
  const groups = dealOut(sharing, count).map((group, index) => {
    const path = join(folder, `${group.length}-files-${index + 1}.test.mts`);
    const imports = [guard, ...group].map(
      (file) => `import ${JSON.stringify(pathToFileURL(resolve(root, file)).href)};\n`,
    );
    writeFileSync(path, imports.join(""));
    return path;
  });
  const grouped = new Set(sharing);
  return [...long, ...groups, ...files.filter((file) => !long.includes(file) && !grouped.has(file))];
}

/** Runs files; `before` is the record of what ran before them. */
async function runTests(files: readonly string[], before: string): Promise<readonly TestOutcome[]> {
  const events = run({
    cwd: root,
    files,
    concurrency: filesAtOnce,
    timeout: 2 * longest,
    execArgv: [
      "--disable-warning=ExperimentalWarning",
      "--import=./scripts/record-usage.ts",
      "--import=./scripts/untracked-promises.ts",
      "--import=./scripts/end-process.ts",
      `--max-semi-space-size=${youngGeneration}`,
    ],
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !personal.test(name))),
      // No file, and none can be made there: as root, `git config --global` would replace /dev/null.
      GIT_CONFIG_GLOBAL: "/proc/no-git-settings",
      GIT_CONFIG_NOSYSTEM: "1",
      PASSEPARTOUT_TEST_OUTCOMES: before,
      PASSEPARTOUT_TEST_USAGE: usageRecord,
      PASSEPARTOUT_TEST_LIVES: lives,
      NODE_COMPILE_CACHE: compiled,
    },
  });
  const shown = pipeline(events.compose(new spec()), process.stdout, { end: false });
  const outcomes = await Array.fromAsync(collectOutcomes(events));
  await shown;
  return outcomes;
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
const lives = join(folder, "lives");
mkdirSync(lives);
const stopWatch = endSilentProcesses(lives, longest, (text) => process.stderr.write(text));
const asked = process.argv.slice(2);
const all = globSync(["src/**/*.test.ts", "packages/*/src/**/*.test.ts", "test/**/*.test.ts"], {
  cwd: root,
})
  .filter((file) => file !== parity)
  .sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
const outcomes = [...(await runTests(groupFiles(asked.length > 0 ? asked : all), ""))];
if (asked.length === 0) {
  const record = join(folder, "outcomes");
  writeFileSync(record, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(""));
  outcomes.push(...(await runTests([parity], record)));
}
stopWatch();
let passed = outcomes.length > 0 && outcomes.every(({ outcome }) => outcome !== "failed");
const usages = readLines(usageRecord).map((line): FileUsage => JSON.parse(line));
rmSync(folder, { recursive: true });
const skipped = outcomes.some(({ outcome }) => outcome === "skipped");
if (skipped && process.env["CI"] === "true") {
  passed = false;
  process.stdout.write("In CI a skipped test is a failure: install what it names in .ci/run.\n");
}
process.stdout.write(listSlowest(usages, 10));
process.stdout.write(`${countSkipped(outcomes)}\n`);
process.exitCode = passed ? 0 : 1;
