import assert from "node:assert/strict";
import { test } from "node:test";
import { describeCascadeFailure } from "./cascade.ts";

test("of a provider that was asked several times the last failure says what to do", () => {
  const tried = { provider: "one", attempt: 1 } as const;
  const { reason } = describeCascadeFailure([
    { ...tried, code: "resting", message: "rests for 60 s more" },
    { ...tried, code: "empty", message: "answered nothing" },
  ]);
  assert.equal(
    reason,
    "No provider could answer. one: answered nothing. Try again later, or add another provider to PROVIDER_CASCADE.",
  );
});
