import type { StartContext } from "../../settings/start-context.ts";
import type { Io } from "./io.ts";

/** Makes the start context of a command: its environment and folder, with warnings on standard error. */
export function makeStartContext(io: Io): StartContext {
  return {
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
    warn: (message) => io.err(`passepartout: ${message}\n`),
    ...(io.input.isTTY === true && io.errIsTerminal
      ? {
          askPassphrase: async (prompt: string) =>
            (await import("./read-hidden-line.ts")).readHiddenLine(io, prompt),
        }
      : {}),
  };
}
