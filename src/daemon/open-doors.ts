import { randomInt } from "node:crypto";
import type { ChatKernel } from "../doors/chat/chat-kernel.ts";
import type { ChatDoor } from "../doors/chat/open-chat-door.ts";
import { type Door, doors } from "../doors/doors.ts";
import { wait } from "../machine/wait.ts";
import type { State } from "../memory/state/state.ts";
import { perceiveInput } from "../perceive/perceive-input.ts";
import type { Policy } from "../settings/policy.ts";
import { doorKeys, sealedChannels } from "../signal/actuator.ts";
import { describeError } from "../text/describe-error.ts";
import type { LocalAgent } from "./agent/local-agent.ts";

/** The doors of an agent. */
export type OpenDoors = AsyncDisposable & {
  /**
   * Opens those that were set up meanwhile, closes those that are not any more, and has the others look at
   * what changed.
   */
  readonly look: () => Promise<void>;
};

type DoorsParts = {
  readonly agent: LocalAgent;
  readonly state: State;
  readonly policy: Policy;
  readonly variables: Readonly<Record<string, string | undefined>>;
};

/** Opens the doors that are set up; nothing is loaded of the others. */
export function openDoors(parts: DoorsParts): OpenDoors {
  const open = new Map<string, Pick<ChatDoor, "look"> & { readonly close: () => Promise<void> }>();
  const { agent, policy, variables } = parts;
  const { telegramAddress: address, defaultActuator, lockScreen, assistant } = policy.config;
  const settings = { address, variables, defaultActuator, lockScreen, assistant };
  const openOne = async (door: Door): Promise<void> => {
    const opened = await door.open(makeKernel(parts, door.name), settings);
    const detach = agent.doorChannels.attach(door.name, (session, text) => opened.tell(session, text));
    const isNamed = policy.config.defaultActuator === door.name;
    const divertNoLonger = isNamed
      ? agent.divertNews((text) => tellNews(agent, door.name, opened, text))
      : () => undefined;
    const close = async (): Promise<void> => {
      detach();
      divertNoLonger();
      await opened[Symbol.asyncDispose]();
    };
    // What fails from here on must not leave it open beside the one that the next look opens.
    open.set(door.name, { look: opened.look, close });
    if (isNamed) await tellKept(agent, door.name, opened);
  };
  const look = async (): Promise<void> => {
    const { names } = policy.config.vault.status();
    const wanted = doors.filter(({ name }) => names.includes(doorKeys.get(name) ?? ""));
    for (const [name, door] of open)
      if (!wanted.some((one) => one.name === name)) {
        open.delete(name);
        await door.close();
      }
    for (const door of wanted) {
      const known = open.get(door.name);
      if (known === undefined) await openOne(door);
      else known.look();
    }
  };
  const looking: { last: Promise<void> } = { last: Promise.resolve() };
  return {
    look() {
      looking.last = looking.last
        .then(look)
        .catch((error: unknown) => agent.report(`A door could not be opened: ${describeError(error)}`));
      return looking.last;
    },
    async [Symbol.asyncDispose]() {
      await looking.last;
      await Promise.all([...open.values()].map((door) => door.close()));
      open.clear();
    },
  };
}

/** Tells what waited for the owner while no door was open. What the service may not read goes on waiting. */
async function tellKept(agent: LocalAgent, name: string, door: Pick<ChatDoor, "post">): Promise<void> {
  const kept = await agent.untold("");
  const told: string[] = [];
  const lines: string[] = [];
  for (const words of kept) {
    const line = await forService(agent, name, words);
    if (line === null) continue;
    told.push(words);
    lines.push(line);
  }
  if (told.length < kept.length) lines.push(privateNotice);
  if (lines.length > 0 && (await door.post(lines.join("\n")))) await agent.markTold(told);
}

/**
 * Tells what happens now; what the service may not read is told here. False where the door has no chat for
 * it.
 */
async function tellNews(
  agent: LocalAgent,
  name: string,
  door: Pick<ChatDoor, "post">,
  words: string,
): Promise<boolean> {
  const line = await forService(agent, name, words);
  if (line !== null) return door.post(line);
  await agent.tellHere(words);
  await door.post(privateNotice);
  return true;
}

