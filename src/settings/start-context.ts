import type { Environment } from "./environment.ts";

/** How a command was started: its environment, its folder, and the version of the program. */
export type StartContext = {
  readonly environment: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Shows the person a problem outside any turn. */
  readonly warn?: (message: string) => void;
  /** Asks the person for the vault's passphrase and shows nothing of it; absent where nobody is there to type it. */
  readonly askPassphrase?: (prompt: string) => Promise<string>;
  /** Whether the command only looks something up, proposes or switches: it asks no model, and nothing that it writes has to be searched for keys. Default: no. */
  readonly isLookup?: boolean;
  /** Whether the command asks its owner for what programs on terminals hide. Default: no. */
  readonly asksHidden?: boolean;
};
