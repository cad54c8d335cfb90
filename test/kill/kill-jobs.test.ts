import assert from "node:assert/strict";
import { test } from "node:test";
import { killJobs } from "./kill-jobs.ts";

test("over kill -9 at any moment each instant of a job has exactly one outcome, and what is done was done", async () => {
  assert.ok((await killJobs({ jobs: 60, kills: 4, seed: 1, season: "spring" })) > 60);
  assert.ok((await killJobs({ jobs: 60, kills: 4, seed: 2, season: "autumn" })) > 60);
});
