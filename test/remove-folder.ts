import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

/** Removes a folder with all below it. An agent that was killed while it tried an overlay leaves folders that are closed to their owner until they are opened. */
export function removeFolder(folder: string): void {
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  try {
    rmSync(folder, options);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    execFileSync("chmod", ["-R", "u+rwx", folder]);
    rmSync(folder, options);
  }
}
