import { type DoorStatus, doorStatusOf, statusMark } from "../../doors/chat/door-status.ts";
import { doors } from "../../doors/doors.ts";
import { type ChatPairing, mostPairings } from "../../memory/state/chat-pairings.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { openStateReader } from "../../program/read-state.ts";
import type { ChatLink } from "../../settings/chat-links.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { doorKeys } from "../../signal/actuator.ts";

/** A chat service, and how its door stands. */
export type ChatGateway = DoorStatus & {
  readonly service: string;
  /** Whether the vault has its key. */
  readonly isSetUp: boolean;
  readonly links: readonly ChatLink[];
  /** Who was given a code within the last hour. */
  readonly asking: readonly ChatPairing[];
  /** Minutes for which unknown senders are given codes; 0 where they are given none. */
  readonly codesFor: number;
  /** Whether so many have one that nobody else is given any. */
  readonly isCrowded: boolean;
  readonly waiting: number;
  readonly dead: number;
};

/** What the owner is asked for to set up a service, and whom they write to there. */
export function askedOf(service: string): Pick<(typeof doors)[number], "key" | "peer"> {
  const door = doors.find(({ name }) => name === service);
  return door ?? { key: { words: `The key of ${service} (it is not shown)`, isSecret: true }, peer: service };
}

/** Every chat service of the program. */
export async function listGateways(start: StartContext, policy: Policy): Promise<readonly ChatGateway[]> {
  const names = policy.config.vault.status().names;
  const kept = await readKept(
    start,
    doors.map(({ name }) => ({ name, since: policy.pairingWindows.of(name).since })),
  );
  const minutes = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 60_000));
  return doors.map(({ name }) => ({
    service: name,
    codesFor: minutes(policy.pairingWindows.of(name).until),
    isSetUp: names.includes(doorKeys.get(name) ?? ""),
    links: policy.chatLinks.all().filter(({ service }) => service === name),
    ...(kept.get(name) ?? nothingKept),
  }));
}

type Kept = Pick<ChatGateway, "asking" | "isCrowded" | "waiting" | "dead" | keyof DoorStatus>;
const nothingKept: Kept = {
  asking: [],
  isCrowded: false,
  waiting: 0,
  dead: 0,
  receivedAt: null,
  problem: null,
  program: null,
};

/** What the state keeps of services; nothing where there is no state yet. */
async function readKept(
  start: StartContext,
  services: readonly { readonly name: string; readonly since: number }[],
): Promise<ReadonlyMap<string, Kept>> {
  try {
    await using reader = await openStateReader(start);
    const { pairings, outbox, marks } = reader.state.chats;
    const kept = new Map<string, Kept>();
    for (const { name, since } of services) {
      const asking = await pairings.open(name, since);
      kept.set(name, {
        asking,
        isCrowded: asking.length >= mostPairings,
        ...(await outbox.counts(name)),
        ...doorStatusOf(await marks.get(name, statusMark)),
      });
    }
    return kept;
  } catch (error) {
    if (error instanceof StateProblem && error.code === "missing") return new Map();
    throw error;
  }
}

/** Who was given a code; null where nobody was, or the code counts no longer. */
export async function findPairing(
  start: StartContext,
  { pairingWindows }: Policy,
  { service, code }: { readonly service: string; readonly code: string },
): Promise<ChatPairing | null> {
  try {
    await using reader = await openStateReader(start);
    const { since } = pairingWindows.of(service);
    const pairing = await reader.state.chats.pairings.byCode(service, code.trim().toUpperCase(), since);
    return pairing;
  } catch (error) {
    if (error instanceof StateProblem && error.code === "missing") return null;
    throw error;
  }
}

/** Tries a key at a service, and the chats of its links. Changes nothing there. */
export async function tryGateway(
  { environment }: StartContext,
  service: string,
  { key, chats }: { readonly key: string; readonly chats: readonly string[] },
): ReturnType<(typeof doors)[number]["tryKey"]> {
  const door = doors.find(({ name }) => name === service);
  if (door === undefined) return { ok: false, reason: `There is no service ${service}.` };
  const { config } = loadPolicy(environment);
  return door.tryKey(key, { settings: { address: config.telegramAddress, variables: environment }, chats });
}
