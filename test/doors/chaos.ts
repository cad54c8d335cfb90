import { type ChatDoor, openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { makeRandom } from "../make-random.ts";
import { until } from "./chat-world.ts";
import { makeLife, openDoorWorld } from "./door-world.ts";
import type { Misbehaviour } from "./fake-telegram.ts";

/** What came of a run: how often each thing happened, and what is wrong. */
export type ChaosReport = {
  readonly updates: number;
  readonly kills: number;
  readonly wrongs: number;
  readonly jumps: number;
  readonly repeats: number;
  readonly milliseconds: number;
  /** Empty where nothing was lost and nothing doubled. */
  readonly problems: readonly string[];
};

/** Updates that wait at a time. */
const wave = 50;

/**
 * Sends so many updates through a door that is killed again and again, to a service that cuts, refuses, fails
 * and repeats, under a clock that jumps; and counts what was answered.
 */
export async function runChaos(updates: number, seed: number): Promise<ChaosReport> {
  const random = makeRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  await using world = await openDoorWorld();
  const { fake, agent, service } = world;
  const counted = { kills: 0, wrongs: 0, jumps: 0, repeats: 0, offset: 0 };
  const choices: readonly Misbehaviour[] = [
    "cut-before",
    "cut-after",
    "bad-gateway-before",
    "bad-gateway-after",
    { retryAfter: 0.001 },
    "conflict",
  ];
  fake.chaos = (method) => {
    if (random() > 0.08) return null;
    counted.wrongs += 1;
    const how = choices[below(choices.length)] ?? null;
    return how === "conflict" && method !== "getUpdates" ? "cut-after" : how;
  };
  const clock = (): number => Date.now() + counted.offset;
  const began = performance.now();
  let said = 0;
  while (said < updates) {
    const end = Math.min(updates, said + wave);
    for (; said < end; said += 1) {
      fake.say(`question ${said}`);
      if (random() < 0.1) fake.add("poll_answer", { poll_id: String(said) });
      if (random() < 0.1) {
        counted.repeats += 1;
        fake.repeat(1 + below(5));
      }
    }
    if (random() < 0.3) {
      counted.jumps += 1;
      counted.offset = (random() - 0.5) * 4 * 365 * 86_400_000;
    }
    for (let isDone = false; !isDone; ) {
      const { life, mortal } = makeLife(random() < 0.5 ? 50 + below(800) : Number.POSITIVE_INFINITY);
      const kernel = { ...agent.kernel, clock, say: mortal({ say: agent.kernel.say }).say };
      const door: ChatDoor = openChatDoor({ ...kernel, store: mortal(kernel.store) }, mortal(service), null);
      const isAnswered = (): boolean => new Set(fake.said()).size >= said && fake.unacknowledged() === 0;
      await until("the door is killed, or done", () => life.isOver || isAnswered());
      isDone = isAnswered();
      counted.kills += life.isOver ? 1 : 0;
      life.isOver = true;
      await door[Symbol.asyncDispose]();
    }
  }
  return {
    updates,
    ...counted,
    milliseconds: Math.round(performance.now() - began),
    problems: findProblems(fake.said(), [...agent.turns.values()], updates),
  };
}

function findProblems(
  answers: readonly string[],
  turns: readonly string[],
  updates: number,
): readonly string[] {
  const times = new Map<string, number>();
  for (const answer of answers) times.set(answer, (times.get(answer) ?? 0) + 1);
  const wrong = Array.from({ length: updates }, (_, index) => `To question ${index}`).flatMap((answer) => {
    const count = times.get(answer) ?? 0;
    return count === 1 ? [] : [`${answer}: ${count} times`];
  });
  const taken = new Set(turns).size === turns.length && turns.length === updates;
  return [...wrong, ...(taken ? [] : [`${turns.length} turns of ${updates} updates`])];
}

if (import.meta.main) {
  const report = await runChaos(Number(process.env["UPDATES"] ?? 10_000), Number(process.env["SEED"] ?? 1));
  process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  if (report.problems.length > 0) process.exitCode = 1;
}
