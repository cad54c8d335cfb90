import { parseArgs } from "node:util";
import type { TurnState } from "../../src/signal/turn.ts";
import { makeRandom } from "../make-random.ts";
import { turnStates } from "./disk.ts";
import type { Holding } from "./holding.ts";
import { invariants } from "./invariants.ts";
import { killProgram } from "./kill-program.ts";
import { files, type Scenario, scenarios } from "./scenarios.ts";
import { type RunCommand, runApart, runHere, takeUp } from "./take-up.ts";
import { ensureBuilt, makeWorld, type World } from "./world.ts";

/** How many kills, from which seed, which states they aim at, and how often each of these has to be hit at least. */
export type Plan = {
  readonly runs: number;
  /** So many are enough where each of the states was hit often enough. Default: `runs`. */
  readonly fewest?: number;
  readonly seed: number;
  readonly states: readonly TurnState[];
  readonly least: number;
  /** One run in so many is aimed at no state. */
  readonly freeEvery: number;
};

/** The states of a turn that goes on, and those of a turn that waits or has ended: test files that run side by side take one list each. */
export const runningStates: readonly TurnState[] = ["queued", "thinking", "judging", "acting"];
export const restingStates: readonly TurnState[] = turnStates.filter(
  (state) => !runningStates.includes(state),
);

/** What the kills came to. */
export type Report = {
  readonly plan: Plan;
  readonly kills: number;
  /** Runs in which the program ended by itself before the signal came; they count for nothing. */
  readonly tooLate: number;
  /** Runs in which the program was killed once more while it took up what the first kill left. */
  readonly killedAgain: number;
  /** By the state that the newest turn had on the disk after the kill. */
  readonly histogram: ReadonlyMap<TurnState | "none", number>;
  readonly held: ReadonlyMap<string, Holding>;
  /** States that were hit too rarely, and everything that broke, in words; empty where all held. */
  readonly problems: readonly string[];
};

/** Kills the built program so many times, each in a world of its own, and holds what is left against every invariant. `once` makes one kill. */
export async function runKills(
  plan: Plan,
  tell: (line: string) => void,
  once: KillOnce = killAlone(runHere),
): Promise<Report> {
  await ensureBuilt();
  const random = makeRandom(plan.seed);
  const histogram = new Map<TurnState | "none", number>(
    [...turnStates, "none" as const].map((name) => [name, 0]),
  );
  const held = new Map<string, Holding>();
  const broken: string[] = [];
  let [kills, tooLate, killedAgain] = [0, 0, 0];
  const rare = (): readonly TurnState[] =>
    plan.states.filter((state) => (histogram.get(state) ?? 0) < plan.least);
  const isEnough = (): boolean => kills >= (plan.fewest ?? plan.runs) && rare().length === 0;
  for (let run = 0; kills < plan.runs && tooLate <= plan.runs && !isEnough(); run += 1) {
    const scenario = choose(run, { ...plan, histogram }, random);
    const left = await once(scenario, random);
    if (left === null) {
      tooLate += 1;
      continue;
    }
    kills += 1;
    if (left.killedAgain) killedAgain += 1;
    histogram.set(left.state, (histogram.get(left.state) ?? 0) + 1);
    for (const [name, holding] of left.held) held.set(name, add(held.get(name), holding));
    broken.push(...left.broken);
    for (const line of left.broken) tell(line);
    if (kills % 20 === 0) tell(`${kills} kills`);
  }
  const missed = rare().map((state) => `${state} was hit ${histogram.get(state)} times, not ${plan.least}`);
  return { plan, kills, tooLate, killedAgain, histogram, held, problems: [...missed, ...broken] };
}

/** What was held against one kill. */
export type Left = {
  /** Of the newest turn that the scenario is about. */
  readonly state: TurnState | "none";
  readonly killedAgain: boolean;
  readonly held: ReadonlyMap<string, Holding>;
  readonly broken: readonly string[];
};

