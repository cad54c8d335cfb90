import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, makeTime, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { type Step, startLoopbackProvider } from "../../../test/loopback-provider.ts";
import type { ProviderRest } from "../../signal/provider-rest.ts";
import { makeScriptedProvider, type Script } from "../providers/scripted.ts";
import { type ModelDoor, openModelDoor } from "./call-model.ts";
import type { FailureCode, Provider } from "./model-port.ts";

const never = new AbortController().signal;
const minute = 60_000;

type Answers = Script["answers"];

function provider(name: string, answers: Answers, model = "script") {
  return makeScriptedProvider({ name, model, answers }, makeTime().wait);
}

/** Fails with a code for ever. */
function failing(name: string, code: FailureCode, retryAfterMs: number | null = null) {
  return provider(name, [{ failure: { code, retryAfterMs }, repeat: true }]);
}

function healthy(name: string) {
  return provider(name, [{ text: `from ${name}`, repeat: true }]);
}

function open(...providers: readonly Provider[]) {
  const world = makeDoorWorld(providers);
  const clock = { now: 1_000_000_000_000 };
  const parts = { ...world.parts, clock: () => clock.now };
  return { clock, parts, door: openModelDoor(parts) };
}

async function ask(door: ModelDoor) {
  return await door.callModel(requestOf(says("hi")), makeHooks().hooks, never);
}

for (const code of [
  "refused",
  "unknown-host",
  "bad-certificate",
  "timeout",
  "auth",
  "no-quota",
  "no-model",
  "rate-limited",
  "server-error",
  "malformed",
] as const) {
  test(`a provider that failed with ${code} is not asked again in the next step`, async () => {
    const first = failing("first", code);
    const { door } = open(first, healthy("second"));
    await ask(door);
    const asked = first.requests.length;
    for (let step = 0; step < 5; step += 1) {
      const outcome = await ask(door);
      assert.ok(outcome.ok);
      assert.equal(outcome.text, "from second");
      assert.equal(outcome.tries[0]?.code, "resting");
    }
    assert.equal(first.requests.length, asked);
  });
}

for (const code of ["too-long", "filtered", "empty", "out-of-tokens", "cut-off", "bad-request"] as const) {
  test(`a provider that failed with ${code}, which another prompt may mend, does not rest`, async () => {
    const first = failing("first", code);
    const { door } = open(first, healthy("second"));
    await ask(door);
    const asked = first.requests.length;
    await ask(door);
    assert.ok(first.requests.length > asked);
  });
}

test("a rest that began while the clock was years ahead is over when the clock is right again", async () => {
  const first = failing("first", "no-quota");
  const { clock, door } = open(first, healthy("second"));
  const right = clock.now;
  clock.now += 20 * 365 * 86_400_000;
  await ask(door);
  const asked = first.requests.length;
  await ask(door);
  assert.equal(first.requests.length, asked);
  clock.now = right;
  await ask(door);
  assert.ok(first.requests.length > asked);
});

test("after its rest one call asks again; each further failure doubles the rest, up to half an hour, and an answer ends it", async () => {
  const first = provider("first", [
    ...Array.from({ length: 8 }, () => ({ failure: { code: "timeout" as const } })),
    { text: "back", repeat: true },
  ]);
  const { door, clock } = open(first, healthy("second"));
  await ask(door);
  for (const [count, minutes] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    clock.now += minutes * minute - 1;
    await ask(door);
    assert.equal(first.requests.length, count + 1, `rests for ${minutes} minutes`);
    clock.now += 1;
    await ask(door);
    assert.equal(first.requests.length, count + 2);
  }
  clock.now += 30 * minute;
  const outcome = await ask(door);
  assert.ok(outcome.ok && outcome.text === "back");
  assert.ok((await ask(door)).ok);
  assert.equal(first.requests.length, 10);
});

const fourTimes = [1, 2, 3, 4];
const broken = { failure: { code: "server-error" as const } };

test("a call that tries a provider again after its rest asks it once, and calls beside it pass it over", async () => {
  const gate = Promise.withResolvers<void>();
  const first = makeScriptedProvider(
    {
      name: "first",
      answers: [...fourTimes.map(() => broken), { text: "back", delayMs: 1 }],
    },
    () => gate.promise,
  );
  const { door, clock } = open(first, healthy("second"));
  await ask(door);
  assert.equal(first.requests.length, 4);
  clock.now += minute;
  const probing = ask(door);
  const beside = await ask(door);
  assert.ok(beside.ok && beside.provider === "second");
  gate.resolve();
  const probed = await probing;
  assert.ok(probed.ok && probed.text === "back");
  assert.equal(first.requests.length, 5);
});

