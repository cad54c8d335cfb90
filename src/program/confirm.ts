import { createInterface } from "node:readline";
import type { Io } from "../kernel/io.ts";

/** Asks a question that only `y` or `yes` says yes to. Null where nobody is there to answer. */
export async function confirm(io: Io, question: string): Promise<boolean | null> {
  if (io.input.isTTY !== true || !io.errIsTerminal) return null;
  return /^y(es)?$/i.test((await askLine(io, `${question} [y/N] `)).trim());
}

/** Asks for a line on the terminal; empty where none came. */
export async function askLine(io: Io, prompt: string): Promise<string> {
  io.err(prompt);
  const lines = createInterface({ input: io.input, terminal: false });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once("line", resolve).once("close", () => resolve(""));
  const off = io.onInterrupt(() => resolve(""));
  try {
    return await promise;
  } finally {
    off();
    lines.close();
    io.input.pause();
  }
}
