import { spawn } from "node:child_process";
import { type Confinement, type Sandbox, sendFilter } from "./bubblewrap.ts";

/** What a program printed, or why that is not known, in words. */
export type SandboxOutput =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** How long a program may run, and how much it may print. */
export type OutputLimits = { readonly milliseconds: number; readonly bytes: number };

/**
 * What a program prints in the sandbox, where it ends well and in time. What it prints beyond its room is
 * cut.
 */
export async function outputInSandbox(
  sandbox: Sandbox,
  { argv, confinement }: { readonly argv: readonly string[]; readonly confinement: Confinement },
  { milliseconds, bytes }: OutputLimits,
  cancel: AbortSignal,
): Promise<SandboxOutput> {
  const [program = "", ...args] = sandbox.argv(argv, confinement);
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "ignore", sandbox.filter === null ? "ignore" : "pipe"],
    env: {},
    signal: AbortSignal.any([cancel, AbortSignal.timeout(milliseconds)]),
    killSignal: "SIGKILL",
  });
  const printed: Buffer[] = [];
  let size = 0;
  child.stdout?.on("data", (piece: Buffer) => {
    if (size < bytes) printed.push(piece.subarray(0, bytes - size));
    size += piece.length;
  });
  const { promise, resolve } = Promise.withResolvers<SandboxOutput>();
  child.once("error", (fault) => {
    const isLate = fault.name === "AbortError";
    resolve({ ok: false, reason: isLate ? `it did not end in ${milliseconds / 1000} s` : fault.message });
  });
  child.once("close", (code, signal) =>
    resolve(
      code === 0
        ? { ok: true, text: Buffer.concat(printed).toString("utf8") }
        : { ok: false, reason: `it ended with ${code ?? signal}` },
    ),
  );
  sendFilter(child, sandbox.filter);
  return promise;
}
