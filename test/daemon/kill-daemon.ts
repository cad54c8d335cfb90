import { setTimeout as pause } from "node:timers/promises";
import { isFinal, type TurnState } from "../../src/signal/turn.ts";
import { type Disk, readDisk } from "../kill/disk.ts";
import { type Holding, holding } from "../kill/holding.ts";
import { invariants } from "../kill/invariants.ts";
import type { Killed } from "../kill/kill-program.ts";
import { readLasting } from "../kill/lasting.ts";
import { runOwnChecks } from "../kill/own-checks.ts";
import { close, type Left, runFromArguments } from "../kill/run-kills.ts";
import { files, type Move, type Scenario } from "../kill/scenarios.ts";
import { type Ended, makeWorld, type Program, startProgram, type World } from "../kill/world.ts";
import { type LoopbackProvider, startLoopbackProvider } from "../loopback-provider.ts";
import { openSessionWatch } from "./session-watch.ts";
import { openTalker, type Talker } from "./talker.ts";

const session = "kill";
const chatter = "chatter-4711";
const calm = "All is calm.";
/** Clients that talk all the time while the kill comes. */
const loadedBy = 3;
/** Milliseconds: after the last move the kill comes at most so late, or anywhere where it is aimed at no state; the first start after it is killed again now and then. */
const soon = 20;
const anywhere = 1500;
const patience = 60_000;
const share = 0.25;
const early = 700;

/** Runs of the daemon under load, killed with SIGKILL and started again, with what clients saw on their side of the socket held against what is on the disk. `rest`: milliseconds that each client of the load rests after an answer. */
export function killDaemon(rest: number) {
  return (scenario: Scenario, random: () => number): Promise<Left> => killOnce(scenario, random, rest);
}

async function killOnce(scenario: Scenario, random: () => number, rest: number): Promise<Left> {
  const world = makeWorld(files);
  const talkers: Talker[] = [];
  try {
    const killed = await strike({ world, scenario, random, talkers, rest });
    const taken = await takeUp({ world, killed, random, talkers });
    const run = { world, scenario, killed, taken };
    const held = new Map([
      ...[...invariants].map(([name, hold]) => [name, hold(run)] as const),
      ...socketSide(talkers, killed.disk, taken.disk),
    ]);
    const state = killed.state;
    return close({ world, scenario, state, killedAgain: taken.killedAgain, held });
  } finally {
    await Promise.all(talkers.map((talker) => talker.close()));
  }
}

type Struck = Killed & {
  readonly state: TurnState | "none";
};
type Striking = {
  readonly world: World;
  readonly scenario: Scenario;
  readonly random: () => number;
  readonly talkers: Talker[];
  readonly rest: number;
};

