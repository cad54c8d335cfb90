import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { consensusRoute } from "../../signal/spending.ts";
import { openDatabase } from "../storage/database.ts";
import type { CallPurpose } from "./ledger.ts";
import { noon, openSampleState } from "./samples.fixture.ts";
import { readUsage } from "./spending.ts";
import type { State } from "./state.ts";

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
