// Runs the benchmarks one after the other, each in a process of its own; with arguments, those whose name has one of them in it.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const asked = process.argv.slice(2);

for (const file of globSync("bench/*.bench.ts", { cwd: root }).sort()) {
  if (asked.length > 0 && !asked.some((name) => file.includes(name))) continue;
  process.stdout.write(`\n${file}\n`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, file], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    process.stdout.write(`${file} failed (${status === null ? "killed" : `exit code ${status}`})\n`);
    process.exitCode = 1;
  }
}
