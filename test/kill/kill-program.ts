import { setTimeout as pause } from "node:timers/promises";
import { isFinal, type TurnState } from "../../src/signal/turn.ts";
import { type LoopbackProvider, startLoopbackProvider } from "../loopback-provider.ts";
import { type Disk, openWatch, readDisk } from "./disk.ts";
import { type Lasting, readLasting } from "./lasting.ts";
import type { Move, Scenario } from "./scenarios.ts";
import { type Program, startProgram, type World } from "./world.ts";

/** What one kill left. */
export type Killed = {
  /** False where the program had ended by itself before the signal came: no kill, and it counts as none. */
  readonly killed: boolean;
  readonly stdout: string;
  /** Model requests that reached the provider. */
  readonly requests: number;
  /** What was on the disk right after the kill. */
  readonly disk: Disk;
  readonly lasting: Lasting;
  /** The token of the last question that was printed. */
  readonly token: string | null;
};

/** The name of the session that every run talks in. */
export const sessionName = "kill";

/** Milliseconds after the last move, at most, at which the kill comes; and after the start where it is aimed at no state. */
const soon = 20;
const anywhere = 1500;
/** Milliseconds that a move is waited for. What did not come until then is killed where it is, and counted there. */
const patience = 60_000;

/** Runs the program through a scenario, kills it with SIGKILL, and reads what is on the disk then. */
export async function killProgram(world: World, scenario: Scenario, random: () => number): Promise<Killed> {
  await using provider = await startLoopbackProvider(scenario.steps);
  const program = startProgram(world, provider.url, argumentsOf(scenario));
  const commands: Program[] = [];
  try {
    if (scenario.aim === null) {
      const struck = pause(random() * anywhere).then(program.kill);
      await Promise.all([perform({ world, program, provider, commands }, scenario.moves), struck]);
    } else {
      await perform({ world, program, provider, commands }, scenario.moves);
      await pause(random() * soon);
    }
  } finally {
    for (const started of [program, ...commands]) started.kill();
    await Promise.all([program, ...commands].map(({ end }) => end));
  }
  const { signal } = await program.end;
  return {
    killed: signal === "SIGKILL",
    stdout: program.stdout(),
    requests: provider.requests.length,
    disk: readDisk(world.state),
    lasting: readLasting(world),
    token: tokenIn(program),
  };
}

function tokenIn(program: Program): string | null {
  return /(?:approve |"token":")([\w-]{20,})/.exec(program.stdout())?.[1] ?? null;
}

/** Gives a command as a command of its own beside the program: a pipe gives none. */
async function giveCommand(stage: Stage, command: string): Promise<void> {
  const { world, program, provider, commands } = stage;
  const isDecision = command === "/approve" || command === "/deny";
  if (isDecision) await wait(stage, () => tokenIn(program) !== null);
  const args = isDecision
    ? [command.slice(1), tokenIn(program) ?? "none"]
    : ["ask", "--session", sessionName, command];
  if (!program.ended()) commands.push(startProgram(world, provider.url, args));
}

function argumentsOf({ how }: Scenario): readonly string[] {
  return how === "ask"
    ? ["ask", "--json", "--session", sessionName, "Do what is to be done"]
    : ["--session", sessionName];
}

type Stage = {
  readonly world: World;
  readonly program: Program;
  readonly provider: LoopbackProvider;
  readonly commands: Program[];
};

/** Makes the moves one after the other; ends early where the program has ended. */
async function perform(stage: Stage, moves: readonly Move[]): Promise<void> {
  const { world, program, provider } = stage;
  await wait(stage, () => program.stdout() !== "");
  if (program.ended() || program.stdout() === "") return;
  using watch = openWatch(world.state);
  let turns = program.stdout().startsWith("{") ? 1 : 0;
  for (const move of moves) {
    if (program.ended()) return;
    if ("say" in move) {
      if (move.say.startsWith("/")) await giveCommand(stage, move.say);
      else {
        program.say(move.say);
        turns += 1;
      }
    } else if ("requests" in move) {
      await wait(stage, () => provider.requests.length >= move.requests);
    } else if ("runs" in move) {
      await wait(stage, () => readLasting(world).runs >= move.runs);
    } else {
      const expected = turns;
      await wait(stage, () => {
        const newest = watch.newest();
        return newest !== null && newest.count === expected && isThere(newest.state, move.until);
      });
    }
  }
}

/** A turn that ended otherwise will not come to the state any more; where it came to instead is counted. */
function isThere(state: TurnState, wanted: readonly TurnState[]): boolean {
  return wanted.includes(state) || isFinal(state);
}

async function wait({ program }: Stage, condition: () => boolean): Promise<void> {
  const until = performance.now() + patience;
  while (!program.ended() && !condition() && performance.now() < until) await pause(1);
}
