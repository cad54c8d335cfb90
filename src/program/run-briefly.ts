import { spawn } from "node:child_process";
import { systemPath } from "../text/system-programs.ts";

/** Milliseconds after which a program that was asked for a little is killed. */
const longest = 2_000;

/** What a program came to: its code and what it printed. `code` is null where it could not be run, or took too long. */
export type BriefRun = { readonly code: number | null; readonly out: string };

/** Runs a small program of the desktop or the terminal. What it starts in the background, as a clipboard does, is not waited for. */
export type RunBriefly = (
  program: readonly [name: string, ...args: string[]],
  given: { readonly input?: string; readonly reads?: boolean },
) => Promise<BriefRun>;

/**
 * Runs programs of the system with this environment; `path`: where they are found, other folders in tests.
 */
export function makeRunBriefly(
  environment: Readonly<Record<string, string | undefined>>,
  path = systemPath,
): RunBriefly {
  return ([name, ...args], { input = "", reads = false }) =>
    new Promise((resolve) => {
      const child = spawn(name, args, {
        env: { ...environment, PATH: path },
        stdio: ["pipe", reads ? "pipe" : "ignore", "ignore"],
      });
      const pieces: Buffer[] = [];
      const timer = setTimeout(() => child.kill("SIGKILL"), longest);
      const end = (code: number | null): void => {
        clearTimeout(timer);
        child.stdout?.destroy();
        resolve({ code, out: Buffer.concat(pieces).toString() });
      };
      child.once("error", () => end(null));
      // A program that reads nothing closes its input early.
      child.stdin?.on("error", () => child.stdin?.destroy());
      child.stdin?.end(input);
      child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
      // What was printed is whole when the pipe is closed; without one, the program's end is all there is.
      child.once(reads ? "close" : "exit", end);
    });
}
