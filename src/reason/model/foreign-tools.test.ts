import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, makeTime, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";
import { answer, callOf, resultOf } from "./past-messages.fixture.ts";

const never = new AbortController().signal;
const tool = (name: string) => ({ name, description: name, parameters: { type: "object" } });
const foreign = (name: string) => ({
  ...tool(name),
  label: { integrity: "untrusted", secrecy: "public", sources: [] } as const,
});
const tools = [tool("read-file"), foreign("mail__send"), foreign("mail__find")];

/** A door with one provider that answers so in turn; the tools of each request, and what was told. */
async function ask(messages: readonly (string | null)[], calls = 1) {
  const answers = messages.map((message) =>
    message === null ? { text: "ok" } : { failure: { code: "bad-request" as const, message } },
  );
  const provider = makeScriptedProvider({ name: "first", answers }, makeTime().wait);
  const door = openModelDoor(makeDoorWorld([provider]).parts);
  const { hooks, shown } = makeHooks();
  const outcomes = [];
  for (let count = 0; count < calls; count += 1)
    outcomes.push(await door.callModel({ ...requestOf(says("hi")), tools }, hooks, never));
  const sent = provider.requests.map((request) => request.tools.map(({ name }) => name).join(" "));
  return { ok: outcomes.map(({ ok }) => ok), sent, shown };
}

const all = "read-file mail__send mail__find";

test("a request that is refused for a description of a tool is sent once more without the tools of others, and says which", async () => {
  const why = "answered 400: Invalid schema for function 'mail__find': in context=('properties')";
  const { ok, sent, shown } = await ask([why, null, null], 2);
  assert.deepEqual(
    [ok, sent],
    [
      [true, true],
      [all, "read-file", "read-file mail__send"],
    ],
  );
  assert.match(
    shown.join("\n"),
    /It named mail__find\. It was asked again without .*: mail__send, mail__find\./,
  );
  assert.equal(shown.filter((line) => line.includes("refused a description")).length, 1);
});

test("a provider that names a tool by its place, or none, is understood as well", async () => {
  const places = [
    "answered 400: tools.1.custom.input_schema: JSON schema is invalid",
    "answered 400: GenerateContentRequest.tools[0].function_declarations[1].parameters: missing field",
  ];
  for (const why of places)
    assert.deepEqual((await ask([why, null, null], 2)).sent.at(-1), "read-file mail__find", why);
  assert.deepEqual((await ask(["answered 400: invalid tools", null, null], 2)).sent.at(-1), "read-file");
});

test("a request that is refused for something else, or refused again, is not sent further, and no tool is held for refused", async () => {
  assert.deepEqual(await ask(["answered 400: messages.1: role must alternate"]), {
    ok: [false],
    sent: [all],
    shown: [],
  });
  const twice = await ask(["answered 400: invalid tools", "answered 400: invalid tools", null], 2);
  assert.deepEqual(twice.sent.slice(0, 3), [all, "read-file", all]);
});

/**
 * Two calls with a past, at a server that refuses so in turn; the tools of each request, and what was told.
 */
async function askWithPast(...refusals: readonly string[]) {
  await using server = await startLoopbackProvider([
    ...refusals.map((message) => ({ status: 400, body: JSON.stringify({ error: { message } }) })),
    { text: "ok", repeat: true },
  ]);
  const setting = { kind: "openai-compatible", model: "m" } as const;
  const door = openModelDoor(makeDoorWorld([providerAt(server.url, setting)]).parts);
  const { hooks, shown } = makeHooks();
  const request = requestOf(says("a"), callOf("c1"), resultOf("c1", "t"), answer("done"), says("hi"));
  for (const _ of [1, 2]) assert.ok((await door.callModel({ ...request, tools }, hooks, never)).ok);
  const sent = server.requests.map(({ body }) =>
    [...body.matchAll(/"name":"(read-file|mail__\w+)","description"/g)].map(([, name]) => name).join(" "),
  );
  return { sent, told: shown.filter((line) => line.includes("refused a description")).length };
}

test("where the past is refused in words about tools, the tools of others go with the mended request, and none is held for refused", async () => {
  const why = "an assistant message with 'tool_calls' must be followed by tool messages";
  assert.deepEqual(await askWithPast(why, why), { sent: [all, "read-file", all, all], told: 1 });
});

test("where tools and the past are refused, both are mended, and the tools are told once", async () => {
  const [tool, other] = ["invalid tools", "roles must alternate"];
  assert.deepEqual(await askWithPast(tool, other, tool), {
    sent: [all, "read-file", all, "read-file", "read-file"],
    told: 1,
  });
});
