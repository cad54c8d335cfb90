import { spawn } from "node:child_process";
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const madeBySetUp = ["node_modules", ".passepartout", "dist"];
/** Of what set-up made, what a package is made with. */
const installed = ["node_modules", join(".passepartout", "node")];

function isCloned(path: string): boolean {
  const [top = ""] = relative(root, path).split(sep);
  return top !== ".git" && !top.endsWith(".tgz") && !madeBySetUp.includes(top);
}

/** A copy of the working tree as a clone has it, and an empty home beside it. */
export type FreshClone = { readonly folder: string; readonly home: string; readonly clone: string };

/** How a program ended. `code` is null where a signal ended it. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/**
 * Copies the working tree into a temporary folder. Only where `withInstalled` says so, links in it lead to
 * the Node
 * and the dependencies that set-up installed here.
 */
export function makeFreshClone(
  { withInstalled }: { readonly withInstalled: boolean } = { withInstalled: false },
): FreshClone {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-clone-"));
  const [clone, home] = [join(folder, "clone"), join(folder, "home")];
  mkdirSync(home);
  cpSync(root, clone, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: isCloned,
  });
  for (const name of withInstalled ? installed : []) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    symlinkSync(join(root, name), join(clone, name));
  }
  return { folder, home, clone };
}

/**
 * The environment of a person with an empty home and this PATH. How this machine reaches the registry stays as it is,
 * and what npm already fetched for this tree is not fetched again.
 */
export function personWith(home: string, path: string): NodeJS.ProcessEnv {
  const dropped = /^(npm_|XDG_|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD|PASSEPARTOUT_)/i;
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    PATH: path,
    npm_config_userconfig: join(homedir(), ".npmrc"),
    PASSEPARTOUT_NPM_CACHE: join(root, ".passepartout", "npm-cache"),
  };
}

/** Starts a program as the leader of its own process group; `ended` resolves when it and all it left have closed its output. */
export function start(
  program: string,
  args: readonly string[],
  {
    cwd,
    env,
    onError = () => undefined,
  }: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly onError?: (said: string) => void;
  },
): { readonly pid: number; readonly ended: Promise<Ended> } {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    onError(stderr);
  });
  const ended = new Promise<Ended>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return { pid: child.pid ?? 0, ended };
}

/** The first folder of PATH with a Node older than 24 and an npm in it; null where there is none. */
export async function findOldNode(): Promise<string | null> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!isProgram(join(folder, "node")) || !isProgram(join(folder, "npm"))) continue;
    const { stdout } = await start(join(folder, "node"), ["--version"], { cwd: root, env: process.env })
      .ended;
    if (Number(/^v(\d+)\./.exec(stdout)?.[1] ?? 99) < 24) return folder;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