/** One run in a world of its own, which stays where something broke; null where there was no kill. */
export type KillOnce = (scenario: Scenario, random: () => number) => Promise<Left | null>;

/** Kills the program alone; `runCommand` runs the commands that take up what is left. */
function killAlone(runCommand: RunCommand): KillOnce {
  return async (scenario, random) => {
    const world = makeWorld(files);
    const killed = await killProgram(world, scenario, random);
    if (!killed.killed) {
      world.remove();
      return null;
    }
    const taken = await takeUp(world, killed, { random, runCommand });
    const held = new Map(
      [...invariants].map(([name, hold]) => [name, hold({ world, scenario, killed, taken })] as const),
    );
    const state = killed.disk.turns.at(-1)?.state ?? "none";
    return close({ world, scenario, state, killedAgain: taken.killedAgain, held });
  };
}

/** Puts what was held into words, and removes the world where nothing broke. */
export function close(run: {
  readonly world: World;
  readonly scenario: Scenario;
  readonly state: Left["state"];
  readonly killedAgain: boolean;
  readonly held: Left["held"];
}): Left {
  const { world, scenario, state, killedAgain, held } = run;
  const broken = [...held].flatMap(([name, holding]) =>
    holding.broken.map(
      (what) => `NOT "${name}": ${what} (${scenario.name}, killed in ${state}; see ${world.folder})`,
    ),
  );
  if (broken.length === 0) world.remove();
  return { state, killedAgain, held, broken };
}

/** A way, by chance, into the state that was hit least so far; or now and then at no state. */
function choose(
  run: number,
  { states, freeEvery, histogram }: Plan & Pick<Report, "histogram">,
  random: () => number,
): Scenario {
  const free = run % freeEvery === freeEvery - 1;
  const [rarest] = states.toSorted((a, b) => (histogram.get(a) ?? 0) - (histogram.get(b) ?? 0));
  const ways = scenarios.filter(({ aim }) => aim === (free ? null : rarest));
  const way = ways[Math.floor(random() * ways.length)];
  if (way === undefined) throw new Error(`no scenario aims at ${rarest}`);
  return way;
}

function add(before: Holding | undefined, { checked, broken }: Holding): Holding {
  return { checked: (before?.checked ?? 0) + checked, broken: [...(before?.broken ?? []), ...broken] };
}

/** A report as a person reads it. */
export function describeReport(report: Report): string {
  const { plan, kills, tooLate, killedAgain, histogram, held, problems } = report;
  return [
    `${kills} kills (seed ${plan.seed}), ${killedAgain} of them followed by a second kill while the first was taken up; ${tooLate} came too late and are not counted.`,
    "State of the newest turn on the disk after the kill:",
    ...[...histogram].map(
      ([state, count]) => `  ${state.padEnd(10)}${String(count).padStart(4)}  ${"█".repeat(count)}`,
    ),
    "What was held against what the kills left:",
    ...[...held].map(
      ([name, { checked, broken }]) =>
        `  ${name.padEnd(48)}${String(checked).padStart(6)} checked, ${broken.length} broken`,
    ),
    ...(problems.length === 0 ? ["All held."] : problems),
  ].join("\n");
}

/** Runs what the command line asks for (`--runs N --seed N`), prints the histogram, and fails where a state was hit fewer than 10 times or something broke. */
export async function runFromArguments(once: KillOnce = killAlone(runApart)): Promise<void> {
  const { values } = parseArgs({
    options: { runs: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
  });
  const plan = {
    runs: Number(values.runs),
    seed: Number(values.seed),
    states: turnStates,
    least: 10,
    freeEvery: 10,
  };
  const report = await runKills(plan, (line) => void process.stderr.write(`${line}\n`), once);
  process.stdout.write(`${describeReport(report)}\n`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
}

if (import.meta.main) await runFromArguments();
