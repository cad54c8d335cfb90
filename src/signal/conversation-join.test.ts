import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeConversationJoin } from "./conversation-join.ts";
import { joinConversationLabels, type Label } from "./label.ts";

const labels: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom("user", "user", "user", "agent", "untrusted"),
  secrecy: fc.constantFrom("public", "public", "public", "private", "secret"),
  sources: fc.array(fc.record({ id: fc.nat(60).map((id) => `r${id}`), path: fc.constantFrom("", "/x") }), {
    maxLength: 12,
  }),
});

/** What becomes of a conversation between two joins: words are added, taken back, replaced by a summary, or all cleared; or the state is opened anew. */
const changes = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("say" as const), said: fc.array(labels, { maxLength: 6 }) }),
  },
  fc.record({ kind: fc.constant("rewind" as const), by: fc.nat(8) }),
  fc.record({ kind: fc.constant("forget-oldest" as const), by: fc.nat(8) }),
  fc.record({ kind: fc.constant("replace" as const), at: fc.nat(30), label: labels }),
  fc.record({ kind: fc.constant("clear" as const) }),
  fc.record({ kind: fc.constant("read-again" as const) }),
);

function change(
  conversation: readonly Label[],
  what: typeof changes extends fc.Arbitrary<infer T> ? T : never,
) {
  switch (what.kind) {
    case "say":
      return [...conversation, ...what.said];
    case "rewind":
      return conversation.slice(0, Math.max(0, conversation.length - what.by));
    case "forget-oldest":
      return conversation.slice(what.by);
    case "replace":
      return conversation.map((label, index) => (index === what.at ? what.label : label));
    case "clear":
      return [];
    case "read-again":
      return structuredClone(conversation);
  }
}

test("labels joined step by step are those joined at once, whatever becomes of the conversations in between", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), changes), { maxLength: 40 }), labels, (steps, note) => {
      const join = makeConversationJoin();
      const sessions: (readonly Label[])[] = [[], [], []];
      for (const [session, what] of steps) {
        const conversation = change(sessions[session] ?? [], what);
        sessions[session] = conversation;
        assert.deepEqual(join(conversation), joinConversationLabels(conversation));
        const noted = [note, ...conversation];
        assert.deepEqual(join(noted), joinConversationLabels(noted));
      }
    }),
    { numRuns: 300 },
  );
});

test("a join given before is not changed by a later one", () => {
  const join = makeConversationJoin();
  const said = (id: string): Label => ({ integrity: "user", secrecy: "public", sources: [{ id, path: "" }] });
  const [first, second] = [said("a"), said("b")];
  const before = join([first, second]);
  const kept = structuredClone(before);
  join([first]);
  join([first, said("c")]);
  assert.deepEqual(before, kept);
});
