import type { Environment } from "./config.ts";

/** Where a command was started, and by which version of the program. */
export type StartContext = {
  readonly environment: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Tells the person what goes wrong outside any turn, as it happens. */
  readonly warn?: (message: string) => void;
};
