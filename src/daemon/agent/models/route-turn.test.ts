import assert from "node:assert/strict";
import { test } from "node:test";
import { readRoutes } from "../../../reason/route/read-routes.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import { nameOfModel } from "../../../signal/model-route.ts";
import type { Signal } from "../../../signal/signal.ts";
import type { Turn } from "../../../signal/turn.ts";
import { makeModelLimit, makeTurnRoute, type RouteTurnParts } from "./route-turn.ts";

const privateLabel = { ...bottomLabel, secrecy: "private" } as const;
const diary = "my knee hurts since the accident";

type World = {
  readonly rules?: string;
  readonly small?: string;
  readonly chosen?: ChosenModel;
  readonly past?: readonly Message[];
  readonly privateNotes?: string;
  /** The turn at the beginning of sub-tasks. */
  readonly root?: Turn;
};

function world({ rules = "", small = "", chosen, past = [], privateNotes, root }: World) {
  const read = readRoutes(rules);
  assert.ok(read.ok, rules);
  const now = { chosen: chosen ?? null };
  const parts: RouteTurnParts = {
    order: () => ["claude", "ollama"],
    config: { cascade: ["claude", "ollama"], modelRoutes: read.rules, cognitionModel: small },
    state: {
      turns: { get: async () => root ?? null },
      chosenModels: { of: async () => now.chosen },
    },
    past: async () => past,
    privateText: {
      ready: async () => undefined,
      learnMarked: async () => undefined,
      passagesIn: (text) => (text.includes(diary) ? [diary] : []),
    },
    liveState: async () => ({
      privateContext: privateNotes === undefined ? null : { text: privateNotes, label: privateLabel },
    }),
    isReflex: ({ signal }) => signal.payload["tier"] === "reflex",
  };
  return { route: makeTurnRoute(parts), limit: makeModelLimit(parts), now };
}

function turnOf(words: string, about: Partial<Signal> = {}, more: readonly Message[] = []): Turn {
  const signal: Signal = {
    id: "1",
    clientId: null,
    sensor: "user-input",
    session: "s",
    source: "cli",
    person: "owner",
    text: words,
    payload: {},
    depth: 0,
    label: bottomLabel,
    at: 0,
    ...about,
  };
  return {
    id: "1",
    session: "s",
    signal,
    state: "queued",
    depth: 0,
    depthLimit: 50,
    rejections: 0,
    messages: [{ role: "user", text: words, label: signal.label }, ...more],
    pending: [],
    running: null,
    approved: null,
    text: "",
    code: "",
    startedAt: 0,
    updatedAt: 0,
  };
}

const result: Message = {
  role: "result",
  callId: "1",
  native: true,
  result: {
    id: "1",
    tool: "read-file",
    outcome: { status: "success", content: "diary" },
    label: privateLabel,
  },
};

async function asked({ route }: ReturnType<typeof world>, turn: Turn): Promise<string | null> {
  const chosen = await route(turn);
  return chosen === null ? null : chosen.asked.map(nameOfModel).join(" ");
}

const job = (tier: string): Partial<Signal> => ({
  sensor: "cron",
  person: "nobody",
  payload: { tier, job: "standup" },
});

test("with nothing set every turn asks in the order of the settings", async () => {
  for (const turn of [turnOf("hi"), turnOf("prove it"), turnOf("hi", job("reasoning")), turnOf(diary)])
    assert.equal(await asked(world({}), turn), null);
});

test("a heartbeat reaches the small model alone, and without one the reflex engine, whatever rules and the owner say", async () => {
  const beat = turnOf("prove it", { sensor: "heartbeat", person: "nobody" });
  const large = { rules: "always: claude", chosen: { provider: "claude", model: null } };
  assert.equal(await asked(world(large), beat), "");
  assert.equal(await asked(world({ ...large, small: "ollama/tiny" }), beat), "ollama/tiny");
});

test("a sub-task asks the models of the turn at its beginning, unless a rule names sub-tasks", async () => {
  const caps = [{ task: "a", microdollars: 1, calls: 1 }];
  const place = { root: "0", rootSession: "s", level: 2, tools: [], folder: null, workspace: null };
  const subTask = turnOf("sum it up", {
    sensor: "sub-task",
    person: "nobody",
    payload: { subTask: { ...place, calls: 1, caps } },
  });
  const standup = turnOf("hi", job("reasoning"));
  for (const [rules, root, expected] of [
    ["person: only ollama", turnOf("hi"), "ollama"],
    ["person: skip claude", turnOf("hi"), "ollama"],
    ["job standup: only ollama", standup, "ollama"],
    ["event: only ollama", turnOf("hi"), null],
    ["sub-task: only claude; person: only ollama", turnOf("hi"), "claude"],
    ["person and not sub-task: only ollama", turnOf("hi"), null],
  ] as const)
    assert.equal(await asked(world({ rules, root }), subTask), expected, rules);
});

