import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ChatKernel, ChatWords } from "../../src/doors/chat/chat-kernel.ts";
import { openChatDoor } from "../../src/doors/chat/open-chat-door.ts";
import { makeTelegram } from "../../src/doors/telegram/open-telegram.ts";
import { openTelegramApi } from "../../src/doors/telegram/telegram-api.ts";
import type { ChatStore } from "../../src/memory/state/chat-store.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import { wait } from "../../src/reason/providers/wait.ts";
import type { LoopEvent, LoopListener } from "../../src/signal/loop-event.ts";
import type { SubmitResult } from "../../src/turn/submit-result.ts";
import { removeFolder } from "../remove-folder.ts";
import { until } from "./chat-world.ts";
import { botToken, FakeTelegram, owner, privateChat, stranger } from "./fake-telegram.ts";

/** What a killed process leaves: nothing more is done by it. */
class Killed extends Error {}

/** Lets a process live for so many steps; what is asked of it afterwards never happens. */
function makeLife(steps: number) {
  const life = { left: steps, isOver: false };
  const step = (): void => {
    life.left -= 1;
    if (life.left < 0) life.isOver = true;
    if (life.isOver) throw new Killed("killed");
  };
  /** Each function may be killed before it begins, and after it is done. */
  const mortal = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === "object" && value !== null) return mortal(value);
        if (typeof value !== "function") return value;
        return (...given: readonly unknown[]) => {
          step();
          const result: unknown = Reflect.apply(value, target, given);
          if (!(result instanceof Promise)) return result;
          return result.then((done: unknown) => {
            step();
            return done;
          });
        };
      },
    });
  return { life, mortal };
}

/** The agent as a door sees it: a turn for each id of a client, kept through kills as the agent keeps its own. */
function makeAgent(store: ChatStore) {
  const turns = new Map<string, string>();
  const ran: string[] = [];
  const listeners = new Set<LoopListener>();
  const results = new Map<string, SubmitResult>();
  const statusOf = (turn: string): LoopEvent => ({
    type: "answered",
    session: "s",
    turn,
    text: `To ${turns.get(turn)}`,
  });
  const link = {
    service: "telegram",
    chat: "7001",
    sender: "7001",
    kind: "private",
    name: "Olga",
    linkedAt: 1,
  } as const;
  const kernel: ChatKernel = {
    store,
    links: { all: () => [link] },
    readKey: () => ({ ok: true, value: botToken }),
    resolveSession: async () => "s",
    knownSession: async (named) => named,
    async say({ clientId, payload }: ChatWords) {
      const fresh = !turns.has(clientId);
      turns.set(clientId, payload.text);
      setImmediate(() => {
        for (const hear of listeners) hear(statusOf(clientId));
      });
      return { kind: "turn", turn: clientId, session: "s", fresh };
    },
    async runCommand(command) {
      ran.push(command.kind);
      return { kind: "said", code: "done", text: `Did ${command.kind}.` };
    },
    async runOnce({ client }, act) {
      const before = results.get(client);
      if (before !== undefined) return before;
      const result = await act();
      results.set(client, result);
      return result;
    },
    stop: async () => true,
    subscribe(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    turnStatus: async (turn) => statusOf(turn),
    isTurnKept: async (turn) => turns.has(turn),
    openQuestions: async () => [],
    endOfQuestion: async () => null,
    holdsPrivate: async () => false,
    markDelivered: async () => undefined,
    maskKeys: (text) => text,
    isStateIntact: async () => true,
    tellOwner: async () => undefined,
    report: () => undefined,
    clock: Date.now,
    wait: (milliseconds, cancel) => wait(Math.min(milliseconds, 2), cancel),
    newCode: () => "CODE2345",
  };
  return { kernel, turns, ran };
}

async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), "killed-door-"));
  const state = await openState({ folder, clock: Date.now, gates: "none", access: "write" });
  const fake = await FakeTelegram.start();
  fake.longestWait = 50;
  const api = openTelegramApi({
    address: fake.url,
    variables: {},
    readKey: () => ({ ok: true, value: botToken }),
  });
  return {
    fake,
    service: makeTelegram(api),
    agent: makeAgent(state.chats),
    async [Symbol.asyncDispose]() {
      api.close();
      await fake[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
      removeFolder(folder);
    },
  };
}

/** Says it all, kills the door after so many steps, and opens it again. Gives whether it was killed. */
async function runKilled(steps: number): Promise<boolean> {
  await using world = await openWorld();
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
