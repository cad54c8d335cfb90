import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatKernel, ChatWords } from "../../src/doors/chat/chat-kernel.ts";
import { makeTelegram } from "../../src/doors/telegram/open-telegram.ts";
import { openTelegramApi } from "../../src/doors/telegram/telegram-api.ts";
import { wait } from "../../src/machine/wait.ts";
import type { ChatStore } from "../../src/memory/state/chat-store.ts";
import { openState } from "../../src/memory/state/open-state.ts";
import type { LoopEvent, LoopListener } from "../../src/signal/loop-event.ts";
import type { SubmitResult } from "../../src/turn/submit-result.ts";
import { removeFolder } from "../remove-folder.ts";
import { botToken, FakeTelegram } from "./fake-telegram.ts";

/** What a killed process leaves: nothing more is done by it. */
class Killed extends Error {}

/** Lets a process live for so many steps; what is asked of it afterwards never happens. */
export function makeLife(steps: number) {
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

/**
 * The agent as a door sees it: a turn for each id of a client, kept through kills as the agent keeps its own.
 */
export function makeAgent(store: ChatStore) {
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
    links: { all: () => [link], fault: () => null },
    moveChat: async () => undefined,
    pairingWindow: () => ({ opened: 0, until: Number.MAX_VALUE, since: 0 }),
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
    attach: async () => ({ ok: false, reason: "no files here" }),
    hasTranscriber: false,
    transcribe: async () => null,
    turnOf: async (_session, clientId) => (turns.has(clientId) ? clientId : null),
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
    tokenOf: async () => null,
    isTurnKept: async (turn) => turns.has(turn),
    openQuestions: async () => [],
    endOfQuestion: async () => null,
    holdsPrivate: async () => false,
    hidePrivateNames: async (text) => text,
    markDelivered: async () => undefined,
    maskKeys: (text) => text,
    maskTokens: async (text) => text,
    isStateIntact: async () => true,
    tellOwner: async () => undefined,
    report: () => undefined,
    clock: Date.now,
    wait: (milliseconds, cancel) => wait(Math.min(milliseconds, 2), cancel),
    newCode: () => "CODE2345",
  };
  return { kernel, turns, ran };
}

export async function openDoorWorld() {
  // What is on the disk is not what is tested here, but what was written before the kill.
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "killed-door-"));
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
