import { spawn } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The folder of the client for Emacs, and that of the programs that test it. */
export const door = join(root, "src/doors/emacs");
export const programs = join(root, "test/doors/emacs");

/** The package that Emacs is in. */
export const install = "emacs-nox";

type Run = { readonly code: number | null; readonly said: string };

/** Runs Emacs without an init file; what it is asked for on a terminal it reads from `input`. */
export function runEmacs(
  args: readonly string[],
  { environment, input = "" }: { readonly environment: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Run> {
  const child = spawn("emacs", ["-Q", "--batch", "-L", door, ...args], { env: environment, stdio: "pipe" });
  child.stdin.end(input);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, said }));
  });
}

/** Runs tests of a program in a world: the one of this name, or those that a selector of ERT chooses. */
export async function runInWorld(
  world: AgentWorld,
  { program, selector }: { readonly program: string; readonly selector: string },
  {
    more = {},
    input = "",
  }: { readonly more?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Run> {
  return runEmacs(["-l", join(programs, program), "--eval", `(ert-run-tests-batch-and-exit '${selector})`], {
    environment: {
      ...world.environment,
      LC_ALL: "C.UTF-8",
      PASSEPARTOUT_NODE: process.execPath,
      PROGRAM: join(root, "bin/passepartout"),
      WORKSPACE: world.workspace,
      OUTSIDE: outside(world),
      ...more,
    },
    input,
  });
}

/** A file that is not in the workspace. */
export const outside = (world: AgentWorld): string => join(world.home, "outside.txt");

/** A world with an agent in this process, which serves its socket, and answers by these steps. */
export async function makeServedWorld(
  t: TestContext,
  steps: readonly Step[],
  prepare: (world: AgentWorld) => void = () => undefined,
): Promise<AgentWorld> {
  const world = await makeWorld(t, steps);
  prepare(world);
  const agent = await world.open();
  t.after(() => agent[Symbol.asyncDispose]());
  return world;
}
