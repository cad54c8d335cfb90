import type { Environment } from "./environment.ts";

/** How a command was started: its environment, its folder, and the version of the program. */
export type StartContext = {
  readonly environment: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Shows the person a problem outside any turn. */
  readonly warn?: (message: string) => void;
};
