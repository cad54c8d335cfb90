import { existsSync } from "node:fs";
import type { Environment } from "../../settings/environment.ts";
import { callAll } from "./run-program.ts";
import { findOwnServiceManager } from "./this-program.ts";

/**
 * The installed service of the user of this process. Each half of its removal gives what failed, in words.
 */
export type InstalledService = {
  readonly file: string;
  readonly stop: () => Promise<string | null>;
  /** Lets the system forget it, once its file is gone. */
  readonly forget: () => Promise<string | null>;
};

/** Finds the installed service; null where there is none. */
export function lookForService(environment: Environment): InstalledService | null {
  const manager = findOwnServiceManager(environment);
  if (manager === null || !existsSync(manager.file)) return null;
  const { file, uninstall } = manager;
  return {
    file,
    stop: () => callAll(environment, uninstall.before),
    forget: () => callAll(environment, uninstall.after),
  };
}
