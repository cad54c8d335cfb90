import type { Io } from "../kernel/io.ts";
import type { StartContext } from "../settings/start-context.ts";
import { readHiddenLine } from "./read-hidden-line.ts";

/** Makes the start context of a command: its environment and folder, with warnings on standard error. */
export function makeStartContext(io: Io): StartContext {
  return {
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
    warn: (message) => io.err(`passepartout: ${message}\n`),
    ...(io.input.isTTY === true && io.errIsTerminal
      ? { askPassphrase: (prompt: string) => readHiddenLine(io, prompt) }
      : {}),
  };
}
