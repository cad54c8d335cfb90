import assert from "node:assert/strict";
import { test } from "node:test";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { makeTelegram } from "../../src/doors/telegram/open-telegram.ts";
import { openTelegramApi, type TelegramApi } from "../../src/doors/telegram/telegram-api.ts";
import { wait } from "../../src/machine/wait.ts";
import type { Json } from "../../src/text/json.ts";
import { until } from "./chat-world.ts";
import { openDoorWorld } from "./door-world.ts";
import { botToken, FakeTelegram, type Misbehaviour } from "./fake-telegram.ts";

/**
 * Opens a door to a service whose calls for updates all end so. Gives the pauses of the door, and what it
 * reported.
 */
async function pausesAfter(how: Misbehaviour) {
  await using world = await openDoorWorld();
  const { fake, agent, service } = world;
  fake.chaos = (method) => (method === "getUpdates" ? how : null);
  const pauses: number[] = [];
  const reported: string[] = [];
  const door = openChatDoor(
    {
      ...agent.kernel,
      report: (text) => void reported.push(text),
      wait: (milliseconds, cancel) => {
        pauses.push(milliseconds);
        return wait(1, cancel);
      },
    },
    service,
    null,
  );
  await until("four pauses, or a hot loop", () => pauses.length >= 4 || fake.calls.length > 100);
  await door[Symbol.asyncDispose]();
  return { pauses: pauses.slice(0, 4), reported: reported.join("\n") };
}

const doubling = [500, 1000, 2000, 4000];
const hour = 3_600_000;

test("a service that answers at once with nothing new is asked less and less often, and that is told", async () => {
  const cases: readonly (readonly [what: string, gives: Json, told: RegExp])[] = [
    ["nothing", [], /Telegram: it gives nothing, and does not wait/],
    ["no update", [{ nonsense: 1 }], /Telegram: of the updates that it gave 1 cannot be read/],
    ["an id that is a text", [{ update_id: "5" }], /1 cannot be read/],
    ["the same again and again", [{ update_id: 5, x: 1 }], /Telegram: it gives again what it gave/],
  ];
  for (const [what, gives, told] of cases) {
    const { pauses, reported } = await pausesAfter({ gives });
    assert.deepEqual(pauses, doubling, what);
    assert.match(reported, told, what);
  }
});

test("a service that asks for no time or for years is asked again in half a second to an hour", async () => {
  for (const [retryAfter, milliseconds] of [
    [0, 500],
    [7, 7000],
    [1e9, hour],
  ] as const)
    assert.deepEqual(
      (await pausesAfter({ retryAfter })).pauses,
      Array(4).fill(milliseconds),
      `${retryAfter}`,
    );
});

test("another program that receives for the same bot is told once, also where both take turns, and so is a webhook", async () => {
  for (const [description, told] of [
    ["Conflict: terminated by other getUpdates request", /another program receives for this bot \(409\)/],
    ["Conflict: can't use getUpdates method while webhook is active", /a webhook \(409\)\. Take that away/],
  ] as const) {
    await using world = await openDoorWorld();
    const { fake, agent, service } = world;
    fake.longestWait = 600;
    const owner: string[] = [];
    const reported: string[] = [];
    const kernel = {
      ...agent.kernel,
      tellOwner: async (text: string) => void owner.push(text),
      report: (text: string) => void reported.push(text),
    };
    let calls = 0;
    fake.chaos = (method) => {
      calls += method === "getUpdates" ? 1 : 0;
      if (method !== "getUpdates" || calls % 2 === 0) return null;
      return calls === 3 ? "cut-before" : { refuse: description, status: 409 };
    };
    await using _ = openChatDoor(kernel, service, null);
    for (const words of ["one", "two", "three"]) {
      fake.say(words);
      await until(`an answer to ${words}`, () => fake.said().includes(`To ${words}`));
    }
    await until("they took turns", () => calls > 6);
    assert.equal(owner.length, 1);
    assert.match(owner[0] ?? "", told);
    assert.doesNotMatch(reported.join(), /can be reached again/);
  }
});

test("an update without a usable id is told, and holds up none beside it or behind it", async () => {
  await using world = await openDoorWorld();
  const { fake, agent, service } = world;
  const reported: string[] = [];
  const kernel = { ...agent.kernel, report: (text: string) => void reported.push(text) };
  for (const update_id of [11.5, -1, Number.MAX_SAFE_INTEGER])
    fake.misbehaviours.push({ method: "getUpdates", how: { gives: [{ update_id }, { update_id: 10 }] } });
  await using _ = openChatDoor(kernel, service, null);
  fake.say("one");
  await until("an answer", () => fake.said().length === 1);
  assert.match(reported.join("\n"), /Telegram: of the updates that it gave 1 cannot be read/);
  assert.equal(await kernel.store.inbox.cursor("telegram"), "123456789-1002");
});

test("ids of messages that no chat has are nothing to count from", async () => {
  const asked: unknown[] = [];
  const refused = { ok: false, code: "refused", reason: "", status: 400, description: "not found" } as const;
  const call: TelegramApi["call"] = async (_method, given) => {
    asked.push(given["message_id"]);
    if (asked.length > 100) throw new Error("it never ends");
    return refused;
  };
  const service = makeTelegram({
    call,
    asBot: () => ({ ok: true, bot: "1", call }),
    download: async () => refused,
    close: () => undefined,
  });
  const message = { text: "x", format: "plain" } as const;
  const { signal } = new AbortController();
  for (const after of [String(Number.MAX_SAFE_INTEGER), String(2 ** 31 - 2), "100"])
    assert.deepEqual(await service.findSent?.("1", { after, message }, signal), { ok: true, message: null });
  assert.deepEqual(asked, [2 ** 31 - 1, ...Array.from({ length: 25 }, (_, index) => 101 + index)]);
});

test("of what the service says of a refusal, a token and control characters are taken out", async () => {
  await using fake = await FakeTelegram.start();
  const readKey = () => ({ ok: true, value: botToken }) as const;
  const api = openTelegramApi({ address: fake.url, variables: {}, readKey });
  const refuse = `Forbidden\u001b]0;x\u0007 ${botToken} ${encodeURIComponent(botToken)}\nTelegram can be reached again.`;
  for (const status of [400, 401, 409, 500]) {
    fake.misbehaviours.push({ method: "getMe", how: { refuse, status } });
    const result = await api.call("getMe", {}, new AbortController().signal);
    assert.doesNotMatch(Object.values(result).join(" "), /AAfake|\p{Cc}/u, `${status}`);
  }
  api.close();
});
