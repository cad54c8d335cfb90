import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Policy } from "../../settings/policy.ts";

/** The owner's words on who the agent is: `identity.org` of the notes folder, else of the configuration folder. */
export async function readIdentity({ folders, config }: Policy): Promise<string> {
  for (const folder of [folders.notes, config.places.configuration]) {
    const path = join(folder, "identity.org");
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return readFile(path, "utf8");
  }
  return "";
}
