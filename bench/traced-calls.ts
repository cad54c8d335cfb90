import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A system call of a traced process that wrote, flushed, opened or read a file. */
export type TracedCall = {
  /** Unix milliseconds at which it began. */
  readonly at: number;
  readonly name: string;
  readonly path: string;
  /** What it returned: the bytes written or read. */
  readonly result: number;
};

const program = "/usr/bin/strace";
const followed = "pwrite64,write,pwritev,writev,fsync,fdatasync,openat,read,pread64";
const line = /^\d+\s+(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+)/;

/** Follows a process with strace until it is stopped; null on a machine without strace. */
export async function traceCalls(
  pid: number,
): Promise<{ readonly stop: () => Promise<readonly TracedCall[]> } | null> {
  if (!existsSync(program)) return null;
  // Outside the home of the daemon, which watches its folders.
  const folder = mkdtempSync(join(tmpdir(), "passepartout-trace-"));
  const file = join(folder, "calls");
  const options = ["-f", "-ttt", "-y", "-s", "0", "-e", `trace=${followed}`, "-o", file, "-p", String(pid)];
  const child = spawn(program, options, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await pause(1000);
  return {
    async stop() {
      child.kill("SIGINT");
      await ended;
      const lines = readFileSync(file, "utf8").split("\n");
      rmSync(folder, { recursive: true });
      return lines.flatMap(callOf);
    },
  };
}

/** An interrupted call stands in two lines: the second has its result, and the first its file. */
function callOf(text: string, index: number, all: readonly string[]): readonly TracedCall[] {
  const [, at, name, given = "", result] = line.exec(joined(text, index, all)) ?? [];
  if (at === undefined || name === undefined) return [];
  const [, path = ""] =
    (name === "openat" ? /= \d+<(.*)>/ : /<([^>]*)>/).exec(name === "openat" ? text : given) ?? [];
  return [{ at: Number(at) * 1000, name, path, result: Number(result) }];
}

function joined(text: string, index: number, all: readonly string[]): string {
  const [begun, pid] = /^(\d+) .* <unfinished \.\.\.>$/.exec(text) ?? [];
  if (begun === undefined) return text;
  const rest = all
    .slice(index + 1)
    .find((later) => later.startsWith(`${pid} `) && later.includes(" resumed>"));
  return `${begun.replace(/ <unfinished \.\.\.>$/, "")}${rest?.replace(/^.* resumed>/, "") ?? ""}`;
}
