import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setImmediate as soon } from "node:timers/promises";
import type { ThinkResult } from "../reason/think.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Turn } from "../signal/turn.ts";
import { loopWith } from "./loop-with.fixture.ts";

const owners = { ...bottomLabel, integrity: "user" } as const;

function thought(thought: Extract<ThinkResult, { kind: "thought" }>["thought"]): ThinkResult {
  return { kind: "thought", thought, text: "", provider: "one", raw: null, label: owners };
}

const unreadable = thought({ kind: "invalid", reason: "no form", text: "" });
const reply = thought({ kind: "reply", text: "Done." });

/** A loop whose model answers when it is told to, with the turns that it was asked about. */
async function steerable(t: Parameters<typeof loopWith>[0], maySteer = true) {
  const asked: Turn[] = [];
  const answers: ((result: ThinkResult) => void)[] = [];
  const think = (turn?: Turn): Promise<ThinkResult> => {
    if (turn !== undefined) asked.push(turn);
    return new Promise((resolve) => answers.push(resolve));
  };
  const parts = await loopWith(t, { think, maySteer: async () => maySteer });
  const until = async (count: number): Promise<void> => {
    while (asked.length < count) await soon();
  };
  return { ...parts, asked, until, answer: (result: ThinkResult) => answers.shift()?.(result) };
}

type Loop = Awaited<ReturnType<typeof steerable>>;

async function submit({ loop, session }: Loop, text: string, payload = {}): Promise<string> {
  const said = await loop.submit({
    id: randomUUID(),
    clientId: null,
    sensor: "user-input",
    session,
    source: "tui",
    person: "owner",
    text,
    payload: { text, ...payload },
    depth: 0,
    label: owners,
    at: 0,
  });
  assert.equal(said.kind, "turn");
  return said.kind === "turn" ? said.turn : "";
}

const texts = (turn: Turn | undefined): readonly string[] =>
  (turn?.messages ?? []).flatMap((message) => (message.role === "user" ? [message.text] : []));

test("words said to steer reach the running turn before its next model call, as the owner's, and once", async (t) => {
  const world = await steerable(t);
  const first = await submit(world, "water the roses");
  await world.until(1);
  const steering = await submit(world, "and the ferns", { steer: true });
  const behind = await submit(world, "then rest");
  world.answer(unreadable);
  await world.until(2);
  assert.equal(world.asked[1]?.id, first);
  assert.deepEqual(texts(world.asked[1]), ["water the roses", "and the ferns"]);
  const last = world.asked[1]?.messages.at(-1);
  assert.deepEqual(last?.role === "user" && [last.steers, last.label.integrity], [true, "user"]);
  const joined = await world.state.turns.get(steering);
  assert.deepEqual([joined?.state, joined?.code, joined?.messages], ["answered", "joined", []]);
  assert.ok(world.events.some((event) => event.type === "answered" && event.turn === steering));
  world.answer(reply);
  await world.until(3);
  assert.equal(world.asked[2]?.id, behind, "what only waits stays a turn of its own");
  world.answer(reply);
  await world.loop.whenIdle();
  assert.deepEqual(texts((await world.state.turns.get(first)) ?? undefined), [
    "water the roses",
    "and the ferns",
  ]);
});

test("words that come too late, or that may not be sent as they are, are a turn of their own", async (t) => {
  for (const maySteer of [true, false]) {
    const world = await steerable(t, maySteer);
    await submit(world, "water the roses");
    await world.until(1);
    const steering = await submit(world, "and the ferns", { steer: true });
    world.answer(maySteer ? reply : unreadable);
    await world.until(2);
    if (!maySteer) world.answer(reply);
    await world.until(maySteer ? 2 : 3);
    assert.equal(world.asked.at(-1)?.id, steering);
    assert.deepEqual(texts(world.asked.at(-1)), ["and the ferns"]);
    world.answer(reply);
    await world.loop.whenIdle();
  }
});

test("words that wait are taken back once, and not when their turn has begun", async (t) => {
  const world = await steerable(t);
  const first = await submit(world, "water the roses");
  await world.until(1);
  const waiting = await submit(world, "and the ferns");
  const signal = { session: world.session, label: owners };
  const takeBack = async (turn: string) => {
    const said = await world.loop.runCommand(
      { kind: "take-back", turn },
      {
        ...signal,
        id: "c",
        clientId: null,
        sensor: "user-input",
        source: "tui",
        person: "owner",
        text: "",
        payload: {},
        depth: 0,
        at: 0,
      },
    );
    return said.kind === "turn" ? "" : said.code;
  };
  assert.equal(await takeBack(waiting), "taken-back");
  assert.equal(await takeBack(waiting), "not-done");
  assert.equal(await takeBack(first), "not-done");
  const ended = world.events.find((event) => event.turn === waiting && event.type === "stopped");
  assert.equal(ended?.type === "stopped" && ended.code, "taken-back");
  world.answer(reply);
  await world.loop.whenIdle();
  assert.equal(world.asked.length, 1);
});
