import type { Start } from "../../settings/start.ts";
import type { Io } from "./io.ts";

/** How a command starts the agent: on its own environment and folder, with trouble told on standard error. */
export function startOf(io: Io): Start {
  return {
    environment: io.environment,
    cwd: io.cwd,
    version: io.version,
    warn: (message) => io.err(`passepartout: ${message}\n`),
  };
}
