import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** What is at a path. */
export type FileFacts = { readonly kind: "file" | "folder"; readonly bytes: number };

/** What is at a path; null where nothing is, or what it is cannot be seen. */
export function fileAt(path: string): FileFacts | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || !(found.isFile() || found.isDirectory())) return null;
    return { kind: found.isFile() ? "file" : "folder", bytes: found.size };
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Lists the names in a folder. */
export type ListNames = (folder: string) => Promise<readonly string[]>;

/** The names in a folder, folders with a `/` behind them; none where it cannot be read. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    return found.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
