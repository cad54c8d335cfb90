import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makeDoorWorld,
  makeHooks,
  makeTime,
  providerAt,
  requestOf,
  says,
  second,
} from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";

const never = new AbortController().signal;

test("private text reaches local providers only", async () => {
  const answers = [{ failure: { code: "refused" as const } }];
  const far = makeScriptedProvider({ name: "far", local: false, answers }, makeTime().wait);
  const near = second();
  const { parts, journal } = makeDoorWorld([far, near]);
  const request = requestOf(says("my diary", "private"), says("what day is it"));
  await openModelDoor(parts).callModel(request, makeHooks().hooks, never);
  assert.deepEqual(
    far.requests[0]?.messages.map((message) => (message.role === "user" ? message.text : "")),
    ["[withheld: private]", "what day is it"],
  );
  assert.match(JSON.stringify(near.requests[0]), /my diary/);
  const labels = journal
    .filter(({ kind }) => kind === "intent")
    .map(({ effects }) => effects[0]?.label.secrecy);
  assert.deepEqual(labels, ["public", "private"]);
});

test("a secret is masked before a request is sent, for a local provider too", async () => {
  await using server = await startLoopbackProvider([{ text: "ok" }]);
  const { parts, journal } = makeDoorWorld([providerAt(server.url)]);
  const request = { ...requestOf(says("it is PASSWORD-abc")), system: "You know PASSWORD-def." };
  await openModelDoor(parts).callModel(request, makeHooks().hooks, never);
  assert.ok(!server.requests[0]?.body.includes("PASSWORD"));
  assert.ok(server.requests[0]?.body.includes("[masked: password]"));
  assert.ok(!JSON.stringify(journal).includes("PASSWORD"));
});

test("a secret that masking missed is a finding for the judge", async () => {
  const provider = second();
  const { parts, journal } = makeDoorWorld([provider]);
  const secrets = { ...parts.secrets, mask: (text: string) => text };
  const outcome = await openModelDoor({ ...parts, secrets }).callModel(
    requestOf(says("PASSWORD-abc")),
    makeHooks().hooks,
    never,
  );
  assert.equal(outcome.ok ? "answered" : outcome.code, "blocked");
  assert.deepEqual(journal[0]?.facts?.findings, [
    { rule: "password", where: "messages/0/text", effectIndex: 0 },
  ]);
  assert.equal(provider.requests.length, 0);
});

test("a key is in no message, no journal record and no other provider's request", async () => {
  const apiKey = "sk-very-secret-key-1";
  await using other = await startLoopbackProvider([{ status: 500, repeat: true }]);
  await using server = await startLoopbackProvider([
    { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey}` } }) },
  ]);
  const { parts, journal } = makeDoorWorld([
    providerAt(server.url, { apiKey }),
    providerAt(other.url, { name: "other", kind: "openai-compatible" }),
  ]);
  const outcome = await openModelDoor(parts).callModel(requestOf(says("hi")), makeHooks().hooks, never);
  const { authorization } = server.requests[0]?.headers ?? {};
  assert.equal(authorization, `Bearer ${apiKey}`);
  assert.ok(!JSON.stringify([outcome, journal, other.requests]).includes(apiKey));
  assert.match(JSON.stringify(outcome), /Incorrect API key provided: \[key\]/);
});
