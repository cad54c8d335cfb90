import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./fallible.ts";
import { removeDeadLock } from "./folder-lock.ts";

const draftNames = /^\.passepartout-[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/;

/** A new name for a file that exists only while another one is replaced. */
export function draftName(): string {
  return `.passepartout-${randomUUID()}.tmp`;
}

/** Removes from a folder what a killed process left: partial writes and its lock. A folder that cannot be read has nothing to remove. */
export async function removeDrafts(folder: string): Promise<void> {
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isFile() && draftNames.test(entry.name)) await rm(join(folder, entry.name), { force: true });
    }
    await removeDeadLock(folder);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS"].includes(errorCode(error))) throw error;
  }
}
