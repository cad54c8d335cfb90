import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "../../settings/environment.ts";
import type { Policy } from "../../settings/policy.ts";
import { findDeadLink, findNotesFolders, resolveLinks } from "../../settings/user-folders.ts";
import { BackupProblem } from "./backup-problem.ts";
import type { Manifest } from "./manifest.ts";
import { notesFoldersOf } from "./write-backup.ts";

/** Where notes are before a restore and after it. */
export type NotesFolders = {
  readonly now: readonly string[];
  /**
   * Where they go: where the restored settings look for them, with a variable of this process before them.
   */
  readonly after: readonly string[];
  /** Where the restored settings look for them without such a variable. */
  readonly bySettings: readonly string[];
};

/** The name of the file of settings in a backup. */
export const settingsName = "configuration/.env";

/**
 * Finds where notes go with the settings of a backup; `text` is that of its settings file, null without one.
 */
export function findRestoredNotes(
  policy: Policy,
  environment: Environment,
  { manifest, text }: { readonly manifest: Manifest; readonly text: string | null },
): NotesFolders {
  const now = notesFoldersOf(policy);
  if (!manifest.files.some(({ path }) => path.startsWith("configuration/")))
    return { now, after: now, bySettings: now };
  const foldersFor = (setting: string | undefined): readonly string[] => {
    const { notes, otherNotes } = findNotesFolders(setting, policy.config.places.home);
    return [notes, ...otherNotes];
  };
  const restored = parseEnv(text ?? "")["MEMEX_DIR"];
  return {
    now,
    after: foldersFor(environment["MEMEX_DIR"] ?? restored),
    bySettings: foldersFor(restored),
  };
}

/**
 * Throws where a folder of notes cannot be made: its disk is not mounted, or it would be in a folder of
 * others.
 */
export function requirePlaceForNotes(folder: string): void {
  const link = findDeadLink(folder);
  const parent = nearestFolder(dirname(folder));
  const why =
    link !== null
      ? `the link ${link} leads nowhere (${resolveLinks(link)} is not there)`
      : canWrite(parent)
        ? null
        : `you may not write in ${parent}`;
  if (why === null) return;
  throw new BackupProblem(
    `The notes go to ${folder}, as MEMEX_DIR says after the restore, and ${why}. Mount its disk, or restore them into another folder by MEMEX_DIR=FOLDER passepartout restore, and set MEMEX_DIR to it afterwards.`,
  );
}

/** The words for where notes are looked for after a restore, where that is not as now. */
export function describeNotes({ now, after, bySettings }: NotesFolders): readonly string[] {
  const list = (folders: readonly string[]): string => folders.join(", ");
  const isOther = (one: readonly string[], other: readonly string[]): boolean =>
    list(one.map(resolveLinks)) !== list(other.map(resolveLinks));
  return [
    ...(isOther(now, after)
      ? [
          `After it notes are looked for in ${list(after)} (MEMEX_DIR of the restored settings), and no more in ${list(now)}, which stays as it is.`,
        ]
      : []),
    ...(isOther(after, bySettings)
      ? [
          `MEMEX_DIR is set for this command to ${list(after)}; without that variable the restored settings look for notes in ${list(bySettings)}. Set it there too: passepartout config set MEMEX_DIR FOLDER`,
        ]
      : []),
  ];
}

/** The nearest folder that is there. */
export function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
