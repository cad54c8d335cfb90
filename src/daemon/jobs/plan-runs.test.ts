import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readSchedule } from "./cron.ts";
import { type NextInstant, planRuns } from "./plan-runs.ts";

const late = "The agent did not run then, and the grace of the job was over when it did.";
const superseded = "A later run of the job stands for it.";
const minute = 60_000;
const day = 86_400_000;
const at = (iso: string): number => Date.parse(iso);

function scheduleOf(expression: string, zone: string): NextInstant {
  const read = readSchedule(expression, zone);
  assert.ok(read.ok);
  return read.next;
}

/** The instants of a schedule between two times, as ISO 8601 without seconds. */
function instants(
  expression: string,
  zone: string,
  [from, to]: readonly [string, string],
): readonly string[] {
  const next = scheduleOf(expression, zone);
  const found: string[] = [];
  for (let coming = next(at(from)); coming !== null && coming <= at(to); coming = next(coming))
    found.push(new Date(coming).toISOString().slice(0, 16));
  return found;
}

test("a fixed time runs once where summer time begins and where it ends", () => {
  assert.deepEqual(instants("30 2 * * *", "Europe/Berlin", ["2026-03-28T00:00Z", "2026-03-31T00:00Z"]), [
    "2026-03-28T01:30",
    "2026-03-29T01:00",
    "2026-03-30T00:30",
  ]);
  assert.deepEqual(instants("30 2 * * *", "Europe/Berlin", ["2026-10-24T00:00Z", "2026-10-27T00:00Z"]), [
    "2026-10-24T00:30",
    "2026-10-25T00:30",
    "2026-10-26T01:30",
  ]);
  assert.deepEqual(
    instants("15 2 * * *", "Australia/Lord_Howe", ["2026-10-03T00:00Z", "2026-10-05T00:00Z"]),
    ["2026-10-03T15:30", "2026-10-04T15:15"],
  );
  assert.deepEqual(instants("0 12 * * *", "America/New_York", ["2026-11-01T00:00Z", "2026-11-02T23:00Z"]), [
    "2026-11-01T17:00",
    "2026-11-02T17:00",
  ]);
});

test("an interval goes on through both changes of summer time, without a gap and without a repetition", () => {
  assert.equal(
    instants("*/15 * * * *", "Europe/Berlin", ["2026-03-28T22:59Z", "2026-03-29T22:00Z"]).length,
    93,
  );
  assert.equal(
    new Set(instants("*/15 * * * *", "Europe/Berlin", ["2026-10-24T21:59Z", "2026-10-25T23:00Z"])).size,
    101,
  );
});

test("what is no schedule is refused in words", () => {
  for (const [expression, zone, words] of [
    ["* * * *", "UTC", /five fields/],
    ["* * * * * *", "UTC", /five fields/],
    ["61 * * * *", "UTC", /minute/],
    ["0 0 32 1 *", "UTC", /day: 32$/],
    ["0 9 * * *", "Mars/Olympus", /Mars\/Olympus/],
    ["2026-05-05T10:00:00", "UTC", /five fields/],
  ] as const) {
    const read = readSchedule(expression, zone);
    assert.ok(!read.ok);
    assert.match(read.problem, words);
  }
});

test("after two days of sleep the catch-up says what runs, and each other instant says why it does not", () => {
  const next = scheduleOf("0 9 * * *", "UTC");
  const times = { last: at("2026-05-01T09:00Z"), now: at("2026-05-04T10:00Z"), next, isBusy: false };
  const planned = (catchUp: "skip" | "once" | "all", grace: number, overlap: "skip" | "wait" = "wait") =>
    planRuns({ catchUp, grace, overlap }, times).runs.map(
      ({ scheduled, count, missed }) => `${new Date(scheduled).getUTCDate()} x${count} ${missed ?? "runs"}`,
    );
  assert.deepEqual(planned("skip", 5 * minute), [`2 x3 ${late}`]);
  assert.deepEqual(planned("once", 7 * day), [`2 x2 ${superseded}`, "4 x1 runs"]);
  assert.deepEqual(planned("all", 7 * day), ["2 x1 runs", "3 x1 runs", "4 x1 runs"]);
  assert.deepEqual(planned("all", 30 * 60 * minute), [`2 x1 ${late}`, "3 x1 runs", "4 x1 runs"]);
});

test("an instant that comes while a run goes on waits, or is missed", () => {
  const next = scheduleOf("* * * * *", "UTC");
  const times = { last: 0, now: minute, next, isBusy: true };
  const rules = { catchUp: "once", grace: day } as const;
  assert.match(
    planRuns({ ...rules, overlap: "skip" }, times).runs[0]?.missed ?? "",
    /still waited or went on/,
  );
  assert.equal(planRuns({ ...rules, overlap: "wait" }, times).runs[0]?.missed, null);
});

test("a clock that goes back plans nothing until it has caught up", () => {
  const next = scheduleOf("*/5 * * * *", "UTC");
  const rules = { catchUp: "all", grace: day, overlap: "wait" } as const;
  const forth = planRuns(rules, { last: 0, now: 10 * minute, next, isBusy: false });
  const back = planRuns(rules, { last: forth.last, now: 10 * minute - day, next, isBusy: false });
  assert.deepEqual([back.runs, back.last, back.next], [[], 10 * minute, 15 * minute]);
});

test("whatever the times, each instant belongs to exactly one run", () => {
  const next = scheduleOf("*/7 * * * *", "Europe/London");
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -day, max: day }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom("skip" as const, "once" as const, "all" as const),
      fc.integer({ min: 0, max: 2 * day }),
      fc.boolean(),
      (jumps, catchUp, grace, isBusy) => {
        const begin = at("2026-03-28T12:00Z");
        const counted: number[] = [];
        let [last, now, latest] = [begin, begin, begin];
        for (const jump of jumps) {
          now += jump;
          latest = Math.max(latest, now);
          const plan = planRuns({ catchUp, grace, overlap: "skip" }, { last, now, next, isBusy });
          for (const { scheduled, until, count } of plan.runs) {
            const own: number[] = [];
            for (let one: number | null = scheduled; one !== null && one <= until; one = next(one))
              own.push(one);
            assert.equal(own.length, count);
            counted.push(...own);
          }
          last = plan.last;
        }
        const all: number[] = [];
        for (let one = next(begin); one !== null && one <= latest; one = next(one)) all.push(one);
        assert.deepEqual(counted, all.slice(0, counted.length));
        assert.ok(all.length === counted.length || now < latest || counted.length > 0);
      },
    ),
    { numRuns: 60 },
  );
});
