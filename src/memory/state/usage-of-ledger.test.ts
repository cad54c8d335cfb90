import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { consensusRoute, type UsageRow, usageKeys } from "../../signal/spending.ts";
import { openDatabase } from "../storage/database.ts";
import { bookUnfinishedCalls, type CallPurpose, openLedger } from "./ledger.ts";
import { noon, openSampleState } from "./samples.fixture.ts";
import { readSpending, readUsage } from "./spending.ts";
import { startOfDay } from "./spending-day.ts";
import type { State } from "./state.ts";
import { prepareDatabase } from "./versions.ts";

const root = mkdtempSync(join(tmpdir(), "usage-test-"));
after(() => rmSync(root, { recursive: true, force: true }));
const day = 24 * 60 * 60_000;

async function spend(
  { ledger }: Pick<State, "ledger">,
  microdollars: number,
  purpose: Partial<CallPurpose> = {},
  provider = "groq",
): Promise<void> {
  const reserved = await ledger.reserve({
    turn: "t",
    session: "s",
    provider,
    model: "m",
    price: { from: "table", day: null },
    microdollars,
    limits: { perDay: null, perSession: null, perTurn: null },
    purpose: { job: null, skill: null, route: null, ...purpose },
  });
  assert.ok(reserved.ok);
  await ledger.settle(reserved.id, { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4, microdollars });
}

test("what calls took is counted by day, job, skill, model and rule, the dearest first", async () => {
  const time = { now: noon - 3 * day };
  await using state = await openSampleState(join(root, "by"), { clock: () => time.now });
  await spend(state, 10, { job: "standup", route: "job: groq" });
  time.now = noon;
  await spend(state, 7, { skill: "dice" });
  await spend(state, 20, { skill: "dice", job: "weekly" }, "claude");
  const by = async (key: "day" | "job" | "skill" | "model" | "rule", days = 30) =>
    (await readUsage(state.ledger, { by: key, days, now: noon })).rows.map(
      ({ key: one, microdollars, calls }) => [one, microdollars, calls],
    );
  assert.deepEqual(await by("job"), [
    ["weekly", 20, 1],
    ["standup", 10, 1],
    [null, 7, 1],
  ]);
  assert.deepEqual(await by("skill"), [
    ["dice", 27, 2],
    [null, 10, 1],
  ]);
  assert.deepEqual(await by("model"), [
    ["claude/m", 20, 1],
    ["groq/m", 17, 2],
  ]);
  assert.deepEqual(await by("rule"), [
    [null, 27, 2],
    ["job: groq", 10, 1],
  ]);
  assert.deepEqual(
    (await by("day")).map(([, ...rest]) => rest),
    [
      [10, 1],
      [27, 2],
    ],
  );
  assert.deepEqual(await by("model", 1), [
    ["claude/m", 20, 1],
    ["groq/m", 7, 1],
  ]);
});

