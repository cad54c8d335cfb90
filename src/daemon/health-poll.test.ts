import assert from "node:assert/strict";
import { test } from "node:test";
import type { HealthReport } from "../health/check-health.ts";
import { makeHealthPoll } from "./health-poll.ts";

const minute = 60_000;
const hour = 60 * minute;
const healthy: HealthReport = { health: "healthy", checks: [] };
const noRoom: HealthReport = {
  health: "unhealthy",
  checks: [
    { name: "gates", result: "ok", text: "all held" },
    { name: "state", result: "bad", text: "the disk is full" },
  ],
};

/** A poll of an agent whose checks give what stands in `reports`, the last again and again. */
function pollOf(reports: (HealthReport | Error)[]) {
  const now = { at: 0, checks: 0 };
  const poll = makeHealthPoll({
    clock: () => now.at,
    check: async () => {
      now.checks += 1;
      const report = (reports.length > 1 ? reports.shift() : reports[0]) ?? healthy;
      if (report instanceof Error) throw report;
      return report;
    },
  });
  /** A heartbeat, and what the next one says of the look that it may have begun. */
  const beats = async (): Promise<string | null> => {
    assert.equal(await poll.work(false), null);
    await new Promise((resolve) => setImmediate(resolve));
    return poll.work(false);
  };
  return { now, poll, beats };
}

test("health is looked at once at the start and once a day, and nothing is said while it stays", async () => {
  const { now, poll, beats } = pollOf([healthy]);
  assert.deepEqual(poll.health(), { status: "unknown", checked: false });
  assert.deepEqual((await poll.look()).health, "healthy");
  assert.deepEqual(poll.health(), { status: "healthy", checked: true });
  for (; now.at < 24 * hour; now.at += minute) assert.equal(await poll.work(false), null);
  assert.equal(now.checks, 1);
  assert.equal(await beats(), null);
  assert.equal(now.checks, 2);
  now.at -= 36 * hour;
  assert.equal(await beats(), null);
  assert.equal(now.checks, 3, "a clock that was set back waits for no day to come again");
});

test("the look of the start waits until somebody asks for the health, a moment at most, and is not made where the daemon leaves before", async () => {
  for (const [cause, checks] of [
    ["asked", 1],
    ["a moment", 1],
    ["leaves", 0],
  ] as const) {
    const [made, moment, leaving] = [{ checks: 0 }, Promise.withResolvers<void>(), new AbortController()];
    const poll = makeHealthPoll({
      clock: () => 0,
      check: async () => {
        made.checks += 1;
        return healthy;
      },
      wait: () => moment.promise,
    });
    const first = poll.lookAtStart(leaving.signal);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(made.checks, 0);
    if (cause === "asked") assert.deepEqual(poll.health(), { status: "unknown", checked: false });
    if (cause === "leaves") leaving.abort();
    if (cause !== "asked") moment.resolve();
    assert.equal((await first).health, checks === 1 ? "healthy" : "unknown");
    assert.equal(made.checks, checks, cause);
  }
});

test("what became bad fails the job once with its reason, is looked at again soon, and its end is said", async () => {
  const { now, poll, beats } = pollOf([healthy, noRoom, noRoom, healthy]);
  await poll.look();
  now.at = 24 * hour;
  await assert.rejects(beats(), /unhealthy: state: the disk is full.*passepartout doctor/);
  assert.equal(poll.health().status, "unhealthy");
  assert.equal(await poll.work(false), null);
  now.at += 10 * minute;
  assert.equal(await beats(), null, "what stays bad was said");
  assert.equal(now.checks, 3);
  now.at += 10 * minute;
  assert.equal(await beats(), "healthy again");
  assert.equal(poll.health().status, "healthy");
});

test("what is bad at the start is recorded at the first heartbeat, and a finding is said once", async () => {
  const bad = pollOf([noRoom]);
  await bad.poll.look();
  await assert.rejects(bad.poll.work(false), /the disk is full/);
  const finding: HealthReport = {
    health: "degraded",
    checks: [{ name: "notes", result: "finding", text: "no notes folder" }],
  };
  const { now, poll, beats } = pollOf([healthy, finding]);
  await poll.look();
  assert.equal(await poll.work(false), null);
  now.at = 24 * hour;
  assert.equal(await beats(), "degraded: notes: no notes folder");
  now.at = 48 * hour;
  assert.equal(await beats(), null);
});

test("a heartbeat waits for no look, and a look that fails is said and made again soon", async () => {
  const never = Promise.withResolvers<HealthReport>();
  const waiting = makeHealthPoll({ clock: () => 0, check: () => never.promise });
  assert.equal(await waiting.work(false), null);
  assert.equal(await waiting.work(false), null);
  never.resolve(healthy);
  const { now, poll, beats } = pollOf([new Error("no more processes"), healthy]);
  await assert.rejects(beats(), /could not be looked at: no more processes/);
  assert.equal(await poll.work(false), null);
  now.at = 10 * minute;
  assert.equal(await beats(), "healthy again");
  assert.equal(now.checks, 2);
});

test("who asks gets an answer at once, whatever the time; two looks at once are one", async () => {
  const { now, poll } = pollOf([healthy]);
  await Promise.all([poll.look(), poll.look()]);
  assert.equal(now.checks, 1);
  assert.equal(await poll.work(true), "healthy");
  assert.equal(now.checks, 2);
});
