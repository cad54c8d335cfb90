import { readdir } from "node:fs/promises";

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
