import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../src/text/json.ts";
import { type Client, openClient } from "../src/wire/client/client.ts";
import { wireLimits } from "../src/wire/codec/limits.ts";
import { readSecret } from "../src/wire/codec/proof-secret.ts";
import { realWait } from "../src/wire/server/wire.fixture.ts";
import { launcher } from "./world.ts";

/** A daemon as a user starts it, in a home of its own. */
export type BenchDaemon = {
  readonly pid: number;
  readonly home: string;
  readonly state: string;
  readonly workspace: string;
  readonly socketPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds from its start until it listened. */
  readonly listening: number;
  /** Resident memory now. Megabytes. */
  readonly resident: () => number;
  /** Ends it with SIGTERM, and removes its home where it is asked to. */
  readonly stop: () => Promise<void>;
};

/** Starts the daemon through the launcher with these settings. */
export async function startBenchDaemon(
  settings: Readonly<Record<string, string>>,
  home: string = mkdtempSync(join(tmpdir(), "passepartout-bench-")),
): Promise<BenchDaemon> {
  const workspace = join(home, "work");
  mkdirSync(workspace, { recursive: true });
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, ...settings };
  const begun = performance.now();
  const child = spawn(launcher, ["daemon", "--port", "0"], {
    cwd: workspace,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const listening = Promise.withResolvers<number>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.includes("Listening on ")) listening.resolve(performance.now() - begun);
  });
  const closed = once(child, "close");
  void closed.then(() => listening.reject(new Error(`the daemon ended: ${said}`)));
  const milliseconds = await listening.promise;
  const [, socketPath = ""] = /Listening on (\S+) /.exec(said) ?? [];
  const { pid = 0 } = child;
  return {
    pid,
    home,
    state: join(home, ".local/state/passepartout"),
    workspace,
    socketPath,
    environment,
    listening: milliseconds,
    resident: () => residentOf(pid),
    async stop() {
      child.kill("SIGTERM");
      await closed;
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Resident memory of a process. Megabytes. */
function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
}

/** What a process has read and written so far, in calls and in bytes, as the kernel counts. */
export function ioOf(pid: number): Readonly<Record<string, number>> {
  const lines = readFileSync(`/proc/${pid}/io`, "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(":")[0] ?? "", Number(line.split(":")[1])]));
}

/** A proved client that says things and knows when their answers came. */
export type BenchClient = {
  /** Says something in a session; resolves when the answer is there, with the time of its arrival. */
  readonly say: (session: string, text: string) => Promise<number>;
  readonly client: Client;
};

/** Connects to a daemon. */
export async function connectBench(daemon: BenchDaemon): Promise<BenchClient> {
  const client = openClient({
    socketPath: daemon.socketPath,
    port: null,
    secret: async () => readSecret(daemon.state),
    source: "tui",
    capabilities: [],
    workspace: daemon.workspace,
    wait: realWait,
    newId: randomUUID,
    limits: wireLimits,
  });
  const turns = new Map<string, string>();
  const answers = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const settle = (turn: string): void => {
    const at = answers.get(turn);
    const id = turns.get(turn);
    if (at === undefined || id === undefined) return;
    waiting.get(id)?.(at);
    waiting.delete(id);
    turns.delete(turn);
    answers.delete(turn);
  };
  const ready = new Promise<void>((resolve) => {
    client.on((event) => {
      if (event.kind === "ready") resolve();
      if (event.kind !== "message" && event.kind !== "accepted") return;
      const { message } = event;
      const turn = turnOf(message);
      if (turn === "") return;
      if (event.kind === "accepted") turns.set(turn, event.id);
      else if (message["type"] === "response") answers.set(turn, performance.now());
      settle(turn);
    });
  });
  await ready;
  return {
    client,
    say: (session, text) =>
      new Promise((resolve) => {
        const id = randomUUID();
        waiting.set(id, resolve);
        const payload = { sensor: "user-input", text };
        client.send({ type: "event", id, meta: { "session-id": session }, payload });
      }),
  };
}

function turnOf({ meta }: JsonObject): string {
  return isJsonObject(meta) && typeof meta["turn-id"] === "string" ? meta["turn-id"] : "";
}

/** A figure at a share of all, sorted. */
export function quantile(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(share * (figures.length - 1))] ?? 0;
}
