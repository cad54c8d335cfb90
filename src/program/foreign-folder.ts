import { describeForeignOwner } from "../memory/storage/foreign-owner.ts";
import type { Environment } from "../settings/environment.ts";
import { findUserFolders } from "../settings/user-folders.ts";

/**
 * Whose a folder of this user is, where a command failed since it belongs to another one. Null for every
 * other failure.
 */
export function findForeignFolder(error: unknown, environment: Environment): string | null {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code !== "EACCES" && code !== "EPERM") return null;
  const { state, configuration } = findUserFolders(environment);
  return describeForeignOwner(state) ?? describeForeignOwner(configuration);
}
