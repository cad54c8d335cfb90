import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../settings/environment.ts";
import { SettingsError } from "../../settings/settings-error.ts";
import { findUserFolders } from "../../settings/user-folders.ts";

/** The folder beside a state folder that holds what is known of restores. */
export function restoreFolder(state: string): string {
  return `${state}-restore`;
}

/** The file that tells the last restore. */
export function lastFile(state: string): string {
  return join(restoreFolder(state), "last.json");
}

/** The file that is there from the first rename of a restore to the last. */
export function pendingFile(state: string): string {
  return join(restoreFolder(state), "pending.json");
}

/** Whether a restore was killed between its first rename and its last. */
export function isRestorePending(state: string): boolean {
  return existsSync(pendingFile(state));
}

/** The state folder of a restore that was killed between its renames; null where there is none. */
export function findPendingRestore(environment: Environment): string | null {
  try {
    const { state } = findUserFolders(environment);
    return isRestorePending(state) ? state : null;
  } catch (error) {
    // Where there is no home, the command that needs one says so.
    if (error instanceof SettingsError) return null;
    throw error;
  }
}
