import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder } from "../remove-folder.ts";

/** The root of this clone. */
const clone = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A home, a workspace and a state folder of their own, with nothing set but where the provider is. */
export type World = {
  readonly folder: string;
  readonly workspace: string;
  readonly state: string;
  /** Where `remember` writes. */
  readonly inbox: string;
  readonly remove: () => void;
};

/** A program under way. */
export type Program = {
  readonly say: (line: string) => void;
  readonly pid: number;
  readonly endInput: () => void;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: () => void;
  /** Asks it to leave in order. */
  readonly term: () => void;
  readonly ended: () => boolean;
  readonly end: Promise<{ readonly code: number | null; readonly signal: string | null }>;
};

/** What a program said until it ended. */
export type Ended = {
  readonly args: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Makes a world with these files in its workspace. */
export function makeWorld(files: Readonly<Record<string, string>>): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "passepartout-kill-")));
  const workspace = join(folder, "work");
  const home = join(folder, "home");
  for (const made of [workspace, home]) mkdirSync(made);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  return {
    folder,
    workspace,
    state: join(home, ".local", "state", "passepartout"),
    inbox: join(home, "memex", "inbox.org"),
    remove: () => removeFolder(folder),
  };
}

/** The environment of the program in a world. */
export function environmentOf(world: World, provider: string): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env["PATH"],
    HOME: join(world.folder, "home"),
    PROVIDER_CASCADE: "loop",
    LOOP_BASE_URL: `${provider}/v1`,
    LOOP_API_KEY: "sk-kills-0123456789",
    LOOP_MODEL: "loop",
    // The scenarios are about commands that ask.
    TRIALS: "false",
  };
}

/** Starts the built program in a world, on this Node, as `./passepartout` does. */
export function startProgram(world: World, provider: string, args: readonly string[]): Program {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(clone, "dist", "main.js"), ...args],
    {
      cwd: world.workspace,
      stdio: ["pipe", "pipe", "pipe"],
      env: environmentOf(world, provider),
    },
  );
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") said.stderr += `standard input: ${error.message}\n`;
  });
  // What `ask` sends includes what comes by a pipe, so it waits for the end of one.
  if (args[0] === "ask") child.stdin.end();
  const end = once(child, "close").then(() => ({ code: child.exitCode, signal: child.signalCode }));
  return {
    say: (line) => void child.stdin.write(`${line}\n`),
    pid: child.pid ?? 0,
    endInput: () => child.stdin.end(),
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill: () => void child.kill("SIGKILL"),
    term: () => void child.kill("SIGTERM"),
    ended: () => child.exitCode !== null || child.signalCode !== null,
    end,
  };
}

/** Builds the program where that is missing or out of date, the way a user does: by starting it. */
export async function ensureBuilt(): Promise<void> {
  const child = spawn(join(clone, "passepartout"), ["--version"], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error("./passepartout --version failed, so there is no build to kill");
}
