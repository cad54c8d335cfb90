import assert from "node:assert/strict";
import { test } from "node:test";
import { afterRun, type DidTheSame, isInShadow, isProved, type Shadow } from "./job-shadow.ts";
import { bottomLabel, type Label } from "./label.ts";

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
function follow(runs: readonly (DidTheSame | null)[], refused: readonly number[] = []): Shadow | null {
  let shadow: Shadow | null = null;
  for (const [scheduled, did] of runs.entries()) {
    if (shadow !== null && isInShadow(shadow, settings))
      shadow = { ...shadow, trial: { scheduled, refused: refused.includes(scheduled) ? "it asks" : null } };
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
