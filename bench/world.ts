import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The launcher at the root of the clone: what a user starts. */
export const launcher = join(dirname(dirname(fileURLToPath(import.meta.url))), "passepartout");

/** An empty home with a workspace, and whole-process runs in it. */
export type World = {
  readonly run: (
    command: readonly string[],
    environment: { readonly [name: string]: string },
  ) => Promise<{
    readonly code: number | null;
    readonly ms: number;
    readonly out: string;
    readonly err: string;
  }>;
  readonly [Symbol.dispose]: () => void;
};

export function makeWorld(root: string = mkdtempSync(join(tmpdir(), "passepartout-bench-"))): World {
  const cwd = join(root, "work");
  mkdirSync(cwd, { recursive: true });
  return {
    run: ([program = "", ...args], environment) => {
      const begun = performance.now();
      const child = spawn(program, args, {
        cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: root, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      let err = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        err += chunk.toString();
      });
      return new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (code) => resolve({ code, ms: performance.now() - begun, out, err }));
      });
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

/** The environment that makes one OpenAI-compatible provider of each address. */
export function cascadeOf(...urls: readonly string[]): { readonly [name: string]: string } {
  const names = urls.map((_, index) => `p${index + 1}`);
  return Object.fromEntries([
    ["PROVIDER_CASCADE", names.join(",")],
    ...names.flatMap((name, index) => [
      [`${name.toUpperCase()}_BASE_URL`, `${urls[index] ?? ""}/v1`],
      [`${name.toUpperCase()}_API_KEY`, "bench-key-of-no-worth"],
      [`${name.toUpperCase()}_MODEL`, "bench"],
    ]),
  ]);
}
