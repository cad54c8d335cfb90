import { accessSync, constants, realpathSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InstallationProblem, isKept, type KeptBuild, keepBuild, useKept } from "./keep-build.ts";

/**
 * Finds the program that the entry of a build loads: files that an update of the installation does not reach. Null, with words on standard error and an exit
 * code, where the installation is not whole.
 */
export function findProgram(entry: string): string | null {
  try {
    const root = dirname(dirname(realpathSync(fileURLToPath(entry))));
    const kept = findBuild(root);
    if (kept?.node != null && canRun(kept.node)) process.execPath = kept.node;
    const dist = join(kept?.folder ?? root, "dist");
    // Before anything that is worth to be cached is loaded.
    enableCompileCache(join(dist, ".cache"));
    return pathToFileURL(join(dist, "app.js")).href;
  } catch (error) {
    if (!(error instanceof InstallationProblem)) throw error;
    process.stderr.write(`passepartout: ${error.message}\n`);
    process.exitCode = 1;
    return null;
  }
}

function findBuild(root: string): KeptBuild | null {
  const [, , first] = process.argv;
  // The version alone is loaded at once.
  if (first === "--version" || first === "-V") return null;
  return isKept(root) ? useKept(root) : keepBuild(root, process.env);
}

function canRun(node: string): boolean {
  try {
    accessSync(node, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
