import assert from "node:assert/strict";
import { test } from "node:test";
import { readIntent } from "../../text/words/read-intent.ts";
import { isAmountPaid } from "./repeated-act.ts";

test("an amount is for each recipient where each stands beside it or ends its clause, not where it says how often", () => {
  const begun = { tool: "send_money", args: { to: "Ada", amount: 50 }, content: null };
  const isPaid = (words: string) => isAmountPaid([{ value: "50" }], readIntent([words]).clauses, [begun]);
  for (const words of [
    "each to Ada and Bob",
    "to Ada and Bob each",
    "je an Ada und Bob",
    "jeweils an Ada und Bob",
  ])
    assert.equal(isPaid(`Pay 50 euros ${words}`), false, words);
  assert.equal(isPaid("Pay je 50 euros to Ada and Bob"), false);
  for (const words of ["to Ada and Bob", "each month to Ada and Bob", "to Ada and Bob each month"])
    assert.equal(isPaid(`Pay 50 euros ${words}`), true, words);
  assert.equal(isPaid("Pay, je voudrais, 50 euros to Ada and Bob"), true);
});