test("a Retry-After is kept to, also where no other provider is left, and the person is told when", async () => {
  const only = failing("only", "rate-limited", 10 * minute);
  const { door, clock } = open(only);
  await ask(door);
  clock.now += 9 * minute;
  const early = await ask(door);
  assert.ok(!early.ok);
  assert.match(
    early.reason,
    /only: rests for 60 s more, since it failed: as the script says\. Ask again then/,
  );
  assert.equal(only.requests.length, 1);
  clock.now += minute;
  await ask(door);
  assert.equal(only.requests.length, 2);
});

test("where all rest, the one whose rest ends first is asked, and nobody else", async () => {
  const slow = failing("slow", "auth");
  const soon = provider("soon", [{ failure: { code: "refused" } }, { text: "back", repeat: true }]);
  const wanted = failing("wanted", "rate-limited", 20_000);
  const { door, clock } = open(slow, wanted, soon);
  assert.equal((await ask(door)).ok, false);
  clock.now += 1000;
  const outcome = await ask(door);
  assert.ok(outcome.ok && outcome.text === "back");
  assert.deepEqual([slow.requests.length, soon.requests.length, wanted.requests.length], [1, 2, 1]);
});

test("an only provider is asked each time, however often it failed", async () => {
  const only = failing("only", "no-model");
  const { door } = open(only);
  for (let count = 1; count <= 4; count += 1) {
    assert.equal((await ask(door)).ok, false);
    assert.equal(only.requests.length, count);
  }
});

test("another model or other settings end the rest", async () => {
  const answers: Answers = [{ failure: { code: "auth" } }, { text: "back", repeat: true }];
  const kept: ProviderRest[] = [];
  const rests = {
    all: async () => kept,
    save: async (next: readonly ProviderRest[]) => void kept.splice(0, kept.length, ...next),
  };
  const { parts } = open();
  const doorOn = (first: Provider) =>
    openModelDoor({
      ...parts,
      rests,
      providers: new Map([first, healthy("second")].map((one) => [one.name, one])),
      cascade: ["first", "second"],
    });
  const first = provider("first", answers);
  assert.ok((await ask(doorOn(first))).ok);
  const again = await ask(doorOn(first));
  assert.ok(again.ok && again.provider === "second", "a rest outlives the process");
  const other = await ask(doorOn({ ...first, model: "other" }));
  assert.ok(other.ok && other.text === "back");
  await ask(doorOn(failing("first", "auth")));
  const keyed = await ask(doorOn({ ...first, settings: "another key" }));
  assert.ok(keyed.ok && keyed.text === "back");
});

test("rests that can be neither read nor saved are reported, and calls go on", async () => {
  const reports: string[] = [];
  const fails = async () => Promise.reject(new Error("disk full"));
  const { parts } = open(failing("first", "refused"), healthy("second"));
  const door = openModelDoor({
    ...parts,
    rests: { all: fails, save: fails },
    report: (text) => reports.push(text),
  });
  assert.ok((await ask(door)).ok);
  assert.ok((await ask(door)).ok);
  assert.equal(reports.length, 2);
});

test("where two providers hang, a healthy third one is reached within the cascade's time", async () => {
  await using hung = await startLoopbackProvider([{ fault: "hang", repeat: true }]);
  const slow: Step = { text: ["a", "b", "c"] };
  await using third = await startLoopbackProvider([slow]);
  const names = ["one", "two"].map((name) => providerAt(hung.url, { name }));
  const { parts, time } = makeDoorWorld([...names, providerAt(third.url, { name: "three" })]);
  const calling = openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  for (const count of [1, 2]) {
    await hung.reached(count);
    await time.elapse();
    await time.elapse();
  }
  const outcome = await calling;
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.provider, outcome.text], ["three", "abc"]);
  assert.equal(time.clock(), 1_080_000);
});

test("an answer that began in time may go on after the cascade's time, as long as it comes", async () => {
  const { parts, clock } = open();
  const slow = makeScriptedProvider(
    { name: "slow", answers: [{ text: ["a", "b", "c", "d", "e"], delayMs: 50_000 }] },
    async (milliseconds) => {
      clock.now += milliseconds;
    },
  );
  const outcome = await ask(
    openModelDoor({ ...parts, providers: new Map([["slow", slow]]), cascade: ["slow"] }),
  );
  assert.ok(outcome.ok && outcome.text === "abcde");
});
