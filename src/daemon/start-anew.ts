import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { Environment } from "../settings/environment.ts";
import type { BuildManifest, OwnBuild } from "../update/own-build.ts";

/** Milliseconds that the installed program gets to try itself on a copy of the state. */
const patience = 600_000;
/** Niceness that keeps the trial from slowing answers. */
const priority = 10;

/**
 * The command line of the installed program: its Node and its entry, without the arguments of the program.
 */
function installedProgram({ root }: OwnBuild): readonly [node: string, ...string[]] {
  const [started = ""] = process.argv;
  const node = existsSync(started) ? started : process.execPath;
  return [node, ...process.execArgv, join(root, "dist", "main.js")];
}

/**
 * Replaces this process by the installed program, with the same arguments. Throws where the system cannot.
 */
export function startAnew(own: OwnBuild, environment: Environment): never {
  const [node, ...words] = installedProgram(own);
  if (process.execve === undefined) throw new Error("this system cannot replace a process");
  process.execve(node, [node, ...words, ...process.argv.slice(2)], { ...environment });
  throw new Error("the process was not replaced");
}

/**
 * Tries the installed program: that it starts, and, where its state has another form, that it can migrate a
 * copy of the state. Gives why it cannot take over, in words; null where it can.
 */
export async function rehearseUpdate(
  other: BuildManifest,
  { own, environment }: { readonly own: OwnBuild; readonly environment: Environment },
): Promise<string | null> {
  if (other.database < own.database)
    return `it knows the state up to version ${other.database}, and the state has version ${own.database}. To go back to it: stop the agent, then passepartout update back.`;
  const words = other.database === own.database ? ["--help"] : ["update", "check"];
  const [node, ...first] = installedProgram(own);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const child = execFile(
    node,
    [...first, ...words],
    { env: { ...environment }, timeout: patience },
    (error, output, errors) => {
      const said = (errors.trim() || output.trim() || error?.message || "").slice(-1000);
      resolve(error === null ? null : `it was tried on a copy of the state and failed (${said}).`);
    },
  );
  if (child.pid !== undefined) setPriority(child.pid, priority);
  return promise;
}
