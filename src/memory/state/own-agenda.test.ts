import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Job } from "../../signal/jobs/job.ts";
import { ownAgenda, printOwnItems } from "./own-agenda.ts";
import { noon, openSampleState, sampleApproval, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "own-agenda-"));
after(() => rmSync(root, { recursive: true, force: true }));

const job: Job = {
  name: "report",
  trigger: { kind: "cron", expression: "0 9 * * *", zone: null },
  work: { kind: "built-in", does: "reports" },
  catchUp: "once",
  grace: 0,
  overlap: "skip",
  attempts: 1,
  limit: 1000,
};

test("what waits for the owner stands in the agenda with what to type next, and is gone once it is answered", async () => {
  const world = { now: noon };
  await using state = await openSampleState(root, { clock: () => world.now });
  const items = () => ownAgenda({ state, budgetPerDay: 5, now: world.now });
  assert.deepEqual(await items(), []);
  const { id: session } = await state.sessions.open({ name: "my garden", workspace: null, source: "cli" });
  const { turn } = await state.accept(sampleSignal({ session }), 10);
  await state.commit({ turn: { ...turn, state: "thinking" }, durability: "forced" });
  await state.commit({ turn: { ...turn, state: "judging" }, durability: "forced" });
  const approval = sampleApproval(turn.id, "h".repeat(64), { session });
  await state.commit({ turn: { ...turn, state: "suspended" }, durability: "forced", approval });
  await state.jobs.keep(job);
  const run = async (how: "done" | "failed"): Promise<void> => {
    world.now += 1000;
    await state.jobs.runs.enqueue("report");
    for (const begun of await state.jobs.runs.begin("needs-none", 1))
      await state.jobs.runs.end(begun, how, "No diary.");
  };
  await run("failed");
  const limits = { perDay: null, perSession: null, perTurn: null };
  const price = { from: "local", day: null } as const;
  const call = { turn: turn.id, session, provider: "loop", model: "m", price, limits };
  const reserved = await state.ledger.reserve({ ...call, microdollars: 4_200_000 });
  assert.ok(reserved.ok);
  await state.ledger.settle(reserved.id, { inputTokens: 1, outputTokens: 1, microdollars: 4_200_000 });
  const shown = await items();
  assert.deepEqual(
    shown.map(({ kind, text, next }) => [kind, text, next]),
    [
      [
        "question",
        "A question waits in the session my garden: shell",
        "passepartout cli --session 'my garden'",
      ],
      [
        "failed",
        "The job report failed",
        "passepartout jobs run report, or passepartout jobs dismiss report",
      ],
      [
        "budget",
        "84 % of today's budget is used: $4.20 of $5.00",
        "passepartout budget, or /budget more DOLLARS in a conversation",
      ],
    ],
  );
  assert.match(printOwnItems(shown, "owner"), /The job report failed: No diary\.\n {4}next: /);
  assert.doesNotMatch(printOwnItems(shown, "model"), /diary/);
  await run("done");
  await state.approvals.close(approval.tokenHash, "denied");
  world.now += 86_400_000;
  assert.deepEqual(await items(), []);
});
