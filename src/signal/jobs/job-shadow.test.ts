import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel, type Label } from "../label.ts";
import { afterRun, type DidTheSame, isInShadow, isProved, type Shadow, whyNotCounted } from "./job-shadow.ts";

const settings = { after: 3, trials: 2 };
const makes = (path: string, answer: string | null = "Done."): DidTheSame => ({
  acts: [{ tool: "write-file", args: { path, content: "x" } }],
  answer,
  label: labelOf("user", "the owner"),
});
const labelOf = (integrity: Label["integrity"], id: string): Label => ({
  ...bottomLabel,
  integrity,
  sources: [{ id, path: "" }],
});

/** Runs one after the other: what each did, and what the rule beside it was refused for. */
function follow(
  runs: readonly (DidTheSame | null)[],
  refused: readonly number[] = [],
  unknown: readonly number[] = [],
): Shadow | null {
  let shadow: Shadow | null = null;
  for (const [scheduled, did] of runs.entries()) {
    const decision = refused.includes(scheduled)
      ? "refuse"
      : unknown.includes(scheduled)
        ? "unknown"
        : "pass";
    if (shadow !== null && isInShadow(shadow, settings))
      shadow = { ...shadow, trial: { scheduled, ahead: { decision, reason: "it asks" } } };
    shadow = afterRun(shadow, { scheduled, digest: "entry", did }, settings);
  }
  return shadow;
}

const proved = (runs: readonly (DidTheSame | null)[], refused?: readonly number[]): boolean => {
  const shadow = follow(runs, refused);
  return shadow !== null && isProved(shadow, settings);
};

test("the same in n runs, and in m more beside the rule, is proved; one other outcome, failure or refusal begins anew", () => {
  const a = makes("a");
  assert.equal(proved([a, a, a, a]), false);
  assert.equal(proved([a, a, a, a, a]), true);
  assert.equal(proved([a, a, makes("b"), a, a]), false);
  assert.equal(proved([a, a, a, a, makes("b")]), false);
  assert.equal(proved([a, a, a, a, makes("a", "Other words.")]), false);
  assert.equal(proved([a, a, a, a, null, a]), false);
  assert.equal(proved([a, a, a, a, a], [3]), false);
  assert.deepEqual(follow([a, a, a, a], [3])?.same, 1);
  assert.equal(proved([a, a, makes("b"), a, a, a, a, a]), true);
  const unread = makes("a", null);
  assert.equal(proved([unread, unread, unread, unread, unread]), true);
});

test("a run that is told twice counts once, another entry begins anew, and a run without the rule beside it counts for nothing", () => {
  const a = makes("a");
  const shadow = follow([a, a, a, a]);
  assert.ok(shadow !== null);
  const again = { scheduled: 3, digest: "entry", did: a };
  assert.equal(afterRun(shadow, again, settings), shadow);
  assert.equal(afterRun(shadow, { ...again, scheduled: 4 }, settings)?.agreed, shadow.agreed);
  assert.equal(afterRun(shadow, { ...again, scheduled: 4, digest: "changed" }, settings)?.same, 1);
});

test("a run beside which the rule could not be judged counts neither for nor against it, and says so; what it did still counts", () => {
  const a = makes("a");
  const missed = follow([a, a, a, a], [], [3]);
  assert.deepEqual([missed?.same, missed?.agreed, missed?.last], [3, 0, 3]);
  assert.match(whyNotCounted(missed, 3) ?? "", /counts neither for nor against .*: it asks/);
  assert.equal(whyNotCounted(missed, 4), null);
  const after = follow([a, a, a, a, a, a], [], [3]);
  assert.deepEqual([after?.agreed, whyNotCounted(after, 5)], [2, null]);
  assert.equal(follow([a, a, a, a, a], [], [3, 4])?.agreed, 0);
  assert.equal(follow([a, a, a, makes("b")], [], [3])?.same, 1);
  assert.equal(follow([a, a, a, null], [], [3]), null);
});

test("the calls keep the labels of all runs that they were made in, those of the latest first", () => {
  const a = makes("a");
  const steered = { ...a, label: labelOf("untrusted", "https://example.org/") };
  const shadow = follow([steered, a, a, a, a]);
  assert.equal(shadow?.label.integrity, "untrusted");
  assert.deepEqual(
    shadow?.label.sources.map(({ id }) => id),
    ["the owner", "https://example.org/"],
  );
});
