import { accessSync, constants, realpathSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  buildBefore,
  buildInstead,
  InstallationProblem,
  isKept,
  type KeptBuild,
  keepBuild,
  lastBuild,
  useInstead,
  useKept,
} from "./keep-build.ts";

/** Loads and runs a program. */
type Load = (program: string) => Promise<unknown>;

/**
 * Has the entry load the program of its installation from files that an update of the installation does not
 * reach.
 */
export async function runProgram(entry: string, load: Load): Promise<void> {
  const root = dirname(dirname(realpathSync(fileURLToPath(entry))));
  try {
    await load(prepare(root, findBuild(root)));
  } catch (error) {
    if (error instanceof InstallationProblem) return leaveDamaged(root, error);
    await leaveBroken(root, { load, fault: error });
  }
}

/** The program of a build, or of the installation itself where none is kept. */
function prepare(root: string, kept: KeptBuild | null): string {
  if (kept?.node != null && canRun(kept.node)) process.execPath = kept.node;
  const dist = join(kept?.folder ?? root, "dist");
  // Before anything that is worth to be cached is loaded.
  enableCompileCache(join(dist, ".cache"));
  return pathToFileURL(join(dist, "app.js")).href;
}

/**
 * Says that the installation is not whole; goes back to the build that was used last, where that is asked
 * for.
 */
function leaveDamaged(root: string, { message }: InstallationProblem): void {
  const last = lastBuild(root, process.env);
  if (last !== null && isGoingBack()) {
    useInstead(root, process.env, last);
    const text = `The installation ${root} is not whole, so ${last}, which was used last, is used from the next start on. To use another version, install it again.`;
    const isJson = process.argv.includes("--json");
    process.stdout.write(`${isJson ? JSON.stringify({ ok: true, text, used: last }) : text}\n`);
    return;
  }
  const back = last === null ? "" : ` To use ${last} meanwhile, which is kept: passepartout update back`;
  process.stderr.write(`passepartout: ${message}${back}\n`);
  process.exitCode = 1;
}

function isGoingBack(): boolean {
  const [, , command, verb] = process.argv;
  return command === "update" && verb === "back";
}

/**
 * What the program itself does not catch is a fault of this version, and may keep it from going back: the
 * build before it does that.
 */
async function leaveBroken(
  root: string,
  { load, fault }: { readonly load: Load; readonly fault: unknown },
): Promise<unknown> {
  const before = buildBefore(root, process.env);
  if (before === null) throw fault;
  if (isGoingBack()) return load(prepare(root, useKept(before)));
  process.stderr.write(
    "passepartout: this version ends by the fault below. To use the version before it again: passepartout update back\n",
  );
  throw fault;
}

function findBuild(root: string): KeptBuild | null {
  const [, , first] = process.argv;
  // The version alone is loaded at once.
  if (first === "--version" || first === "-V") {
    const folder = isKept(root) ? null : buildInstead(root, process.env);
    return folder === null ? null : { folder, node: null };
  }
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