const privateNotice =
  "Something private waits at the terminal. This service could read it, so it is not told here.";

/**
 * These words without the names of private files, where a service could read them; null where they hold what
 * is private. What cannot be looked up counts as private.
 */
async function forService(agent: LocalAgent, name: string, words: string): Promise<string | null> {
  if (sealedChannels.has(name)) return words;
  try {
    return (await agent.holdsPrivate(words)) ? null : await agent.hidePrivateNames(words);
  } catch (error) {
    agent.report(`News is told at the terminal alone, since it may be private: ${describeError(error)}`);
    return null;
  }
}

/** What doors may use: the ways that clients have. */
function makeKernel({ agent, state, policy }: DoorsParts, door: Door["name"]): ChatKernel {
  return {
    store: state.chats,
    links: policy.chatLinks,
    async moveChat(from, to) {
      // As long as something waits for the former id, both are linked.
      policy.chatLinks.copy(door, from, to);
      await state.chats.move(door, from, to);
      policy.chatLinks.remove(door, from);
    },
    pairingWindow: () => policy.pairingWindows.of(door),
    readKey: policy.config.vault.read,
    resolveSession: (named, source) => agent.resolveSession(named, { source, workspace: null }),
    knownSession: agent.knownSession,
    async say({ session, clientId, source, person, payload }) {
      const at = { id: agent.newId(), at: agent.now() };
      const perceived = perceiveInput({
        ...at,
        clientId,
        session,
        source,
        person,
        sensor: "chat-message",
        payload,
      });
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      return agent.handleSignal(perceived.signal);
    },
    attach: agent.attachBytes,
    hasTranscriber: policy.config.transcribeCommand !== null,
    transcribe: agent.transcribe,
    turnOf: agent.turnOf,
    runCommand: agent.runCommand,
    runOnce: agent.runOnce,
    stop: agent.stop,
    subscribe: agent.subscribe,
    turnStatus: agent.statusWithoutToken,
    async tokenOf({ turn, expiresAt }) {
      const asked = await agent.turnStatus(turn);
      return asked?.type === "approval-required" && asked.expiresAt === expiresAt ? asked.token : null;
    },
    isTurnKept: async (turn) => (await agent.sessionOf(turn)) !== null,
    openQuestions: agent.openQuestions,
    endOfQuestion: ({ session, turn, expiresAt }) => endOfQuestion(state, { session, turn, expiresAt }),
    markDelivered: agent.markDelivered,
    holdsPrivate: agent.holdsPrivate,
    hidePrivateNames: agent.hidePrivateNames,
    maskKeys: policy.maskKeys,
    maskTokens: (text) => maskTokens(state, text),
    isStateIntact: agent.isStateIntact,
    tellOwner: agent.tellHere,
    report: agent.report,
    clock: agent.now,
    wait,
    newCode: (characters) =>
      Array.from({ length: characters }, () => letters[randomInt(letters.length)]).join(""),
  };
}

/** Masks each word that is a token of a question. */
async function maskTokens({ approvals }: Pick<State, "approvals">, text: string): Promise<string> {
  let masked = text;
  for (const [word] of text.matchAll(/(?<![\w-])[\w-]{22}(?![\w-])/g))
    if ((await approvals.byToken(word)) !== null) masked = masked.replaceAll(word, "[a token]");
  return masked;
}

/** Of the tokens of a question one ends as the answer did; the others are void. */
async function endOfQuestion(
  { approvals }: Pick<State, "approvals">,
  {
    session,
    turn,
    expiresAt,
  }: { readonly session: string; readonly turn: string; readonly expiresAt: number },
): Promise<Awaited<ReturnType<ChatKernel["endOfQuestion"]>>> {
  const asked = (await approvals.byTurn(turn, session)).filter((one) => one.expiresAt === expiresAt);
  const states = new Set(asked.map(({ state: is }) => is));
  if (states.has("open")) return null;
  return states.has("approved")
    ? "yes"
    : states.has("denied")
      ? "no"
      : states.has("expired")
        ? "lapsed"
        : "gone";
}

/** 32 letters and digits that are not mistaken for each other. */
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
