import assert from "node:assert/strict";
import { test } from "node:test";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { until } from "./chat-world.ts";
import { makeLife, openDoorWorld } from "./door-world.ts";
import { owner, privateChat, stranger } from "./fake-telegram.ts";

/** Says it all, kills the door after so many steps, and opens it again. Gives whether it was killed. */
async function runKilled(steps: number): Promise<boolean> {
  await using world = await openDoorWorld();
  const { fake, agent, service } = world;
  fake.say("one");
  fake.say("/undo");
  fake.say("who are you?", { from: stranger, chat: { id: stranger.id, type: "private", first_name: "M" } });
  fake.add("poll_answer", { poll_id: "1" });
  fake.say("two");
  const { life, mortal } = makeLife(steps);
  const { store, say } = agent.kernel;
  const kernel = { ...agent.kernel, say: mortal({ say }).say, store: mortal(store) };
  const first = openChatDoor(kernel, mortal(service), null);
  const isDone = (): boolean =>
    fake.said().length === 3 && fake.said(stranger.id).length === 1 && fake.unacknowledged() === 0;
  await until("the door is killed, or done", () => life.isOver || isDone());
  life.isOver = true;
  await first[Symbol.asyncDispose]();
  await using _ = openChatDoor(agent.kernel, service, null);
  await until("all is answered", isDone);
  assert.deepEqual(fake.said().toSorted(), ["Did undo.", "To one", "To two"], `after ${steps} steps`);
  assert.deepEqual(agent.ran, ["undo"], `after ${steps} steps`);
  assert.equal(agent.turns.size, 2);
  return life.left < 0;
}

/** The short form takes one of so many steps, from a random one on; npm run long takes all. */
const stride = 9;

test("a door that is killed before or after any step loses nothing and doubles nothing", async () => {
  assert.equal(privateChat.id, owner.id);
  let steps = process.env["LONG"] === "all" ? 0 : Math.floor(Math.random() * stride);
  while (await runKilled(steps)) steps += process.env["LONG"] === "all" ? 1 : stride;
  assert.ok(steps > 60, `there were only ${steps} steps`);
});
