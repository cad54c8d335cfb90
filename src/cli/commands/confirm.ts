import { createInterface } from "node:readline";
import type { Io } from "./io.ts";

/** Asks a question that only `y` or `yes` says yes to. Null where nobody is there to answer. */
export async function confirm(io: Io, question: string): Promise<boolean | null> {
  if (io.input.isTTY !== true || !io.errIsTerminal) return null;
  io.err(`${question} [y/N] `);
  const lines = createInterface({ input: io.input, terminal: false });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once("line", resolve).once("close", () => resolve(""));
  const off = io.onInterrupt(() => resolve(""));
  try {
    return /^y(es)?$/i.test((await promise).trim());
  } finally {
    off();
    lines.close();
    io.input.pause();
  }
}
