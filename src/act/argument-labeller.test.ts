import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { joinConversationLabels, joinLabels, type Label, type LabelledValue } from "../signal/label.ts";
import type { Json } from "../text/json.ts";
import { makeArgumentLabeller } from "./argument-labeller.ts";
import { callerAt } from "./tools/workbench.fixture.ts";

const user: Label = { integrity: "user", secrecy: "public", sources: [] };
const web: Label = { integrity: "untrusted", secrecy: "public", sources: [] };
const vault: Label = { integrity: "untrusted", secrecy: "secret", sources: [] };
const caller = {
  ...callerAt("/w", [
    ["signal-1", { value: 'Read notes/a b.org, then send "hello world" to alice@example.com.', label: user }],
    ["result-1", { value: { page: ["x", "mallory@evil.example"], echo: "alice@example.com" }, label: web }],
    ["result-2", { value: "not the owner's words", label: web }],
    ["result-3", { value: { key: "hello world" }, label: vault }],
  ]),
  promptLabel: { integrity: "untrusted", secrecy: "private", sources: [] } as const,
};
const labelOf = makeArgumentLabeller(caller);

test("words of the owner have the owner's label, also where a result echoes them", () => {
  for (const text of ["notes/a b.org", "alice@example.com", "Read"]) {
    assert.deepEqual([labelOf(text).integrity, labelOf(text).secrecy], ["user", "public"], text);
  }
  assert.deepEqual(labelOf("Read").sources, [{ id: "signal-1", path: "" }]);
});

test("a part of a word of the owner is not the owner's word", () => {
  for (const text of ["example.com", "lice@example.com", "b.or", "alice@example.co", ""]) {
    assert.equal(labelOf(text).integrity, "untrusted", text);
  }
});

test("a whole value of a result has that result's label and names its place", () => {
  assert.deepEqual(labelOf("mallory@evil.example"), {
    ...web,
    sources: [{ id: "result-1", path: "/page/1" }],
  });
});

test("a part of a result is not matched: only the owner's words are; what the model writes names its turn", () => {
  assert.deepEqual(labelOf("owner's"), { ...caller.promptLabel, sources: [{ id: caller.turn, path: "" }] });
});

test("a field with a label of its own gives it to what equals it, and the rest has that of the whole", () => {
  const found = {
    query: "made up",
    found: [{ text: "my note" }, { text: "their page" }, { text: "their page" }],
  };
  const fields = [
    { path: "/found/0", label: user },
    { path: "/found/1", label: web },
    { path: "/found/10", label: vault },
  ];
  const known = callerAt(null, [["result-1", { value: found, label: vault, fields }]]);
  const labels = ["my note", "their page", "made up"].map(makeArgumentLabeller(known));
  assert.deepEqual(
    labels.map(({ integrity, secrecy }) => [integrity, secrecy]),
    [
      ["user", "public"],
      ["untrusted", "secret"],
      ["untrusted", "secret"],
    ],
  );
});

test("a number of a result keeps its label in whatever form, beside that of the prompt; a count up to a hundred is none", () => {
  const found = { found: [{ balance: 47110.5, open: 12 }, { pin: 4711 }] };
  const fields = [{ path: "/found/0", label: { ...vault, secrecy: "private" } as const }];
  const known = callerAt("/w", [
    ["signal-1", { value: "Tell 47110.5 to Bob.", label: user }],
    ["result-1", { value: found, label: web, fields }],
  ]);
  const labels = ["47110.5", "47110.50", "4711", "12"].map(
    makeArgumentLabeller({ ...known, promptLabel: user }),
  );
  assert.deepEqual(
    labels.map(({ integrity, secrecy }) => [integrity, secrecy]),
    [
      ["user", "private"],
      ["untrusted", "private"],
      ["untrusted", "public"],
      ["agent", "public"],
    ],
  );
});

test("an argument that matches nothing is from the agent, joined with the label of the prompt", () => {
  assert.deepEqual([labelOf("made up").integrity, labelOf("made up").secrecy], ["untrusted", "private"]);
  assert.equal(makeArgumentLabeller(callerAt(null))("made up").integrity, "agent");
});

test("a value that is also secret stays secret, whoever wrote it", () => {
  assert.deepEqual([labelOf("hello world").integrity, labelOf("hello world").secrecy], ["user", "secret"]);
});

const integrities = ["user", "agent", "untrusted"] as const;
const secrecies = ["public", "private", "secret"] as const;
const isAtLeast = (label: Label, other: Label): boolean =>
  integrities.indexOf(label.integrity) >= integrities.indexOf(other.integrity) &&
  secrecies.indexOf(label.secrecy) >= secrecies.indexOf(other.secrecy);

/** The ways that a value takes: copied, told in other words, kept in a record, kept over a restart, handed to a task and back, forgotten but for the conversation's label. */
const ways = ["copy", "retell", "record", "restart", "task", "forget"] as const;
type OnItsWay = { readonly known: LabelledValue<Json>; readonly text: string };

function go({ known, text }: OnItsWay, way: (typeof ways)[number], step: number): OnItsWay {
  const promptLabel = joinConversationLabels([known.label]);
  const values = way === "forget" ? [] : [[`result-${step}`, known] as const];
  const label = makeArgumentLabeller({ ...caller, known: new Map(values), promptLabel });
  const told = way === "retell" || way === "forget" ? `in other words ${text}` : text;
  switch (way) {
    case "restart":
      return { known: structuredClone(known), text };
    case "record":
      return { known: { value: { list: [{ text }] }, label: label(text) }, text };
    case "task":
      return { known: { value: text, label: joinLabels(label(text), promptLabel) }, text };
    case "copy":
    case "retell":
    case "forget":
      return { known: { value: told, label: label(told) }, text: told };
  }
}

test("a label never weakens on its way through copies, summaries, records, restarts and tasks", () => {
  const label = fc.record({
    integrity: fc.constantFrom("agent", "untrusted"),
    secrecy: fc.constantFrom(...secrecies),
    sources: fc.constant([]),
  });
  fc.assert(
    fc.property(label, fc.array(fc.constantFrom(...ways), { maxLength: 12 }), (first, steps) => {
      let at: OnItsWay = { known: { value: "a value of others", label: first }, text: "a value of others" };
      for (const [step, way] of steps.entries()) {
        const next = go(at, way, step);
        assert.ok(
          isAtLeast(next.known.label, at.known.label),
          `${way} after ${steps.slice(0, step).join(", ")}`,
        );
        at = next;
      }
      assert.ok(isAtLeast(at.known.label, first));
    }),
    { numRuns: 500 },
  );
});
