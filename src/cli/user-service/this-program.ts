import { userInfo } from "node:os";

/** The command line by which this program was started, without its arguments: absolute paths. */
export function thisProgram(): readonly string[] {
  const [, main = ""] = process.argv;
  return [process.execPath, ...process.execArgv, main];
}

/** The user of this process. */
export function thisUser(environment: NodeJS.ProcessEnv): { readonly id: number; readonly name: string } {
  return { id: process.getuid?.() ?? 0, name: environment["USER"] ?? userInfo().username };
}

/** The system that this process runs on. */
export function thisPlatform(): NodeJS.Platform {
  return process.platform;
}