async function strike({ world, scenario, random, talkers, rest }: Striking): Promise<Struck> {
  await using provider = await startLoopbackProvider([
    { when: chatter, text: ["Chatter ", "chatter."], repeat: true },
    ...scenario.steps,
  ]);
  const daemon = await listening(world, provider.url);
  const owner = openTalker(world);
  const load = Array.from({ length: loadedBy }, () => openTalker(world));
  talkers.push(owner, ...load);
  await Promise.all(talkers.map(({ ready }) => ready));
  const busy = load.map((talker, index) => talker.chat(`load-${index}`, chatter, rest));
  const moves: readonly Move[] =
    scenario.how === "ask" ? [{ say: "Do what is to be done" }, ...scenario.moves] : scenario.moves;
  const stage = { world, provider, owner, daemon };
  try {
    if (scenario.aim === null) {
      const struck = pause(random() * anywhere).then(daemon.kill);
      await Promise.all([perform(stage, moves), struck]);
    } else {
      await perform(stage, moves);
      await pause(random() * soon);
    }
  } finally {
    daemon.kill();
    await daemon.end;
  }
  for (const talker of talkers) talker.freeze();
  await Promise.all(busy);
  const disk = readDisk(world.state);
  using watch = openSessionWatch(world.state, session);
  return {
    killed: true,
    stdout: owner.texts().join("\n"),
    requests: provider.requests.length,
    disk,
    lasting: readLasting(world),
    token: owner.token(),
    state: watch.newest()?.state ?? "none",
  };
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

type Stage = {
  readonly world: World;
  readonly provider: LoopbackProvider;
  readonly owner: Talker;
  readonly daemon: Program;
};

/** Makes the moves one after the other; ends early where the daemon has ended. */
async function perform(stage: Stage, moves: readonly Move[]): Promise<void> {
  const { world, provider, owner, daemon } = stage;
  using watch = openSessionWatch(world.state, session);
  let turns = 0;
  const requests = (): number => provider.requests.filter(({ body }) => !body.includes(chatter)).length;
  const wait = async (condition: () => boolean): Promise<void> => {
    const until = performance.now() + patience;
    while (!daemon.ended() && !condition() && performance.now() < until) await pause(1);
  };
  for (const move of moves) {
    if (daemon.ended()) return;
    if ("say" in move) {
      const command = /^\/(approve|deny)$/.test(move.say);
      if (command) await wait(() => owner.token() !== null);
      owner.send(session, command ? `${move.say} ${owner.token()}` : move.say);
      if (!move.say.startsWith("/")) turns += 1;
    } else if ("requests" in move) await wait(() => requests() >= move.requests);
    else if ("runs" in move) await wait(() => readLasting(world).runs >= move.runs);
    else {
      const expected = turns;
      await wait(() => {
        const newest = watch.newest();
        const state = newest?.state;
        return (
          state !== undefined && newest?.count === expected && (move.until.includes(state) || isFinal(state))
        );
      });
    }
  }
}

type Taking = {
  readonly world: World;
  readonly killed: Struck;
  readonly random: () => number;
  readonly talkers: readonly Talker[];
};

/** Starts the daemon again, lets the clients come back by themselves, asks once more, and says yes twice where a question is open. */
async function takeUp({ world, killed, random, talkers }: Taking) {
  await using provider = await startLoopbackProvider([{ text: calm, repeat: true }]);
  const killedAgain = random() < share;
  if (killedAgain) {
    const first = startProgram(world, provider.url, ["daemon", "--port", "0"]);
    first.endInput();
    await pause(random() * early);
    first.kill();
    await first.end;
  }
  const daemon = await listening(world, provider.url);
  const [owner] = talkers;
  if (owner === undefined) throw new Error("there is no client");
  for (const talker of talkers) talker.thaw();
  const answered = await owner.ask(session, "And now?");
  const ask = asEnded("And now?", answered === calm, answered);
  const open = readDisk(world.state, "database").turns.find(({ state }) => state === "suspended");
  const approved =
    killed.token !== null && open !== undefined ? await sayYesTwice(owner, killed.token, open.id) : null;
  await settle(world, talkers);
  const reader = openTalker(world);
  await reader.ready;
  for (const name of [session, ...Array.from({ length: loadedBy }, (_, index) => `load-${index}`)]) {
    await reader.open(name);
  }
  for (const talker of talkers) await talker.returned();
  await until(() => readDisk(world.state, "database").answers.every(({ delivered }) => delivered));
  const seen = reader.finals();
  owner.also(seen);
  await reader.close();
  daemon.term();
  const { code } = await daemon.end;
  const reading = asEnded("the daemon", code === 0, daemon.stderr());
  const checks = await runOwnChecks(world, provider.url);
  return {
    killedAgain,
    requests: provider.requests.length,
    ask,
    approved,
    waiting: [],
    reading,
    checks,
    printed: "",
    disk: readDisk(world.state),
    lasting: readLasting(world),
  };
}

async function sayYesTwice(owner: Talker, token: string, turn: string): Promise<readonly [Ended, Ended]> {
  const first = await owner.approve(token);
  if (first === turn) await owner.final(turn);
  const second = await owner.approve(token);
  return [
    asEnded("approve", first === turn, String(first)),
    { ...asEnded("approve again", true, ""), code: second === "refused" ? 1 : 0 },
  ];
}

function asEnded(args: string, well: boolean, said: string): Ended {
  return { args, code: well ? 0 : 1, stdout: well ? "" : said, stderr: "" };
}

/** Waits until nothing runs, and everything that a client said has its turn. */
async function settle(world: World, talkers: readonly Talker[]): Promise<void> {
  await until(() => {
    const { turns } = readDisk(world.state, "database");
    const known = new Set(turns.map(({ signal }) => signal.clientId));
    return (
      turns.every(({ state }) => isFinal(state) || state === "suspended") &&
      talkers.every((talker) => talker.said().every((id) => known.has(id)))
    );
  });
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!condition() && performance.now() < end) await pause(50);
}

/** What the clients saw, against what was on the disk after the kill and at the end. */
function socketSide(
  talkers: readonly Talker[],
  killed: Disk,
  end: Disk,
): readonly (readonly [string, Holding])[] {
  const acknowledged = talkers.flatMap((talker) => talker.acknowledgedBefore());
  const said = talkers.flatMap((talker) => talker.said());
  const finals = talkers.flatMap((talker) => talker.finals());
  return [
    [
      "what a client saw acknowledged was on the disk",
      holding(acknowledged, ({ id, turn }) =>
        killed.turns.some((kept) => kept.id === turn && kept.signal.clientId === id)
          ? null
          : `${id} was acknowledged as turn ${turn}, which is not on the disk`,
      ),
    ],
    [
      "what a client said is one turn, repeated or not",
      holding(said, (id) => {
        const { length } = end.turns.filter(({ signal }) => signal.clientId === id);
        return length === 1 ? null : `${id} is ${length} turns`;
      }),
    ],
    [
      "a client had the answer to what was acknowledged",
      holding(acknowledged, ({ id, turn }) => {
        const kept = end.turns.find((one) => one.id === turn);
        if (kept === undefined || !isFinal(kept.state)) return null;
        return finals.some((final) => final.turn === turn)
          ? null
          : `nobody was told the end of ${id} (${turn})`;
      }),
    ],
    [
      "no client had two different answers to one turn",
      holding(finals, ({ turn, text }) =>
        finals.every((other) => other.turn !== turn || other.text === text)
          ? null
          : `turn ${turn} has two answers`,
      ),
    ],
  ];
}

// `node test/daemon/kill-daemon.ts [--runs N] [--seed N]`
if (import.meta.main) await runFromArguments(killDaemon(0));