const name = (...names: readonly string[]) => fc.constantFrom(null, ...names);
const anyCall = fc.record({
  // The hours cross midnights, and both changes of summer time where the machine has them.
  hours: fc.integer({ min: 0, max: 24 * 400 }),
  provider: fc.constantFrom("groq", "claude"),
  model: fc.constantFrom("m", "m/n", ""),
  purpose: fc.record({
    job: name("standup", ""),
    skill: name("dice"),
    route: name("job: groq", consensusRoute),
  }),
  reserved: fc.integer({ min: 0, max: 1000 }),
  spent: fc.integer({ min: 0, max: 1000 }),
  tokens: fc.integer({ min: 0, max: 500 }),
  end: fc.constantFrom("settle", "fail", "fail for nothing", "run", "crash"),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer Value> ? Value : never;
type Booked = readonly [at: number, cost: number, tokens: number, failed: number];
type Ledger = ReturnType<typeof openLedger>;

/** Makes a call and ends it; gives what has to be booked of it. */
async function book(
  ledger: Ledger,
  { provider, model, purpose, reserved, spent, tokens, end }: AnyCall,
  { now, crash }: { readonly now: number; readonly crash: () => void },
): Promise<Booked> {
  const made = await ledger.reserve({
    turn: "t",
    session: "s",
    provider,
    model,
    price: { from: "table", day: null },
    microdollars: reserved,
    limits: { perDay: null, perSession: null, perTurn: null },
    purpose,
  });
  assert.ok(made.ok);
  const usage = { inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens, microdollars: spent };
  if (end === "settle") await ledger.settle(made.id, usage);
  else if (end === "fail") await ledger.release(made.id, end, usage);
  else if (end === "fail for nothing") await ledger.release(made.id, end);
  else if (end === "crash") crash();
  const isBooked = end === "settle" || end === "fail";
  const cost = isBooked ? spent : end === "fail for nothing" ? 0 : reserved;
  return [now, cost, isBooked ? tokens : 0, end.startsWith("fail") ? 1 : 0];
}

async function checkUsage(ledger: Ledger, counted: readonly Booked[], days: number): Promise<void> {
  const sum = (place: 1 | 2 | 3) => counted.reduce((all, one) => all + one[place], 0);
  const expected = [counted.length, sum(1), sum(2), sum(2), sum(2), sum(3)];
  for (const by of usageKeys) {
    const { rows } = await readUsage(ledger, { by, days, now: noon });
    const total = (of: (row: UsageRow) => number) => rows.reduce((all, row) => all + of(row), 0);
    const sums = [
      total((row) => row.calls),
      total((row) => row.microdollars),
      total((row) => row.inputTokens),
      total((row) => row.outputTokens),
      total((row) => row.cacheReadTokens),
      total((row) => row.failed),
    ];
    assert.deepEqual(sums, expected, by);
    assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, by);
  }
}

const costOf = (all: readonly { readonly microdollars: number }[]): number =>
  all.reduce((sum, { microdollars }) => sum + microdollars, 0);

test("over any history the sums by day, job, skill, model and rule are the same, and those of all that was booked", async () => {
  const database = openDatabase(":memory:", "write");
  after(() => database.close());
  prepareDatabase(database, ":memory:");
  const time = { now: noon };
  const ledger = openLedger(database, () => time.now);
  const crash = (): void => void bookUnfinishedCalls(database);
  const days = fc.integer({ min: 1, max: 400 });
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { maxLength: 40 }), days, async (calls, lastDays) => {
      database.run("DELETE FROM ledger");
      const booked: Booked[] = [];
      for (const call of calls) {
        time.now = noon - call.hours * 3_600_000;
        booked.push(await book(ledger, call, { now: time.now, crash }));
      }
      const first = new Date(startOfDay(noon));
      first.setDate(first.getDate() - (lastDays - 1));
      const counted = booked.filter(([at]) => at >= first.getTime());
      await checkUsage(ledger, counted, lastDays);
      const totals = await ledger.totals({ since: first.getTime() });
      assert.equal(costOf(totals), costOf(counted.map(([, microdollars]) => ({ microdollars }))));
      const budgets = { budgetPerDay: 1, budgetPerSession: 1 };
      const { today } = await readSpending(ledger, { session: "s", budgets, now: noon });
      const { rows } = await readUsage(ledger, { by: "model", days: 1, now: noon });
      assert.equal(today.microdollars, costOf(rows));
    }),
    { seed: 14, numRuns: 300 },
  );
});

test("an answer that was only compared is not the last one of its session", async () => {
  await using state = await openSampleState(join(root, "latest"));
  await spend(state, 1, {}, "groq");
  await spend(state, 1, { route: consensusRoute }, "claude");
  assert.equal((await state.ledger.latest("s"))?.provider, "groq");
});

test("a ledger of version 14 is migrated, and its calls have neither job nor skill nor rule", async () => {
  const folder = join(root, "old");
  {
    await using state = await openSampleState(folder);
    await spend(state, 10, { job: "standup" });
  }
  const old = openDatabase(join(folder, "state.db"), "write");
  for (const column of ["job", "skill", "route"]) old.script(`ALTER TABLE ledger DROP COLUMN ${column}`);
  old.script("PRAGMA user_version = 14");
  old.close();
  await using state = await openSampleState(folder);
  assert.match(state.reports.join(), /was migrated from version 14 to /);
  await spend(state, 5, { job: "standup" });
  const { rows } = await readUsage(state.ledger, { by: "job", days: 30, now: noon });
  assert.deepEqual(
    rows.map(({ key, microdollars }) => [key, microdollars]),
    [
      [null, 10],
      ["standup", 5],
    ],
  );
});
