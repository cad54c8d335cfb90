import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, makeTime, requestOf, says } from "../../../test/door-world.ts";
import { makeScriptedProvider } from "../providers/scripted.ts";
import { openModelDoor } from "./call-model.ts";

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
