import { basename } from "node:path";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import type { Entry, FolderListings } from "./folder-listings.ts";

/** Folders of packages and of git: too large, and a part of no approval. */
export const foldersOfOthers: ReadonlySet<string> = new Set(["node_modules", ".git", ".venv", "__pycache__"]);

const maxFolders = 200;

/** What programs read in a folder without being told: the files of the table of what is executed later, and all files in the folders of that table. */
export async function obeyedEntries(folder: string, listings: FolderListings): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const waiting = [folder];
  for (const each of waiting) {
    for (const entry of await listings.entries(each)) {
      await listings.yieldToEventLoop();
      const name = basename(entry.path);
      const isObeyed = executedLaterRule(entry.path.slice(folder.length)) !== null;
      if (isObeyed && entry.kind !== "folder") found.push(entry);
      const isLookedInto = isObeyed
        ? entry.kind !== "file"
        : entry.kind === "folder" && each === folder && name.startsWith(".");
      if (isLookedInto && waiting.length < maxFolders && !foldersOfOthers.has(name)) waiting.push(entry.path);
    }
  }
  return found;
}
