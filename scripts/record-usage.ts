// Loaded into the process of each test file: when it ends, appends the file's seconds, by the clock and of the CPU, to the record that the runner names.
import { appendFileSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { FileUsage } from "./file-usage.ts";

const record = process.env["PASSEPARTOUT_TEST_USAGE"];
const [, file] = process.argv;

/** CPU seconds of the child processes that ended and were waited for: `cutime` and `cstime` of proc_pid_stat(5), in hundredths. 0 where there is no /proc. */
function childrenCpu(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}

if (isMainThread && record !== undefined && file !== undefined && /\.test\.m?ts$/.test(file)) {
  process.once("exit", () => {
    const { user, system } = process.cpuUsage();
    const usage: FileUsage = {
      file: file.endsWith(".mts") ? basename(file) : relative(process.cwd(), file),
      seconds: performance.now() / 1000,
      cpuSeconds: (user + system) / 1e6 + childrenCpu(),
    };
    appendFileSync(record, `${JSON.stringify(usage)}\n`);
  });
}
