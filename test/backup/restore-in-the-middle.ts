import { existsSync, readFileSync, rmSync } from "node:fs";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { type AgentWorld, explanation, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

/** How many backups are made in the middle of things, and from which seed the moments are drawn. */
export type RestorePlan = { readonly backups: number; readonly seed: number };

/** What restoring them came to. */
export type RestoreReport = {
  readonly backups: number;
  /** Acts that were done once, and pieces of work that restores ended. */
  readonly acts: number;
  readonly ended: number;
  readonly problems: readonly string[];
};

/** Milliseconds after the words of a round at which its backup is made, at most. */
const longestWait = 400;

/**
 * Makes backups while notes and commands are queued, asked about and under way, lets all of it be done,
 * restores each backup, starts again, gives every question its yes once more, and counts what was done.
 */
export async function restoreInTheMiddle(
  test: Pick<TestContext, "after">,
  { backups, seed }: RestorePlan,
): Promise<RestoreReport> {
  const rounds = Array.from({ length: backups }, (_, round) => round);
  const world = await makeWorld(test, rounds.flatMap(stepsOf));
  const problems: string[] = [];
  let [ended, state] = [0, seed];
  for (const round of rounds) {
    state = (state * 48_271) % 2_147_483_647;
    const file = `${world.home}/${round}.backup`;
    const tokens = await workAndBackUp(world, { round, file, wait: (state / 2_147_483_647) * longestWait });
    const before = actsIn(world);
    const restored = await world.command(["restore", "--yes", file]);
    if (restored.code !== 0) problems.push(`round ${round}: ${restored.err}`);
    ended += restored.err.match(/^ {2}["awt].*$/gm)?.length ?? 0;
    await takeUp(world, tokens, (what) => problems.push(`round ${round}: ${what}`));
    const after = actsIn(world);
    if (after.join() !== before.join())
      problems.push(`round ${round}: ${after.join()}, not ${before.join()}`);
    rmSync(file);
  }
  const acts = actsIn(world);
  const twice = acts.filter((act, index) => acts.indexOf(act) !== index);
  const lost = rounds.flatMap((round) => actsOf(round)).filter((act) => !acts.includes(act));
  problems.push(...twice.map((act) => `${act} was done twice`), ...lost.map((act) => `${act} was not done`));
  return { backups, acts: acts.length, ended, problems };
}

const actsOf = (round: number): readonly string[] => [
  `first-${round}.`,
  `second-${round}.`,
  `note-${round}.`,
];

function stepsOf(round: number): readonly Step[] {
  return ["first", "second"].flatMap((which): readonly Step[] => [
    { when: `call-${which}-${round}.`, repeat: true, text: "Done." },
    {
      when: `do ${which}-${round}.`,
      repeat: true,
      calls: [
        {
          id: `call-${which}-${round}.`,
          name: "shell",
          arguments: { cmd: `echo ${which}-${round}. >> ${which}`, explanation },
        },
      ],
    },
  ]);
}

type Round = { readonly round: number; readonly file: string; readonly wait: number };

/**
 * Works in three sessions, makes a backup meanwhile, and has all of it done. Gives the tokens of the
 * questions.
 */
async function workAndBackUp(world: AgentWorld, { round, file, wait }: Round): Promise<readonly string[]> {
  await using agent = await world.open();
  const tokens: string[] = [];
  const stop = agent.subscribe((event) => {
    if (event.type !== "approval-required") return;
    tokens.push(event.token);
    void approve(agent, event.token, event.session);
  });
  const words = [`do first-${round}.`, `do second-${round}.`, `/note note-${round}.`];
  const said = words.map(async (text, at) => {
    const session = await agent.openSession({ name: `${round}-${at}`, latest: false, source: "cli" });
    return agent.say({ session, text, source: "cli" });
  });
  await sleep(wait);
  const made = await world.command(["backup", file]);
  if (made.code !== 0) throw new Error(made.err);
  for (const one of await Promise.all(said)) if (one.kind !== "turn") throw new Error(JSON.stringify(one));
  await untilDone(world, agent, round);
  stop();
  return tokens;
}

/** Waits until every act of a round was done; throws where one is not, long after. */
async function untilDone(world: AgentWorld, agent: Agent, round: number): Promise<void> {
  const until = performance.now() + patience;
  const lacking = () => actsOf(round).filter((act) => !actsIn(world).includes(act));
  while (lacking().length > 0 && performance.now() < until) await sleep(20);
  if (lacking().length > 0) throw new Error(`${lacking().join(", ")} of round ${round} was not done`);
  await agent.whenIdle();
}

/** Milliseconds that the acts of a round are waited for. */
const patience = 60_000;

async function approve(agent: Agent, token: string, session: string): Promise<string> {
  const reply = await agent.runCommand({ kind: "approve", token }, session);
  return reply.kind === "turn" ? "approved" : reply.code;
}

/** Starts on a restored state, and gives each question that was answered its yes once more. */
async function takeUp(
  world: AgentWorld,
  tokens: readonly string[],
  complain: (what: string) => void,
): Promise<void> {
  await using agent = await world.open();
  await agent.whenIdle();
  for (const token of tokens)
    if ((await approve(agent, token, "")) === "approved") complain("a question was approved a second time");
  await agent.whenIdle();
}

/** What was done, in the workspace and in the inbox, in the order of its names. */
function actsIn(world: AgentWorld): readonly string[] {
  const inbox = `${world.home}/memex/inbox.org`;
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const notes = [...textOf(inbox).matchAll(/^\* (.*)$/gm)].map(([, title = ""]) => title);
  const runs = ["first", "second"].flatMap((name) => textOf(world.path(name)).split("\n").filter(Boolean));
  return [...runs, ...notes].toSorted();
}

/** A report as a person reads it. */
export function describeRestores({ backups, acts, ended, problems }: RestoreReport): string {
  const figures = `${backups} backups restored: ${acts} acts were done, ${ended} unfinished pieces of work were ended.`;
  return [figures, ...(problems.length === 0 ? ["Nothing was done twice."] : problems)].join("\n");
}
