import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AgentWorld } from "../agent-world.ts";

/** A test or a file of tests: what is left to do when it ends. */
export type Ending = { readonly after: (end: () => unknown) => void };

/** A daemon in a process of its own, on a free port. */
export type DaemonProcess = {
  readonly pid: number;
  readonly port: number;
  readonly socketPath: string;
  /** All that it said on standard error so far. */
  readonly said: () => string;
  readonly signal: (
    name: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "SIGKILL" | "SIGSTOP" | "SIGCONT",
  ) => void;
  readonly end: Promise<Ended>;
};

/** How a process ended. */
export type Ended = { readonly code: number | null; readonly said: string };

type Options = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The port that it is told; any free one where this is missing, none at all for null. */
  readonly port?: number | null;
};

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts the daemon of a world and waits until it listens; it never outlives its test. */
export async function startDaemon(
  test: Ending,
  world: AgentWorld,
  options: Options = {},
): Promise<DaemonProcess> {
  const begun = begin(test, world, options);
  const where = /Listening on (\S+) and 127\.0\.0\.1:(\d+)/;
  const listening = begun.heard((said) => where.exec(said));
  const found = await Promise.race([listening, begun.end.then(({ said }) => said)]);
  if (typeof found === "string") throw new Error(`the daemon ended before it listened: ${found}`);
  const [, socketPath = "", port = ""] = found;
  return { ...begun, socketPath, port: Number(port) };
}

/** Starts the daemon of a world where it is to be refused, and tells how it ended. */
export function refusedDaemon(test: Ending, world: AgentWorld, options: Options = {}): Promise<Ended> {
  return begin(test, world, options).end;
}

type Begun = Pick<DaemonProcess, "pid" | "said" | "signal" | "end"> & {
  /** Resolves once what was said has something in it. */
  readonly heard: <T>(find: (said: string) => T | null) => Promise<T>;
};

function begin(test: Ending, world: AgentWorld, { settings, cwd, port = 0 }: Options): Begun {
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      main,
      "daemon",
      ...(port === null ? [] : ["--port", String(port)]),
    ],
    {
      env: { ...world.environment, ...settings },
      cwd: cwd ?? world.workspace,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  test.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return {
    pid: child.pid ?? 0,
    said: () => said,
    signal: (name) => void child.kill(name),
    end: once(child, "close").then(() => ({ code: child.exitCode, said })),
    heard: (find) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = find(said);
          if (found === null) return;
          child.stderr.off("data", look);
          resolve(found);
        };
        child.stderr.on("data", look);
        look();
      }),
  };
}
