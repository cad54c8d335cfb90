import { userInfo } from "node:os";
import { dirname } from "node:path";
import type { Environment } from "../../settings/environment.ts";
import { findUserFolders } from "../../settings/user-folders.ts";
import { findServiceManager, type ServiceManager } from "./service-manager.ts";

/** The command line by which this program was started, without its arguments: absolute paths. */
export function thisProgram(): readonly string[] {
  const [, main = ""] = process.argv;
  return [process.execPath, ...process.execArgv, main];
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
