import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { says } from "../../../test/door-world.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { makeRenderer, type PrivatePassages, type SecretFilter } from "./render.ts";

const secrets: SecretFilter = {
  scan: (text) => (text.includes("KEY") ? [{ rule: "key" }] : []),
  mask: (text) => text.replaceAll("KEY", "[masked: key]"),
};
const passages: PrivatePassages = {
  ready: async () => undefined,
  withhold: (text) => text.replaceAll("DIARY", "[withheld: private]"),
  withholdAcross: (texts) => texts.map((text) => text.replaceAll("DIARY", "[withheld: private]")),
  revision: () => 0,
};
const secret = { ...bottomLabel, secrecy: "secret" as const };

function answer(raw: Extract<Message, { role: "assistant" }>["raw"], label = bottomLabel): Message {
  const payload = { tool: "shell", args: { cmd: "echo KEY", more: ["KEY", { KEY: 1 }] } };
  const calls = [{ id: "c", action: { target: "tool", payload, explanation: "because of KEY" } }];
  return { role: "assistant", text: "KEY", calls, native: true, provider: "p", raw, label };
}

function result(content: string, label = bottomLabel): Message {
  const outcome = { status: "success" as const, content: { text: content } };
  return { role: "result", callId: "c", native: true, result: { id: "r", tool: "shell", outcome, label } };
}

test("a secret is masked everywhere in every message", () => {
  const messages: Message[] = [
    says("KEY"),
    answer({ text: "KEY" }),
    result("KEY"),
    { role: "rejection", text: "KEY", label: bottomLabel },
  ];
  const rendered = makeRenderer(secrets, passages)({ system: "KEY", messages }, true);
  assert.ok(!JSON.stringify(rendered).includes("KEY"));
  assert.deepEqual(rendered.findings, []);
});

test("a number that is a secret is masked as text, so that nothing is left to block on", () => {
  const digits: SecretFilter = {
    scan: (text) => (text.includes("12345678") ? [{ rule: "key" }] : []),
    mask: (text) => text.replaceAll("12345678", "[masked: key]"),
  };
  const content = { customer: 12345678, also: [12345678, 9, true, null] };
  const outcome = { status: "success" as const, content };
  const read = { id: "r", tool: "shell", outcome, label: bottomLabel };
  const message: Message = { role: "result", callId: "c", native: true, result: read };
  for (const isLocal of [true, false]) {
    const { messages, findings } = makeRenderer(digits, passages)(
      { system: "", messages: [message] },
      isLocal,
    );
    assert.deepEqual(findings, []);
    const shown = { customer: "[masked: key]", also: ["[masked: key]", 9, true, null] };
    assert.deepEqual(messages, [
      { ...message, result: { ...read, outcome: { status: "success", content: shown } } },
    ]);
  }
});

test("raw parts with a secret are not replayed, and all others are kept byte for byte", () => {
  const raw = { parts: ["as it was"] };
  const { messages } = makeRenderer(secrets, passages)(
    { system: "", messages: [answer(raw), answer(["KEY"])] },
    true,
  );
  assert.deepEqual(
    messages.map((message) => message.role === "assistant" && message.raw),
    [raw, null],
  );
});

test("private and secret text is withheld from a provider that is not local, in messages, arguments, results and raw parts", () => {
  const messages = [says("hidden", "private"), answer({ text: "hidden" }, secret), result("hidden", secret)];
  const far = makeRenderer(secrets, passages)({ system: "", messages }, false);
  assert.ok(
    !JSON.stringify(far.messages).includes("hidden") && !JSON.stringify(far.messages).includes("echo"),
  );
  assert.match(JSON.stringify(far.messages), /\[withheld: private\].*\[withheld: secret\]/);
  assert.equal(far.label.secrecy, "public");
  const near = makeRenderer(secrets, passages)({ system: "", messages }, true);
  assert.equal(near.label.secrecy, "secret");
  assert.ok(JSON.stringify(near.messages).includes("hidden"));
});

test("a withheld call keeps its tool, and its result still belongs to it, under an id of no model", () => {
  const [message, told, open, ownResult] = makeRenderer(secrets, passages)(
    {
      system: "",
      messages: [answer(null, secret), result("done"), answer(null), result("done")],
      tools: [{ name: "shell" }],
    },
    false,
  ).messages;
  assert.ok(message?.role === "assistant" && told?.role === "result");
  assert.equal(told.callId, message.calls[0]?.id);
  assert.ok(open?.role === "assistant" && ownResult?.role === "result");
  assert.deepEqual([open.calls[0]?.id, ownResult.callId], ["c", "c"], "a public call keeps its id");
  assert.deepEqual(
    message.calls.map(({ id, action }) => [id, action.payload]),
    [["call00001", { tool: "shell", args: { withheld: "[withheld: secret]" } }]],
  );
});

test("no text above public ever reaches a provider that is not local", () => {
  const secrecy = fc.constantFrom("public", "private", "secret" as const);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.uuid(), secrecy), { maxLength: 8 }), (pieces) => {
      const messages = pieces.map(([text, level]) => says(text, level));
      const seen = JSON.stringify(makeRenderer(secrets, passages)({ system: "", messages }, false));
      for (const [text, level] of pieces) {
        const elsewhere = pieces.some(([other, open]) => other === text && open === "public");
        assert.equal(seen.includes(text), level === "public" || elsewhere);
      }
    }),
  );
});

test("a private passage that withholding left over is a finding, which blocks the call", () => {
  const leaky: PrivatePassages = {
    ...passages,
    withhold: (text) => text.replace("DIARY", "[withheld: private]"),
  };
  const { findings } = makeRenderer(secrets, leaky)(
    { system: "DIARY DIARY", messages: [says("one DIARY, two DIARY"), says("one DIARY")] },
    false,
  );
  assert.deepEqual(findings, [
    { rule: "private-text", where: "system" },
    { rule: "private-text", where: "messages/0/text" },
  ]);
});

test("what a local model is told is private where a private passage stands in it", () => {
  const told = (messages: readonly Message[], textMayLeave: boolean): string =>
    makeRenderer(secrets, passages, textMayLeave)({ system: "", messages }, true).label.secrecy;
  for (const message of [says("a DIARY"), result("a DIARY"), answer({ text: "DIARY" })]) {
    assert.equal(told([says("hello"), message], true), "private");
    assert.equal(told([says("hello"), message], false), "public");
  }
  assert.equal(told([says("hello"), result("words")], true), "public");
});

test("words that the owner sends as they are free no words around them", () => {
  const asIs = "my DIARY with the KEY";
  const text = `A note with DIARY.\n\n${asIs}`;
  const words: Message = { role: "user", text, label: bottomLabel, asIs };
  const { messages, findings } = makeRenderer(secrets, passages)({ system: "", messages: [words] }, false);
  const [sent] = messages;
  const shown = "A note with [withheld: private].\n\nmy DIARY with the [masked: key]";
  assert.equal(sent?.role === "user" ? sent.text : "", shown);
  assert.deepEqual(findings, []);
});
