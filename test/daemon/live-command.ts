import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentWorld, onDatabase } from "../agent-world.ts";
import type { Finished } from "../run-command.ts";

/** A command in a process of its own, talked to while it runs. */
export type LiveCommand = {
  readonly type: (text: string) => void;
  /** Closes its standard input. */
  readonly hangUp: () => void;
  readonly signal: (name: "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT") => void;
  /** Resolves once what it printed, on either output, matches. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly end: Promise<Finished>;
};

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const build = [process.execPath, "--disable-warning=ExperimentalWarning", main];

/** Starts a command of a world, of the build or of another program; it never outlives its test. */
export function startCommand(
  test: TestContext,
  world: AgentWorld,
  args: readonly string[],
  [program = "", ...first]: readonly string[] = build,
): LiveCommand {
  const child = spawn(program, [...first, ...args], {
    env: world.environment,
    cwd: world.workspace,
    stdio: "pipe",
  });
  test.after(() => child.kill("SIGKILL"));
  child.stdin.on("error", () => child.stdin.destroy());
  // What `ask` sends includes what comes by a pipe, so it waits for the end of one.
  if (args[0] === "ask") child.stdin.end();
  const said = { out: "", err: "" };
  const looks = new Set<() => void>();
  for (const name of ["out", "err"] as const) {
    child[`std${name}`].setEncoding("utf8").on("data", (piece: string) => {
      said[name] += piece;
      for (const look of [...looks]) look();
    });
  }
  const end = once(child, "close").then(() => ({ code: child.exitCode, ...said }));
  return {
    type: (text) => void child.stdin.write(text),
    hangUp: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    printed: (pattern) =>
      Promise.race([
        new Promise<RegExpExecArray>((resolve) => {
          const look = (): void => {
            const found = pattern.exec(said.out) ?? pattern.exec(said.err);
            if (found === null) return;
            looks.delete(look);
            resolve(found);
          };
          looks.add(look);
          look();
        }),
        end.then(({ out, err }) => Promise.reject(new Error(`it ended without ${pattern}: ${out}${err}`))),
      ]),
    end,
  };
}

/** Waits until a turn of a world is in a state. */
export async function untilTurn(world: AgentWorld, state: string): Promise<void> {
  while (onDatabase(world, `SELECT id FROM turns WHERE state = '${state}'`).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
