import { spawn } from "node:child_process";

/** How a program ended, with what it said. */
export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a program of the system to its end. What it prints goes to `onOut` as it comes, where that is given. */
export function runProgram(
  [program = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
  onOut?: (text: string) => void,
): Promise<Ran> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (onOut === undefined) out += text;
    else onOut(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ code: null, out, err: message }));
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

/** Calls one program after the other; gives what failed, in words. */
export async function callAll(
  environment: NodeJS.ProcessEnv,
  calls: readonly (readonly string[])[],
): Promise<string | null> {
  for (const call of calls) {
    const ran = await runProgram(call, environment);
    if (ran.code !== 0) return `${call.join(" ")} failed: ${whyOf(ran)}`;
  }
  return null;
}

/** Why a program failed, in its own words where it has some. */
export function whyOf({ code, err }: Ran): string {
  const said = err.trim();
  return said === "" ? `exit code ${code}.` : /[.!?]$/.test(said) ? said : `${said}.`;
}
