import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bottomLabel, isNoMoreSecretThan, joinConversationLabels, joinLabels, type Label } from "./label.ts";

const labels: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom("user", "agent", "untrusted"),
  secrecy: fc.constantFrom("public", "private", "secret"),
  sources: fc.uniqueArray(
    fc.record({ id: fc.constantFrom("a", "b", "c"), path: fc.constantFrom("", "/x") }),
    {
      selector: ({ id, path }) => `${id} ${path}`,
    },
  ),
});
const sorted = (label: Label): object => ({
  ...label,
  sources: label.sources.map(({ id, path }) => `${id} ${path}`).sort(),
});

test("the join of labels is commutative, associative and idempotent, with the label of the owner's public words as its neutral element", () => {
  fc.assert(
    fc.property(labels, labels, labels, (a, b, c) => {
      assert.deepEqual(sorted(joinLabels(a, b)), sorted(joinLabels(b, a)));
      assert.deepEqual(sorted(joinLabels(joinLabels(a, b), c)), sorted(joinLabels(a, joinLabels(b, c))));
      assert.deepEqual(sorted(joinLabels(a, a)), sorted(a));
      assert.deepEqual(sorted(joinLabels(a, bottomLabel)), sorted(a));
    }),
  );
});

test("a derived value is never less secret, nor more trusted, than any of its inputs", () => {
  fc.assert(
    fc.property(labels, labels, (a, b) => {
      for (const secrecy of ["public", "private", "secret"] as const) {
        if (isNoMoreSecretThan(joinLabels(a, b), secrecy))
          assert.ok(isNoMoreSecretThan(a, secrecy) && isNoMoreSecretThan(b, secrecy));
      }
      if (joinLabels(a, b).integrity === "user")
        assert.deepEqual([a.integrity, b.integrity], ["user", "user"]);
      if (a.integrity === "untrusted") assert.equal(joinLabels(a, b).integrity, "untrusted");
    }),
  );
});

test("the label of a long conversation is as low as its lowest part, and names its latest sources only", () => {
  const parts = Array.from({ length: 1000 }, (_, index): Label => {
    const integrity = index === 0 ? "untrusted" : "user";
    const secrecy = index === 1 ? "private" : "public";
    return { integrity, secrecy, sources: [{ id: `r${index}`, path: "" }] };
  });
  const { integrity, secrecy, sources } = joinConversationLabels(parts);
  assert.deepEqual([integrity, secrecy], ["untrusted", "private"]);
  assert.equal(sources.at(-1)?.id, "r999");
  assert.ok(sources.length <= 32, `${sources.length} sources`);
});
