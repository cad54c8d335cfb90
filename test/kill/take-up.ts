import { setTimeout as pause } from "node:timers/promises";
import { startLoopbackProvider } from "../loopback-provider.ts";
import { runCommandHere } from "../run-command.ts";
import { type Disk, type Kept, readDisk } from "./disk.ts";
import { type Killed, sessionName } from "./kill-program.ts";
import { type Lasting, readLasting } from "./lasting.ts";
import { runOwnChecks } from "./own-checks.ts";
import { type Ended, environmentOf, type Program, startProgram, type World } from "./world.ts";

/** What became of a killed run when the program was started again. */
export type TakenUp = {
  /** True where the first start after the kill was killed too. */
  readonly killedAgain: boolean;
  readonly requests: number;
  /** The program started again, with one more question asked in the same session. */
  readonly ask: Ended;
  /** Where a question was still open and its token known: saying yes, and saying it once more. */
  readonly approved: readonly [first: Ended, second: Ended] | null;
  /** Answers that nobody was shown yet, and a conversation that only shows them. */
  readonly waiting: readonly Kept[];
  readonly reading: Ended;
  /** The program's own checks of its journal and memory. */
  readonly checks: readonly Ended[];
  /** Everything that any of the programs printed. */
  readonly printed: string;
  readonly disk: Disk;
  readonly lasting: Lasting;
};

const calm = "All is calm.";

/** How often the first start after a kill is killed as well, and at most how many milliseconds after its start. */
const share = 0.25;
const early = 700;

/** Runs a command in a world to its end. */
export type RunCommand = (world: World, provider: string, args: readonly string[]) => Promise<Ended>;

/**
 * Runs the program again on what a kill left, with a model that only replies, until nothing is unfinished.
 */
export async function takeUp(
  world: World,
  killed: Killed,
  { random, runCommand }: { readonly random: () => number; readonly runCommand: RunCommand },
): Promise<TakenUp> {
  await using provider = await startLoopbackProvider([{ text: calm, repeat: true }]);
  const again = ["ask", "--json", "--quiet", "--session", sessionName, "And now?"];
  const killedAgain = random() < share;
  const first = killedAgain ? await struck(startProgram(world, provider.url, again), random() * early) : "";
  const run = (args: readonly string[]): Promise<Ended> => runCommand(world, provider.url, args);
  const ask = await run(again);
  const open = readDisk(world.state, "database").turns.some((turn) => turn.state === "suspended");
  const yes = killed.token !== null && open ? ["approve", "--json", "--quiet", killed.token] : null;
  const approved = yes === null ? null : ([await run(yes), await run(yes)] as const);
  const waiting = readDisk(world.state, "database").answers.filter(({ delivered }) => !delivered);
  const reading = await run(["--session", sessionName]);
  const checks = await runOwnChecks(world, provider.url);
  return {
    killedAgain,
    requests: provider.requests.length,
    ask,
    approved,
    waiting,
    reading,
    checks,
    printed: [killed.stdout, first, ask.stdout].join(""),
    disk: readDisk(world.state),
    lasting: readLasting(world),
  };
}

async function struck(program: Program, ms: number): Promise<string> {
  program.endInput();
  await Promise.race([pause(ms), program.end]);
  program.kill();
  await program.end;
  return program.stdout();
}

/** Runs a command in a process of its own, as users do. */
export const runApart: RunCommand = async (world, provider, args) => {
  const program = startProgram(world, provider, args);
  program.endInput();
  const { code } = await program.end;
  return { args: args.join(" "), code, stdout: program.stdout(), stderr: program.stderr() };
};

/**
 * Runs a command in this process: what the kill left is on the disk, and to start a process takes five times
 * as long.
 */
export const runHere: RunCommand = async (world, provider, args) => {
  const environment = Object.fromEntries(
    Object.entries(environmentOf(world, provider)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const { code, out, err } = await runCommandHere(args, { environment, cwd: world.workspace, input: "" });
  return { args: args.join(" "), code, stdout: out, stderr: err };
};
