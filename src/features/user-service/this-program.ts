import { userInfo } from "node:os";
import { dirname } from "node:path";
import type { Environment } from "../../settings/environment.ts";
import { findUserFolders } from "../../settings/user-folders.ts";
import { findServiceManager, type ServiceManager } from "./service-manager.ts";

/**
 * The command line by which the installed program is started, without its arguments: absolute paths.
 * `process.execPath` is the Node of the build that runs.
 */
export function thisProgram(): readonly string[] {
  const [node = "", main = ""] = process.argv;
  return [node, ...process.execArgv, main];
}

/** The service manager of the user of this process; null where there is none that is known. */
export function findOwnServiceManager(environment: Environment): ServiceManager | null {
  const folders = findUserFolders(environment);
  return findServiceManager({
    platform: process.platform,
    folders,
    user: { id: process.getuid?.() ?? 0, name: environment["USER"] ?? userInfo().username },
    configurationHome: dirname(folders.configuration),
  });
}
