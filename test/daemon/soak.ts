import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isFinal } from "../../src/signal/turn.ts";
import { openWatch, readDisk } from "../kill/disk.ts";
import { ensureBuilt, makeWorld, type Program, startProgram, type World } from "../kill/world.ts";
import { type LoopbackProvider, type Step, startLoopbackProvider } from "../loopback-provider.ts";
import { openTalker, type Talker } from "./talker.ts";

/** How long the soak goes on at least (on a slow machine until each sort of end came once), how often the daemon is struck, and how many clients talk. */
export type SoakPlan = {
  readonly seconds: number;
  /** Seconds between two ends of the daemon, by turns with SIGKILL and in order. */
  readonly restartEvery: number;
  readonly clients: number;
};

/** What a soak came to. */
export type SoakReport = {
  readonly turns: number;
  readonly acknowledged: number;
  readonly kills: number;
  readonly restarts: number;
  readonly asks: number;
  /** Resident memory of the daemon, in megabytes, each second of its longest life; of a long one without its first ten. */
  readonly memory: readonly number[];
  /** Everything that was lost or wrong, in words; empty where nothing was. */
  readonly problems: readonly string[];
};

const explanation = "The owner asked for exactly this";
const tool = (name: string, args: object): Step => ({
  calls: [{ id: "c1", name, arguments: { ...args, explanation } }],
});

/** What the provider does, over and over: answers of every sort among faults of every sort. */
const course: readonly Step[] = [
  { text: "A plain answer." },
  { text: ["One ", "in ", "pieces."], pauseMs: 3 },
  tool("read-file", { path: "a.txt" }),
  { text: "Read it." },
  { fault: "reset" },
  { text: "After a reset." },
  tool("write-file", { path: "made.txt", content: "made\n" }),
  { text: "Wrote it." },
  { text: "Half of an", fault: "break-off" },
  { text: "The whole answer." },
  { fault: "html" },
  { text: "After a page." },
  tool("shell", { cmd: "wc -c a.txt" }),
  { text: "Counted." },
  tool("read-file", { path: "/etc/shadow" }),
  { text: "I may not." },
  { status: 400 },
  { fault: "malformed" },
  { text: "After a fault." },
  tool("eval", { code: "6 * 7" }),
  { text: "Forty-two." },
];

/** Keeps clients talking to a daemon that is killed and restarted, beside a provider that fails, and tells what was lost. */
export async function soak(plan: SoakPlan, tell: (line: string) => void): Promise<SoakReport> {
  await ensureBuilt();
  const world = makeWorld({ "a.txt": "alpha beta\n" });
  await using provider = await startLoopbackProvider(course);
  const over = new AbortController();
  const feeding = feed(provider, over.signal);
  const talkers = Array.from({ length: plan.clients }, () => openTalker(world));
  const life = await keepAlive({ world, provider, plan, talkers, tell });
  over.abort();
  await feeding;
  const problems = await settleAll(world, life.daemon, talkers);
  await Promise.all(talkers.map((talker) => talker.close()));
  life.daemon.term();
  const { code } = await life.daemon.end;
  if (code !== 0) problems.push(`the daemon left with exit code ${code}: ${life.daemon.stderr()}`);
  problems.push(...(await verify(world, provider)));
  const { turns } = readDisk(world.state, "database");
  const acknowledged = talkers.flatMap((talker) => talker.acknowledged()).length;
  const { kills, restarts, asks, memory } = life;
  if (problems.length === 0) world.remove();
  else problems.push(`the world is left in ${world.folder}`);
  return { turns: turns.length, acknowledged, kills, restarts, asks, memory, problems };
}

/** Sees to it that the provider never comes to the end of its course. */
async function feed(provider: LoopbackProvider, over: AbortSignal): Promise<void> {
  for (let fed = course.length; !over.aborted; await pause(5)) {
    while (fed < provider.requests.length + course.length) {
      provider.add(...course);
      fed += course.length;
    }
  }
  provider.add({ text: "The end.", repeat: true });
}

type Life = {
  readonly daemon: Program;
  readonly kills: number;
  readonly restarts: number;
  readonly asks: number;
  readonly memory: readonly number[];
};
const secondsBetweenAsks = 5;

type Living = {
  readonly world: World;
  readonly provider: LoopbackProvider;
  readonly plan: SoakPlan;
  readonly talkers: readonly Talker[];
  readonly tell: (line: string) => void;
};