test("a job that a heartbeat began is a heartbeat; one that something else began too is a job", async () => {
  const begunBy = (...listed: readonly string[]) => {
    const { payload, ...rest } = job("cognition");
    return { ...rest, payload: { ...payload, events: { listed: [...listed], private: [], more: 0 } } };
  };
  const large = { rules: "always: claude" };
  assert.equal(await asked(world(large), turnOf("prove it", begunBy("heartbeat"))), "");
  const chosen = { provider: "claude", model: null };
  assert.equal(await asked(world({ ...large, chosen }), turnOf("x", begunBy("heartbeat"))), "");
  const both = turnOf("x", begunBy("heartbeat", "note-changed a.org"));
  assert.equal(await asked(world(large), both), "claude ollama");
});

test("a reflex job asks no model, and one of the tier cognition the small one", async () => {
  const rules = { rules: "always: claude", small: "ollama" };
  assert.equal(await asked(world(rules), turnOf("agenda", job("reflex"))), null);
  assert.equal(await asked(world(rules), turnOf("hi", job("cognition"))), "ollama");
  assert.equal(await asked(world(rules), turnOf("hi", job("reasoning"))), "claude ollama");
  assert.equal(
    await asked(world({ rules: "job standup: only ollama" }), turnOf("hi", job("reasoning"))),
    "ollama",
  );
});

test("what the owner chose for the session stands above the rules", async () => {
  const chosen = { provider: "claude", model: "opus" };
  assert.equal(await asked(world({ rules: "always: only ollama", chosen }), turnOf("hi")), "claude/opus");
});

for (const [what, about, turn] of [
  ["its words stand in a private text", {}, turnOf(`So ${diary}.`)],
  ["the signal is private", {}, turnOf("hi", { label: privateLabel })],
  ["a result is private", {}, turnOf("hi", {}, [result])],
  ["the session's past is private", { past: [result] }, turnOf("and now?")],
  ["a private note goes with the words", { privateNotes: "diary" }, turnOf("what hurts?")],
] as const) {
  test(`a turn is private for the router where ${what}`, async () => {
    assert.equal(await asked(world({ rules: "private: only ollama", ...about }), turn), "ollama");
    assert.equal(await asked(world({ rules: "private: only ollama" }), turnOf("hi")), null);
  });
}

test("a turn under way keeps its models, whatever the owner chooses meanwhile, until private text comes into it", async () => {
  const one = world({ rules: "private: only ollama; hard: claude/opus" });
  const begun = turnOf("prove it");
  const route = await one.route(begun);
  assert.equal(route?.by, "hard: claude/opus");
  one.now.chosen = { provider: "ollama", model: "tiny" };
  assert.equal(await one.route({ ...begun, route }), route);
  const later = { ...turnOf("prove it", {}, [result]), route };
  const moved = await one.route(later);
  assert.equal(moved?.by, "private: only ollama");
  assert.equal(await one.route({ ...begun, route: moved }), moved);
});

test("a turn that began in the order of the settings keeps it when the owner chooses a model meanwhile", async () => {
  const one = world({});
  const turn = turnOf("hi");
  const route = await one.route(turn);
  one.now.chosen = { provider: "ollama", model: null };
  assert.equal(await one.route({ ...turn, route }), null);
});

test("a model is kept away from a step where a rule does, where the rule names another model, and in a heartbeat that is not its own", async () => {
  const claude = { provider: "claude", model: null };
  const small = { provider: "ollama", model: "small" };
  const secret = turnOf(`Why? ${diary}`);
  const rules = "private: only ollama; hard: only ollama/big; person: skip claude";
  assert.equal(await world({}).limit(secret, claude), null);
  assert.match((await world({ rules }).limit(secret, claude)) ?? "", /"private: only ollama"/);
  assert.equal(await world({ rules, chosen: claude }).limit(secret, small), null);
  assert.match((await world({ rules, chosen: claude }).limit(secret, claude)) ?? "", /keeps it away/);
  assert.match((await world({ rules }).limit(turnOf("Prove it"), small)) ?? "", /"hard: only ollama\/big"/);
  assert.match((await world({ rules }).limit(turnOf("Hi"), claude)) ?? "", /"person: skip claude"/);
  const beat = turnOf("", { sensor: "heartbeat", person: "nobody" });
  assert.match(
    (await world({}).limit(beat, claude)) ?? "",
    /heartbeat asks the model of COGNITION_MODEL alone/,
  );
  assert.equal(await world({ small: "ollama/small" }).limit(beat, small), null);
});
