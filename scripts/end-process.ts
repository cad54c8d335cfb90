// Loaded into the process of each test file. A process that has not ended some seconds after its last test,
// or that leaves processes which hold its output (the runner would wait for these), says what holds it, ends
// what it left, and fails. While it lives it writes signs of life for `end-silent.ts`.
import { rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { after, beforeEach } from "node:test";
import { isMainThread } from "node:worker_threads";
import { endProcesses, findDescendants, findHolders } from "./find-processes.ts";

/**
 * Milliseconds that a process gets to end after its last test. They are counted in parts, and a part in which
 * the process is busy counts once: cleaning up may take long, such as removing ten thousand files at once.
 */
const patience = Number(process.env["PASSEPARTOUT_TEST_PATIENCE"] ?? 10_000);
/** The runner's folder for signs of life, and the milliseconds between two of them. */
const lives = process.env["PASSEPARTOUT_TEST_LIVES"];
const between = 2_000;
const parts = 20;
const [, path = ""] = process.argv;

if (isMainThread && /\.test\.m?ts$/.test(path)) watch();

function watch(): void {
  const file = path.endsWith(".mts") ? basename(path) : relative(process.cwd(), path);
  const run = { latest: "none" };
  const end = (what: string, left: readonly number[]): void => {
    process.stderr.write(`${file} ${what}. Its latest test: ${run.latest}.\n${endProcesses(left)}`);
    process.exitCode = 1;
  };
  const giveSign = lives === undefined ? () => {} : openSigns(join(lives, String(process.pid)), file);
  giveSign(run.latest);
  setInterval(() => giveSign(run.latest), between).unref();
  beforeEach((context) => {
    run.latest = context.fullName;
    giveSign(run.latest);
  });
  after(() => {
    let left = parts;
    setInterval(() => {
      left -= 1;
      if (left > 0) return;
      const held = process.getActiveResourcesInfo().join(", ");
      end(
        `did not end ${patience / 1000} s after its last test; it holds ${held}`,
        findDescendants(process.pid),
      );
      process.exit(1);
    }, patience / parts).unref();
  });
  process.once("exit", () => {
    const left = findHolders(process.pid);
    if (left.length > 0) end("left processes that hold its output", left);
  });
}

/** What writes a sign of life with the name of a test; the sign goes when the process ends. */
function openSigns(sign: string, file: string): (latest: string) => void {
  process.once("exit", () => rmSync(sign, { force: true }));
  return (latest) => writeFileSync(sign, `${file}\n${latest}`);
}
