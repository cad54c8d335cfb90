import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import fc from "fast-check";
import type { PlannedStep } from "../../signal/effect.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const uncapped = { since: 0, spendingCap: null };
const step = (times: number): PlannedStep & { used: number } => ({
  words: "run make",
  command: "make",
  effects: [],
  times,
  used: 0,
});

test("no step is used more often than its plan says, in any order of uses and restarts", async () => {
  let run = 0;
  const uses = fc.array(fc.oneof(fc.constant("restart" as const), fc.subarray([0, 1, 2], { minLength: 1 })), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(uses, fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)), async (wanted, times) => {
      const place = join(root, `uses-${run++}`);
      let state = await openSampleState(place);
      await state.flightPlans.keep({
        session: "s",
        workspace: "/w",
        steps: times.map(step),
        until: Number.MAX_SAFE_INTEGER,
        ...uncapped,
      });
      const plan = (await state.flightPlans.of("s"))?.id ?? "";
      const counted = [0, 0, 0];
      for (const use of wanted) {
        if (use === "restart") {
          await state[Symbol.asyncDispose]();
          state = await openSampleState(place);
          continue;
        }
        // Two calls at once: each counts, or is refused.
        const both = [0, 1].map(() => state.flightPlans.use({ session: "s", plan, steps: use }));
        for (const isCounted of await Promise.all(both))
          if (isCounted) for (const index of use) counted[index] = (counted[index] ?? 0) + 1;
      }
      for (const [index, most] of times.entries()) assert.ok((counted[index] ?? 0) <= most);
      await state[Symbol.asyncDispose]();
    }),
    { numRuns: 15 },
  );
});

test("a plan allows nothing in another session, under another id, after its deadline, or once it was dropped or replaced", async () => {
  let now = 1000;
  await using state = await openSampleState(join(root, "ends"), { clock: () => now });
  const plans = state.flightPlans;
  const keep = () =>
    plans.keep({ session: "s", workspace: null, steps: [step(9)], until: now + 100, ...uncapped });
  await keep();
  const first = (await plans.of("s"))?.id ?? "";
  assert.equal(await plans.of("other"), null);
  assert.equal(await plans.use({ session: "other", plan: first, steps: [0] }), false);
  assert.equal(await plans.use({ session: "s", plan: "made-up", steps: [0] }), false);
  assert.equal(await plans.use({ session: "s", plan: first, steps: [1] }), false);
  assert.equal(await plans.use({ session: "s", plan: first, steps: [] }), false);
  assert.equal(await plans.use({ session: "s", plan: first, steps: [0] }), true);
  await keep();
  assert.equal(await plans.use({ session: "s", plan: first, steps: [0] }), false, "it was replaced");
  const second = (await plans.of("s"))?.id ?? "";
  now += 100;
  assert.equal(await plans.of("s"), null);
  assert.equal(await plans.use({ session: "s", plan: second, steps: [0] }), false);
  assert.equal(await plans.drop("s"), false);
  await keep();
  assert.equal(await plans.drop("s"), true);
  assert.equal(await plans.of("s"), null);
});

test("how a plan ended is told once: done, expired, dropped, overspent or replaced", async () => {
  let now = 1000;
  const place = join(root, "told");
  await using state = await openSampleState(place, { clock: () => now });
  const plans = state.flightPlans;
  const keep = async (): Promise<string> => {
    await plans.keep({ session: "s", workspace: null, steps: [step(1)], until: now + 100, ...uncapped });
    return (await plans.of("s"))?.id ?? "";
  };
  const told = async () => (await plans.takeEnded()).map(({ end }) => end);
  assert.deepEqual(await told(), []);
  const first = await keep();
  assert.deepEqual(await told(), []);
  assert.equal(await plans.use({ session: "s", plan: first, steps: [0] }), true);
  assert.deepEqual(await plans.takeEnded(), [{ id: first, session: "s", end: "done" }]);
  await keep();
  await keep();
  assert.deepEqual(await told(), ["replaced"]);
  now += 100;
  assert.deepEqual(await told(), ["expired"]);
  await keep();
  await plans.drop("s", "overspent");
  await keep();
  await plans.drop("s");
  assert.deepEqual((await told()).sort(), ["dropped", "overspent"]);
  assert.deepEqual(await told(), []);
});

test("a plan on hold allows nothing until a yes to the call that held it, over a restart too", async () => {
  const place = join(root, "held");
  const call = { turn: "t", digest: "d" };
  let plan = "";
  {
    await using state = await openSampleState(place);
    assert.equal(await state.flightPlans.hold("s", call), false);
    await state.flightPlans.keep({
      session: "s",
      workspace: null,
      steps: [step(9)],
      until: 2 ** 50,
      ...uncapped,
    });
    plan = (await state.flightPlans.of("s"))?.id ?? "";
    assert.equal(await state.flightPlans.hold("s", call), true);
    assert.equal(await state.flightPlans.hold("s", call), false);
  }
  await using state = await openSampleState(place);
  assert.equal((await state.flightPlans.of("s"))?.held, true);
  assert.equal(await state.flightPlans.use({ session: "s", plan, steps: [0] }), false);
  assert.equal(await state.flightPlans.resume("s", { ...call, digest: "other" }), false);
  assert.equal(await state.flightPlans.resume("s", { ...call, turn: "other" }), false);
  assert.equal(await state.flightPlans.use({ session: "s", plan, steps: [0] }), false);
  assert.equal(await state.flightPlans.resume("s", call), true);
  assert.equal(await state.flightPlans.use({ session: "s", plan, steps: [0] }), true);
});

test("a plan that version 1 kept stays in force, without a cap; one on hold of version 2 waits for /plan resume; one of a later version has ended", async () => {
  const place = join(root, "older");
  const old = { id: "p", session: "s", workspace: null, steps: [step(2)], until: 2 ** 50 };
  const keptBy = async (version: number, plan: object = old) => {
    {
      await using _state = await openSampleState(place);
      const database = new DatabaseSync(join(place, "state.db"), { timeout: 5000 });
      database
        .prepare("INSERT OR REPLACE INTO meta VALUES ('flight-plan:s', ?)")
        .run(JSON.stringify({ version, plan }));
      database.close();
    }
    await using state = await openSampleState(place);
    return state.flightPlans.of("s");
  };
  assert.deepEqual(await keptBy(1), { ...old, ...uncapped, held: false, heldBy: null });
  const onHold = { ...old, ...uncapped, held: true };
  assert.deepEqual(await keptBy(2, onHold), { ...onHold, heldBy: null });
  assert.equal(await keptBy(4), null);
});
