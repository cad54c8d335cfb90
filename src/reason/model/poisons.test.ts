import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDoorWorld, makeHooks, providerAt, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import type { Message } from "../../signal/message.ts";
import { openModelDoor } from "./call-model.ts";
import { filterPoisons } from "./filter-poisons.fixture.ts";
import { answer } from "./past-messages.fixture.ts";
import { chat, picture, poisons, steps } from "./poisons.fixture.ts";

for (const {
  what,
  past = [],
  turn = [],
  refuses,
  status = 400,
  says: words = "bad request",
  answers = { status, body: JSON.stringify({ error: { message: words } }) },
  model,
} of [...poisons, ...filterPoisons]) {
  test(`${what} ends no session`, async () => {
    const wrong: string[] = [];
    await using server = await startLoopbackProvider([], {
      answer: (body) => {
        const { messages } = chat.parse(JSON.parse(body));
        const isWrong = refuses(messages, body);
        if (isWrong) wrong.push(body);
        return isWrong ? answers : { text: "answered" };
      },
    });
    const setting = { kind: "openai-compatible", inputs: ["picture", "pdf"], model: model ?? "m" } as const;
    const world = makeDoorWorld([providerAt(server.url, setting)]);
    const { hooks } = makeHooks();
    const never = new AbortController().signal;
    const ask = async (
      door: ReturnType<typeof openModelDoor>,
      messages: readonly Message[],
      keepLast: number,
    ) =>
      door.callModel(
        { ...requestOf(...messages), keepLast, stableMessages: messages.length - keepLast },
        hooks,
        never,
      );
    const first = [...past, says("and now?"), ...turn];
    const door = openModelDoor(world.parts);
    const outcome = await ask(door, first, 1 + turn.length);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const before = wrong.length;
    const isLength = /long|length/.test(words) || status === 413;
    const next = [...first, answer("answered"), says("and then?")];
    const again = await ask(openModelDoor(world.parts), next, 1);
    assert.ok(again.ok, "the next turn, in another process");
    if (!isLength) assert.equal(wrong.length, before, "it is not sent again");
    const sent = server.requests.at(-1)?.body ?? "";
    assert.ok(sent.includes("and then?") && sent.includes("You are an agent."));
  });
}

test("what a provider refuses is named to the owner, once, and the rest of the past stays", async () => {
  await using server = await startLoopbackProvider([], {
    answer: (body) =>
      /image_url/.test(body) ? { status: 400, body: '{"error":{"message":"no picture"}}' } : { text: "ok" },
  });
  const world = makeDoorWorld([
    providerAt(server.url, { kind: "openai-compatible", inputs: ["picture"], model: "m" }),
  ]);
  const { hooks, shown } = makeHooks();
  const past = [...steps, ...picture, ...steps, ...steps];
  const request = requestOf(...past, says("and now?"));
  const outcome = await openModelDoor(world.parts).callModel(request, hooks, new AbortController().signal);
  assert.ok(outcome.ok);
  assert.deepEqual(
    shown.filter((line) => line.startsWith("notice")),
    [
      'notice first refuses the picture "shot.png" (answered 400: no picture): it is left out of what first gets.',
    ],
  );
  const sent = server.requests.at(-1)?.body ?? "";
  assert.equal(sent.split("a's text").length, 4);
  assert.ok(server.requests.length <= 10, `${server.requests.length} requests`);
  assert.match(sent, /shot\.png/);
});

test("a provider that refuses everything is given up after a few requests", async () => {
  await using server = await startLoopbackProvider([
    { status: 400, body: '{"error":{"message":"no"}}', repeat: true },
  ]);
  const world = makeDoorWorld([providerAt(server.url, { kind: "openai-compatible", model: "m" })]);
  const request = requestOf(...steps, ...steps, ...steps, says("and now?"));
  const outcome = await openModelDoor(world.parts).callModel(
    request,
    makeHooks().hooks,
    new AbortController().signal,
  );
  assert.equal(outcome.ok, false);
  assert.equal(server.requests.length, 4);
});
