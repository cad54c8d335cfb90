import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import type { PriceOrigin } from "../../signal/spending.ts";
import { openDatabase } from "../storage/database.ts";
import { bookUnfinishedCalls, type CallCost, openLedger, type SpendingLimits } from "./ledger.ts";
import { noon, openSampleState, sampleRecord } from "./samples.fixture.ts";
import { prepareDatabase } from "./versions.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "ledger-"));
const free: SpendingLimits = { perDay: null, perSession: null, perTurn: null };
const call = (microdollars: number, limits: SpendingLimits = free, session = "s1", provider = "ollama") => ({
  turn: "t1",
  session,
  provider,
  model: "m",
  price: { from: "setting", day: null } as const,
  microdollars,
  limits,
});
const usage = (microdollars: number) => ({ inputTokens: 10, outputTokens: 5, microdollars });

test("what is reserved counts against the caps before it is settled", async () => {
  await using state = await openSampleState(folder());
  const limits = { perDay: 100, perSession: null, perTurn: null };
  assert.equal((await state.ledger.reserve(call(60, limits))).ok, true);
  assert.deepEqual(await state.ledger.reserve(call(60, limits)), {
    ok: false,
    cap: "day",
    remaining: 40,
    requested: 60,
  });
  assert.equal((await state.ledger.reserve(call(40, limits))).ok, true);
});

test("reservations at once never go over the cap together", async () => {
  await using state = await openSampleState(folder());
  const limits = { perDay: 50, perSession: null, perTurn: null };
  const tries = await Promise.all(Array.from({ length: 20 }, () => state.ledger.reserve(call(10, limits))));
  assert.equal(tries.filter(({ ok }) => ok).length, 5);
});

test("whatever workers, faults, retries and restarts do, no cap of day, session or turn is exceeded", async () => {
  const step = fc.record({
    session: fc.constantFrom("s1", "s2"),
    turn: fc.constantFrom("t1", "t2", "t3"),
    microdollars: fc.integer({ min: 0, max: 60 }),
    end: fc.constantFrom("settle", "cheaper", "release", "used", "crash"),
    together: fc.boolean(),
  });
  const limits = { perDay: 300, perSession: 180, perTurn: 90 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const place = folder();
      let state = await openSampleState(place);
      const booked: { readonly session: string; readonly turn: string; cost: number }[] = [];
      const running: Promise<void>[] = [];
      for (const { session, turn, microdollars, end, together } of steps) {
        const work = async (): Promise<void> => {
          const reserved = await state.ledger.reserve({ ...call(microdollars, limits, session), turn });
          if (!reserved.ok) return;
          const book = { session, turn, cost: microdollars };
          booked.push(book);
          const spend = { settle: microdollars, cheaper: microdollars >> 1, release: 0, used: microdollars };
          if (end === "crash") return;
          book.cost = spend[end];
          if (end === "settle" || end === "cheaper") await state.ledger.settle(reserved.id, usage(book.cost));
          else await state.ledger.release(reserved.id, end, usage(book.cost));
        };
        running.push(work());
        if (together) continue;
        await Promise.all(running.splice(0));
        if (end !== "crash") continue;
        await state[Symbol.asyncDispose]();
        state = await openSampleState(place);
      }
      await Promise.all(running);
      const totals = await state.ledger.totals({});
      await state[Symbol.asyncDispose]();
      const sum = (of: typeof booked): number => of.reduce((all, { cost }) => all + cost, 0);
      assert.equal(
        sum(booked),
        totals.reduce((all, { microdollars }) => all + microdollars, 0),
      );
      assert.ok(sum(booked) <= limits.perDay);
      for (const one of ["s1", "s2"]) {
        const own = booked.filter(({ session }) => session === one);
        assert.ok(sum(own) <= limits.perSession);
        for (const two of ["t1", "t2", "t3"])
          assert.ok(sum(own.filter(({ turn }) => turn === two)) <= limits.perTurn);
      }
    }),
    { seed: 12, numRuns: 40 },
  );
});

