import assert from "node:assert/strict";
import { test } from "node:test";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import type { ChatStore } from "../../src/memory/state/chat-store.ts";
import { until } from "./chat-world.ts";
import { openDoorWorld } from "./door-world.ts";

/** A store whose writes of a name fail so often. Reads and all other writes are done. */
function failing(store: ChatStore, part: "inbox" | "outbox", name: string, times: number): ChatStore {
  const left = { times };
  const failed = new Proxy(store[part], {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key !== name || left.times <= 0) return value;
      left.times -= 1;
      return async () => {
        throw new Error("database or disk is full");
      };
    },
  });
  return { ...store, [part]: failed };
}

test("a write that fails is tried again by itself, without a look, and nothing is said twice", async () => {
  for (const [part, name] of [
    ["outbox", "begin"],
    ["outbox", "sent"],
    ["outbox", "next"],
    ["inbox", "begin"],
    ["inbox", "end"],
    ["inbox", "unhandled"],
  ] as const) {
    await using world = await openDoorWorld();
    const { fake, agent, service } = world;
    const reported: string[] = [];
    const kernel = {
      ...agent.kernel,
      store: failing(agent.kernel.store, part, name, 4),
      report: (text: string) => void reported.push(text),
    };
    await using _ = openChatDoor(kernel, service, null);
    fake.say("one");
    await until(`the answer after ${part}.${name}`, () => fake.said().includes("To one"));
    fake.say("two");
    await until(`the next answer after ${part}.${name}`, () => fake.said().includes("To two"));
    assert.deepEqual(fake.said(), ["To one", "To two"], `${part}.${name}`);
    assert.match(reported.join("\n"), /tried again: .*disk is full/, `${part}.${name}`);
    assert.equal(reported.length, new Set(reported).size, "each is told once");
  }
});

test("what fails for minutes is set aside and told, and holds up no other chat meanwhile", async () => {
  await using world = await openDoorWorld();
  const { fake, agent, service } = world;
  const told: string[] = [];
  const kernel = {
    ...agent.kernel,
    tellOwner: async (text: string) => void told.push(text),
    say: async (words: Parameters<typeof agent.kernel.say>[0]) => {
      if (words.payload.text === "poison") throw new Error("it cannot be said");
      return agent.kernel.say(words);
    },
  };
  await using _ = openChatDoor(kernel, service, null);
  fake.say("poison");
  fake.say("behind");
  await until("the answer", () => fake.said().length === 1);
  assert.deepEqual(fake.said(), ["To behind"]);
  assert.match(told.join(), /could not be handled: it cannot be said\. It is kept aside/);
});
