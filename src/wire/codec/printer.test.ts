import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type PrintableForm, printForm } from "./printer.ts";
import { readForm } from "./reader.ts";

const printable: fc.Arbitrary<PrintableForm> = fc.letrec<{ form: PrintableForm }>((tie) => ({
  form: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.record({ kind: fc.constant("keyword" as const), name: fc.string({ unit: "binary" }) }),
    fc.record({ kind: fc.constant("string" as const), value: fc.string({ unit: "binary" }) }),
    fc.record({
      kind: fc.constant("integer" as const),
      value: fc.maxSafeInteger().map((n) => (n === 0 ? 0 : n)),
    }),
    fc.constant({ kind: "symbol" as const, name: "T" as const, package: null }),
    fc.record({ kind: fc.constant("list" as const), items: fc.array(tie("form"), { maxLength: 6 }) }),
  ),
})).form;

test("reading a printed form gives the form", () => {
  fc.assert(
    fc.property(printable, (form) =>
      assert.deepEqual(readForm(printForm(form)), { ok: true, form: structuredClone(form) }),
    ),
    { numRuns: 500 },
  );
});

test("a message is printed as Common Lisp prints it", () => {
  const form = readForm(
    '(:type :event :meta nil :payload (:text "say \\"hi\\" \\\\" :|maxResults| -3 :ok t))',
  );
  assert.ok(form.ok);
  assert.equal(
    printForm(form.form as PrintableForm),
    '(:TYPE :EVENT :META NIL :PAYLOAD (:TEXT "say \\"hi\\" \\\\" :|maxResults| -3 :OK T))',
  );
});

test("integers of 62 bits are printed and larger ones are a fault", () => {
  assert.equal(printForm({ kind: "integer", value: 2n ** 61n - 1n }), "2305843009213693951");
  assert.equal(printForm({ kind: "integer", value: -(2n ** 61n) }), "-2305843009213693952");
  assert.throws(() => printForm({ kind: "integer", value: 2n ** 61n }), /62 bits/);
  assert.throws(() => printForm({ kind: "integer", value: 1.5 }), RangeError);
});

test("names that Lisp would read differently are in bars", () => {
  assert.equal(printForm({ kind: "keyword", name: "MAX-RESULTS" }), ":MAX-RESULTS");
  assert.equal(printForm({ kind: "keyword", name: "a|b\\c" }), ":|a\\|b\\\\c|");
  assert.equal(printForm({ kind: "keyword", name: "" }), ":||");
});