test("no cap is exceeded at any moment of 3,000 interleavings of workers that fail, retry, and are killed", async () => {
  const limits = { perDay: 300, perSession: 180, perTurn: 90, perPlan: { since: 0, microdollars: 150 } };
  const act = fc.record({
    worker: fc.nat(4),
    microdollars: fc.integer({ min: 0, max: 70 }),
    spends: fc.integer({ min: 0, max: 100 }),
    how: fc.constantFrom("settle", "fail", "fail-for-nothing", "kill"),
  });
  const database = openDatabase(":memory:", "write");
  after(() => database.close());
  prepareDatabase(database, ":memory:");
  const ledger = openLedger(database, () => noon);
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
      database.run("DELETE FROM ledger");
      const held = new Map<number, { readonly id: string; readonly most: number }>();
      const sum = (where: string): number =>
        Math.max(
          0,
          ...database
            .all(`SELECT sum(cost) AS cost FROM ledger GROUP BY ${where}`)
            .map((row) => Number(row["cost"])),
        );
      for (const { worker, microdollars, spends, how } of acts) {
        const open = held.get(worker);
        const session = `s${worker % 2}`;
        if (how === "kill") {
          held.clear();
          bookUnfinishedCalls(database);
        } else if (open === undefined) {
          const wanted = { ...call(microdollars, limits, session), turn: `t${worker % 3}` };
          const reserved = await ledger.reserve(wanted);
          if (reserved.ok) held.set(worker, { id: reserved.id, most: microdollars });
        } else {
          held.delete(worker);
          const cost = Math.floor((open.most * spends) / 100);
          if (how === "settle") await ledger.settle(open.id, usage(cost));
          else await ledger.release(open.id, how, usage(how === "fail" ? cost : 0));
        }
        assert.ok(sum("at") <= limits.perDay);
        assert.ok(sum("session") <= Math.min(limits.perSession, limits.perPlan.microdollars));
        assert.ok(sum("session, turn") <= limits.perTurn);
      }
    }),
    { seed: 12, numRuns: 3000 },
  );
});

test("settling books the real cost and frees the rest", async () => {
  await using state = await openSampleState(folder());
  const limits = { perDay: null, perSession: 100, perTurn: null };
  const reserved = await state.ledger.reserve(call(90, limits));
  assert.ok(reserved.ok);
  await state.ledger.settle(reserved.id, usage(20));
  assert.deepEqual(await state.ledger.reserve(call(81, limits)), {
    ok: false,
    cap: "session",
    remaining: 80,
    requested: 81,
  });
  assert.equal((await state.ledger.reserve(call(90, limits, "s2"))).ok, true);
});

test("a reservation ends once", async () => {
  await using state = await openSampleState(folder());
  const reserved = await state.ledger.reserve(call(10));
  assert.ok(reserved.ok);
  await state.ledger.settle(reserved.id, usage(10));
  await assert.rejects(state.ledger.settle(reserved.id, usage(1)), /no open reservation/);
  await assert.rejects(state.ledger.release(reserved.id, "timeout"), /no open reservation/);
});

test("a failed try is booked on the provider that did it, with what it took", async () => {
  await using state = await openSampleState(folder());
  const first = await state.ledger.reserve(call(10, free, "s1", "anthropic"));
  const second = await state.ledger.reserve(call(10, free, "s1", "anthropic"));
  const third = await state.ledger.reserve(call(10, free, "s1", "ollama"));
  assert.ok(first.ok && second.ok && third.ok);
  await state.ledger.release(first.id, "refused");
  await state.ledger.release(second.id, "cut off", usage(7));
  await state.ledger.settle(third.id, usage(3));
  const none = {
    model: "m",
    price: { from: "setting", day: null },
    unknown: 0,
    calls: 1,
    failed: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    thinkingTokens: 0,
  };
  assert.deepEqual(await state.ledger.totals({}), [
    { provider: "anthropic", ...usage(7), ...none, calls: 2, failed: 2 },
    { provider: "ollama", ...usage(3), ...none },
  ]);
  assert.deepEqual(await state.ledger.totals({ session: "s2" }), []);
  assert.deepEqual(await state.ledger.totals({ since: noon + 1 }), []);
});

