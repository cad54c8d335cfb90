import { type ChildProcess, spawn } from "node:child_process";
import { sendFilter } from "../sandbox/bubblewrap.ts";
import { killGroup } from "./kill-group.ts";
import type { ProcessSpec } from "./streams.ts";

/** Starts the process of a program on a terminal, as the first of a group of its own. */
export function startIn(step: ProcessSpec, cwd: string): ChildProcess {
  const [program = "", ...args] = step.argv;
  const child = spawn(program, args, {
    cwd,
    env: Object.fromEntries(step.environment),
    detached: true,
    stdio: ["pipe", "pipe", "pipe", step.filter === null ? "ignore" : "pipe", "pipe"],
  });
  sendFilter(child, step.filter);
  return child;
}

/** The exit code, once the process and all that it printed are over. */
export function endOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject);
  child.on("exit", () => killGroup(child));
  child.on("close", (code) => resolve(code ?? 137));
  return promise;
}
