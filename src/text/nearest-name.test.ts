import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "./nearest-name.ts";

test("the nearest name has at most two letters wrong, and case does not count", () => {
  const known = ["BUDGET_PER_DAY", "BUDGET_PER_SESSION", "agenda", "ask"];
  assert.equal(nearestName("BUDGET_PER_DAYS", known), "BUDGET_PER_DAY");
  assert.equal(nearestName("budgte_per_day", known), "BUDGET_PER_DAY");
  assert.equal(nearestName("aegnda", known), "agenda");
  assert.equal(nearestName("Ask", known), "ask");
  assert.equal(nearestName("add", known), null);
  assert.equal(nearestName("BUDGET", known), null, "two names begin with it");
  assert.equal(nearestName("age", known), "agenda");
  assert.equal(nearestName("ag", known), null);
  assert.equal(nearestName("", known), null);
});