test("totals have each model at prices of one origin, with its tokens of cache and thinking", async () => {
  await using state = await openSampleState(folder());
  const book = async (model: string, price: PriceOrigin, used: Partial<CallCost>): Promise<void> => {
    const reserved = await state.ledger.reserve({ ...call(100), model, price });
    assert.ok(reserved.ok);
    await state.ledger.settle(reserved.id, { ...usage(1), ...used });
  };
  const table = { from: "table", day: "2026-09-23" } as const;
  await book("a", table, { cacheReadTokens: 4, cacheWriteTokens: 3, thinkingTokens: 2 });
  await book("a", table, { cacheReadTokens: 1 });
  await book("a", { from: "table", day: "2027-01-01" }, {});
  await book("b", table, { statedMicrodollars: 1 });
  const rows = (await state.ledger.totals({})).map((row) => [
    row.model,
    row.price,
    row.calls,
    row.cacheReadTokens,
    row.cacheWriteTokens,
    row.thinkingTokens,
  ]);
  assert.deepEqual(rows, [
    ["a", table, 2, 5, 3, 2],
    ["a", { from: "table", day: "2027-01-01" }, 1, 0, 0, 0],
    ["b", { from: "stated", day: null }, 1, 0, 0, 0],
  ]);
});

test("the day's cap is free again on the next day, the session's is not", async () => {
  let now = noon;
  await using state = await openSampleState(folder(), { clock: () => now });
  assert.equal(
    (await state.ledger.reserve(call(100, { perDay: 100, perSession: null, perTurn: null }))).ok,
    true,
  );
  assert.equal(
    (await state.ledger.reserve(call(1, { perDay: 100, perSession: null, perTurn: null }))).ok,
    false,
  );
  now += 86_400_000;
  assert.equal(
    (await state.ledger.reserve(call(100, { perDay: 100, perSession: null, perTurn: null }))).ok,
    true,
  );
  assert.equal(
    (await state.ledger.reserve(call(1, { perDay: null, perSession: 200, perTurn: null }))).ok,
    false,
  );
});

test("a reservation that a power cut took from the database is brought back by the intent in the journal", async () => {
  const place = folder();
  await (await openSampleState(place))[Symbol.asyncDispose]();
  copyFileSync(join(place, "state.db"), join(place, "state.before"));
  {
    await using state = await openSampleState(place);
    const reserved = await state.ledger.reserve(call(30));
    assert.ok(reserved.ok);
    const detail = {
      event: "model-call",
      provider: "p",
      model: "m",
      microdollars: 30,
      reservation: reserved.id,
    };
    await state.journal.append(sampleRecord({ kind: "intent", turn: "t1", session: "s1", detail }), {
      forced: true,
    });
    await state.ledger.settle(reserved.id, usage(10));
  }
  for (const end of ["-wal", "-shm"]) rmSync(join(place, `state.db${end}`), { force: true });
  renameSync(join(place, "state.before"), join(place, "state.db"));
  for (let round = 0; round < 2; round += 1) {
    await using again = await openSampleState(place);
    const [total] = await again.ledger.totals({});
    assert.deepEqual([total?.provider, total?.unknown, total?.microdollars], ["p", 1, 30]);
  }
});

test("a reservation that a crash left open is booked as unknown at what was reserved", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await state.ledger.reserve(call(30));
  }
  await using again = await openSampleState(place);
  assert.match(again.reports.join(), /1 model call was interrupted when the process ended/);
  const [total] = await again.ledger.totals({});
  assert.equal(total?.unknown, 1);
  assert.equal(total?.microdollars, 30);
  await using reader = await openSampleState(place, { access: "read" });
  assert.deepEqual(reader.reports, []);
});

test("what is no amount is refused", async () => {
  await using state = await openSampleState(folder());
  await assert.rejects(state.ledger.reserve(call(Number.NaN)), /not an amount/);
  await assert.rejects(state.ledger.reserve(call(-1)), /not an amount/);
});
