import type { StartContext } from "../../settings/start-context.ts";
import type { Io } from "./io.ts";

/** How a command starts the agent: on its own environment and folder, with trouble told on standard error. */
export function makeStartContext(io: Io): StartContext {
  return {
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
    warn: (message) => io.err(`passepartout: ${message}\n`),
  };
}
