import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../signal/json.ts";
import { readAskedInput } from "./asked-input.ts";

const asking = (message: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  q: {
    method: "elicitation/create",
    params: { message, requestedSchema: { type: "object", properties }, ...more },
  },
});

test("a form becomes questions with visible words", () => {
  const read = readAskedInput(
    asking("Which\u001b[2J one?", { city: { type: "string", title: "City", enum: ["Bonn", "Ulm"] } }),
  );
  assert.deepEqual(read, {
    ok: true,
    questions: [
      {
        key: "q",
        message: "Which one?",
        fields: [
          { name: "city", type: "string", description: "City", required: false, options: ["Bonn", "Ulm"] },
        ],
      },
    ],
  });
});

test("a secret is never asked for, however it is spelled and wherever the word stands", () => {
  for (const [message, properties] of [
    ["Your password?", { a: {} }],
    ["P a s s w o r d, please", { a: {} }],
    ["Your pаsswоrd", { a: {} }],
    ["Your PASS\u200bWORD", { a: {} }],
    ["Your ｐａｓｓｗｏｒｄ", { a: {} }],
    ["Your pa55w0rd", { a: {} }],
    ["Continue", { apiKey: {} }],
    ["Continue", { api_key: {} }],
    ["Continue", { value: { description: "the access token of your account" } }],
    ["Continue", { value: { title: "Passphrase" } }],
    ["Continue", { value: { type: "string", format: "password" } }],
    ["Continue", { clientSecret: {} }],
    ["Enter the one-time code that we sent", { code: {} }],
    ["Enter your PIN", { code: {} }],
    ["Bitte Kennwort eingeben", { a: {} }],
    ["Your credit card number", { n: {} }],
    ["Seed phrase of your wallet", { words: {} }],
    ["Continue", { field: { enum: ["your password"] } }],
  ] as const)
    assert.equal(
      readAskedInput(asking(message, properties)).ok,
      false,
      `${message} ${JSON.stringify(properties)}`,
    );
});

test("honest questions are asked", () => {
  for (const [message, properties] of [
    ["Which city?", { city: {} }],
    ["Delete all 12 files?", { confirm: { type: "boolean" } }],
    ["Choose a seat for your passenger", { seat: {} }],
    ["Which branch, and which commit?", { branch: {}, commit: {} }],
    ["Your e-mail address for the invitation", { email: { format: "email" } }],
    ["How many pins on the map?", { count: {} }],
  ] as const)
    assert.equal(readAskedInput(asking(message, properties)).ok, true, message);
});

test("nothing but forms is answered: no address, no model, no folders, no flood of questions", () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`q${at}`, asking("x", { a: {} })["q"] ?? null]),
  );
  for (const requests of [
    {},
    many,
    asking("Go there", { a: {} }, { mode: "url", url: "https://example.org" }),
    { q: { method: "sampling/createMessage", params: { messages: [] } } },
    { q: { method: "roots/list" } },
    { q: "nothing" },
    { q: { method: "elicitation/create", params: { message: "x" } } },
  ])
    assert.equal(readAskedInput(requests).ok, false, JSON.stringify(requests));
});