async function keepAlive({ world, provider, plan, talkers, tell }: Living): Promise<Life> {
  let daemon = await listening(world, provider.url);
  let [kills, restarts, asks] = [0, 0, 0];
  let memory: number[] = [];
  let longest: readonly number[] = [];
  const chats = talkers.map((talker, index) =>
    talker.chat(`soak-${index % 3}-${index}`, `client ${index} says`),
  );
  const begun = performance.now();
  const elapsed = (): number => Math.floor((performance.now() - begun) / 1000);
  let [askAt, restartAt] = [secondsBetweenAsks, plan.restartEvery];
  const isDone = (second: number): boolean => second >= plan.seconds && kills > 0 && restarts > 0;
  for (let second = 0; !isDone(second); second = elapsed()) {
    await pause(1000);
    memory.push(residentOf(daemon));
    if (second >= askAt) {
      askAt = second + secondsBetweenAsks;
      asks += 1;
      const ask = startProgram(world, provider.url, ["ask", "--quiet", `what is it at ${second}`]);
      ask.endInput();
      await ask.end;
    }
    if (second < restartAt || isDone(second)) continue;
    restartAt = second + plan.restartEvery;
    if (memory.length > longest.length) longest = memory;
    memory = [];
    const kill = (kills + restarts) % 2 === 0;
    if (kill) daemon.kill();
    else daemon.term();
    await daemon.end;
    if (kill) kills += 1;
    else restarts += 1;
    daemon = await listening(world, provider.url);
    tell(`${second} s: ${kill ? "killed" : "restarted"}, ${turnsIn(world)} turns so far`);
  }
  if (memory.length > longest.length) longest = memory;
  for (const talker of talkers) talker.freeze();
  await Promise.all(chats);
  return { daemon, kills, restarts, asks, memory: longest.length > 20 ? longest.slice(10) : longest };
}

function turnsIn(world: World): number {
  using watch = openWatch(world.state);
  return watch.newest()?.count ?? 0;
}

async function listening(world: World, provider: string): Promise<Program> {
  const daemon = startProgram(world, provider, ["daemon", "--port", "0"]);
  daemon.endInput();
  while (!daemon.stderr().includes("Listening on ")) {
    if (daemon.ended()) throw new Error(`the daemon did not start: ${daemon.stderr()}`);
    await pause(2);
  }
  return daemon;
}

function residentOf({ pid }: Program): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** Milliseconds that what is under way at the end may take. */
const patience = 120_000;

async function settleAll(world: World, daemon: Program, talkers: readonly Talker[]): Promise<string[]> {
  const end = performance.now() + patience;
  const open = (): readonly string[] =>
    readDisk(world.state, "database")
      .turns.filter(({ state }) => !isFinal(state) && state !== "suspended")
      .map(({ id, state }) => `turn ${id} stays ${state}`);
  const lost = (): readonly string[] => {
    const known = new Set(readDisk(world.state, "database").turns.map(({ signal }) => signal.clientId));
    return talkers
      .flatMap((talker) => talker.said())
      .filter((id) => !known.has(id))
      .map((id) => `${id} is lost`);
  };
  // Once nothing is lost no further turn begins; in the other order one may begin between the two looks.
  while ((lost().length > 0 || open().length > 0) && performance.now() < end && !daemon.ended())
    await pause(100);
  for (const talker of talkers) await talker.returned();
  const { turns, answers } = readDisk(world.state, "database");
  const given = new Map<string, number>();
  for (const { turn } of answers) given.set(turn, (given.get(turn) ?? 0) + 1);
  const finals = new Map(talkers.flatMap((talker) => talker.finals()).map(({ turn, text }) => [turn, text]));
  const wrong = talkers
    .flatMap((talker) => talker.acknowledged())
    .flatMap(({ id, turn }) => {
      const kept = turns.find((one) => one.id === turn);
      if (kept === undefined) return [`${id} was acknowledged and is lost`];
      if (!isFinal(kept.state)) return [];
      if (given.get(turn) !== 1) return [`turn ${turn} has ${given.get(turn) ?? 0} answers`];
      return finals.get(turn) === kept.text
        ? []
        : [`the client of turn ${turn} was told something else, or nothing`];
    });
  return [...open(), ...lost(), ...wrong];
}

async function verify(world: World, provider: LoopbackProvider): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const args of [
    ["journal", "verify"],
    ["journal", "replay"],
    ["memory", "verify"],
  ]) {
    const program = startProgram(world, provider.url, args);
    program.endInput();
    const { code } = await program.end;
    if (code !== 0) problems.push(`${args.join(" ")}: ${program.stdout()}${program.stderr()}`);
  }
  return problems;
}

/** A report as a person reads it. */
export function describeSoak(report: SoakReport): string {
  const { turns, acknowledged, kills, restarts, asks, memory, problems } = report;
  const at = (share: number): string => (memory[Math.floor(share * (memory.length - 1))] ?? 0).toFixed(0);
  return [
    `${turns} turns, ${acknowledged} of them acknowledged to a client; ${kills} kills, ${restarts} restarts in order, ${asks} asks from the command line.`,
    `Resident memory over the daemon's longest life: ${at(0)} MB at its start, ${at(0.5)} half-way, ${at(1)} at its end.`,
    ...(problems.length === 0 ? ["Nothing was lost; the journal verifies and replays."] : problems),
  ].join("\n");
}

/** `node test/daemon/soak.ts [--minutes N] [--restart-every SECONDS] [--clients N]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "120" },
      "restart-every": { type: "string", default: "60" },
      clients: { type: "string", default: "6" },
    },
  });
  const plan = {
    seconds: Math.round(Number(values.minutes) * 60),
    restartEvery: Number(values["restart-every"]),
    clients: Number(values.clients),
  };
  const report = await soak(plan, (line) => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${describeSoak(report)}\n`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
