import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LocalAgent } from "../../src/daemon/agent/local-agent.ts";
import { openLocalAgent } from "../../src/daemon/agent/open-local-agent.ts";
import { type OpenDoors, openDoors } from "../../src/daemon/open-doors.ts";
import { openStateForWriting } from "../../src/daemon/serve.ts";
import type { State } from "../../src/memory/state/state.ts";
import { loadPolicy, type Policy } from "../../src/settings/policy.ts";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { sharedStart } from "../shared-start.ts";
import { keepInVault } from "../vault-world.ts";
import { botToken, FakeTelegram, owner, privateChat } from "./fake-telegram.ts";

/** The passphrase of the vault that holds the token. */
export const passphrase = "four herons over Delft";

/** An agent with a door to a fake of Telegram. */
export type ChatWorld = {
  readonly world: AgentWorld;
  readonly fake: FakeTelegram;
  /** Opens the agent with its doors in this process. */
  readonly open: (options?: OpenOptions) => Promise<OpenedWorld>;
};

type OpenOptions = { readonly settings?: Readonly<Record<string, string>> };

/** The agent while it is open; `warned`: what it reported. */
export type OpenedWorld = AsyncDisposable & {
  readonly agent: LocalAgent;
  readonly doors: OpenDoors;
  readonly state: State;
  readonly policy: Policy;
  readonly warned: readonly string[];
};

/**
 * Makes a world in which Telegram is set up, and the owner's private chat linked unless `linked` is false.
 */
export async function makeChatWorld(
  test: Pick<TestContext, "after">,
  steps: readonly Step[] = [],
  { linked = true }: { readonly linked?: boolean } = {},
): Promise<ChatWorld> {
  const fake = await FakeTelegram.start();
  test.after(() => fake[Symbol.asyncDispose]());
  const world = await makeWorld(test, steps, { TELEGRAM_ADDRESS: fake.url });
  await keepKey(world, "telegram-token", botToken);
  if (linked) linkOwner(loadPolicy(world.environment));
  return { world, fake, open: (options) => openWithDoors(world, options) };
}

/** Keeps the key of a door in the vault of a world. */
export async function keepKey(world: AgentWorld, name: string, value: string): Promise<void> {
  await keepInVault(world, passphrase, name, value);
}

/** Opens the agent of a world with its doors in this process. */
export async function openWithDoors(
  world: AgentWorld,
  { settings = {} }: OpenOptions = {},
): Promise<OpenedWorld> {
  const environment = { ...world.environment, ...settings };
  const policy = loadPolicy(environment);
  await policy.config.vault.unlock(passphrase);
  const state = await openStateForWriting(policy);
  const warned: string[] = [];
  const start = {
    environment,
    cwd: world.workspace,
    version: "0.0.0-test",
    ...sharedStart,
    warn: (text: string) => void warned.push(text),
  };
  const agent = await openLocalAgent({ start, policy, state, folder: null });
  const doors = openDoors({ agent, state, policy, variables: environment });
  await doors.look();
  return {
    agent,
    doors,
    state,
    policy,
    warned,
    async [Symbol.asyncDispose]() {
      await doors[Symbol.asyncDispose]();
      await agent[Symbol.asyncDispose]();
    },
  };
}

/** Lets unknown senders of a service have codes, as the command line does. */
export function giveCodes(
  { pairingWindows }: Pick<Policy, "pairingWindows">,
  service: "telegram" | "signal",
): void {
  pairingWindows.open(service, { now: Date.now(), isAnew: false });
}

/** Links the owner's private chat, as the command line does after a code. */
export function linkOwner(
  { chatLinks }: Pick<Policy, "chatLinks">,
  more: { readonly chat?: number } = {},
): void {
  const { chat = privateChat.id } = more;
  const kind = chat < 0 ? "group" : "private";
  chatLinks.add({
    service: "telegram",
    chat: String(chat),
    sender: String(owner.id),
    kind,
    name: "Olga",
    linkedAt: 1,
  });
}

/** Waits until something is so; throws where it is not after a minute. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 6000; tries += 1) {
    if (await isSo()) return;
    await pause(10);
  }
  throw new Error(`It did not come to this in time: ${what}`);
}
