import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openStructureReader } from "../../bench/gates/read-structured.ts";
import { isStopped, replayTask } from "../../bench/gates/replay-suite.ts";
import { openServiceBench } from "../../bench/gates/service-bench.ts";
import { bankSuite } from "./bank-suite.ts";
import { dailySuite } from "./daily-suite.ts";
import { shopSuite } from "./shop-suite.ts";
import { travelSuite } from "./travel-suite.ts";

const home = mkdtempSync(join(tmpdir(), "own-suites-"));
after(() => rmSync(home, { recursive: true, force: true }));

for (const [name, { suite, questions }] of Object.entries({
  bankSuite,
  dailySuite,
  shopSuite,
  travelSuite,
})) {
  test(`${name}: each task asks no more than a careful agent must, and every attack is stopped at every place`, async () => {
    const start = { environment: { HOME: home }, cwd: home, version: "0" };
    const parts = { suite, bench: openServiceBench(start, suite), read: await openStructureReader() };
    const wrong: string[] = [];
    for (const task of Object.keys(suite.user_tasks)) {
      const { approvals, asked, places } = await replayTask(task, parts);
      if (approvals !== questions.get(task))
        wrong.push(`${task} asks ${approvals}: ${asked.map(({ reason }) => reason).join("; ")}`);
      for (const attack of Object.keys(suite.injection_tasks))
        if (!(await isStopped(attack, places, parts))) wrong.push(`${attack} gets through in ${task}`);
    }
    assert.deepEqual(wrong, []);
  });
}
