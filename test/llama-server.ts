import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const models = fileURLToPath(new URL("../../shared/data/models", import.meta.url));

/** llama.cpp's server with a small real model. */
export type LlamaServer = AsyncDisposable & {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ends the server as a crash does. */
  readonly kill: () => Promise<void>;
};

/** Why no real server can be started here, in words; null if one can. In CI the server has to be there wherever its models are. */
export function whyNoLlamaServer(): string | null {
  const program = process.env["LLAMA_SERVER"] ?? "";
  if (!existsSync(`${models}/stories260K-tools.gguf`)) return "needs the models in ../shared/data/models";
  if (existsSync(program)) return null;
  const message = `needs LLAMA_SERVER, the path of llama.cpp's llama-server: ${models}/get-llama-server.sh DIR unpacks one`;
  if (process.env["CI"] === "true") throw new Error(message);
  return message;
}

/** Starts a server that ends with the test at the latest. `stories260K-tools` has a template that declares tools, `stories260K` has not. */
export async function startLlamaServer(
  test: TestContext,
  model: "stories260K" | "stories260K-tools",
  ...options: readonly string[]
): Promise<LlamaServer> {
  const port = await freePort();
  const child = spawn(
    process.env["LLAMA_SERVER"] ?? "",
    [
      "-m",
      `${models}/${model}.gguf`,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "-np",
      "1",
      "-t",
      "1",
      "--no-webui",
      ...options,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  test.after(kill);
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url, child);
  return { url, kill, [Symbol.asyncDispose]: kill };
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 2400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with code ${child.exitCode}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok === true) return;
    await pause(50);
  }
  throw new Error("llama-server did not become healthy in two minutes");
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject).listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}
