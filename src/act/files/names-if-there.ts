import { readdir } from "node:fs/promises";
import { errorCode } from "./fallible.ts";

/** The names in a folder; none where there is no folder. Throws where it cannot be read: what it holds is then not known. */
export async function namesIfThere(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (fault) {
    if (errorCode(fault) === "ENOENT") return [];
    throw fault;
  }
}
