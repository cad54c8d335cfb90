import { doorKeys } from "../../signal/actuator.ts";
import { describeError } from "../../text/describe-error.ts";
import type { Json } from "../../text/json.ts";
import type { ChatAddresses } from "./chat-addresses.ts";
import { withoutToken } from "./chat-command.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatService, ChatUpdate, ReceiveResult } from "./chat-service.ts";
import type { DoorHealth } from "./door-health.ts";
import { jsonOf } from "./json-of.ts";
import { longestPause, pauseAfter } from "./pause-after.ts";
import { noteMessage } from "./send-outbox.ts";

type ReceiveParts = {
  readonly kernel: ChatKernel;
  readonly service: ChatService;
  readonly health: DoorHealth;
  /** Called when something new is on disk. */
  readonly kept: () => void;
  readonly isOwner: ChatAddresses["isOwner"];
  /** Tells the owner in a chat, or else on the machine. */
  readonly tell: (text: string) => Promise<void>;
};

/**
 * Receives updates until it is cancelled. What came is acknowledged by the next request, after it is on disk.
 */
export async function receiveUpdates(parts: ReceiveParts, cancel: AbortSignal): Promise<void> {
  const { kernel, health } = parts;
  const streak: Streak = { repeats: 0 };
  const loss: Loss = { isUntold: await beginReceiving(parts), toldAt: Number.NEGATIVE_INFINITY };
  for (let failures = 0; !cancel.aborted; ) {
    const failure = await receiveOnce(parts, streak, cancel);
    loss.isUntold ||= failure?.mayBeLost === true;
    if (cancel.aborted) break;
    if (failure === null) {
      failures = 0;
      await tellLoss(parts, loss);
      continue;
    }
    failures += 1;
    await health.failed(failure);
    if (failure.code === "no-access") await waitForKey(parts, cancel);
    else await kernel.wait(pauseAfter(failure, failures), cancel);
  }
  await endReceiving(parts, loss.isUntold);
}

/** What may have been lost, and when that was told last. */
type Loss = { isUntold: boolean; toldAt: number };

/** The name under which is kept that a process receives, which a killed one leaves. */
const receivingMark = "receiving";

/** Whether a former process was killed while it received what is given once. */
async function beginReceiving({ kernel, service: { name, givesOnce } }: ReceiveParts): Promise<boolean> {
  if (givesOnce !== true) return false;
  const { marks } = kernel.store;
  try {
    const wasKilled = (await marks.get(name, receivingMark)) === true;
    if (!wasKilled) await marks.set(name, receivingMark, true);
    return wasKilled;
  } catch (error) {
    kernel.report(`Whether messages by ${name} were lost by a kill is not known: ${describeError(error)}`);
    return false;
  }
}

async function endReceiving({ kernel, service }: ReceiveParts, mayBeLost: boolean): Promise<void> {
  if (service.givesOnce !== true || mayBeLost) return;
  try {
    await kernel.store.marks.set(service.name, receivingMark, false);
  } catch (error) {
    kernel.report(
      `The next start says that messages by ${service.title} may be lost, which is not so: ${describeError(error)}`,
    );
  }
}

/**
 * Milliseconds between two times that a loss is told: a program that ends all the time loses all the time.
 */
const lossEvery = 3_600_000;

/** Once messages are received again, the owner is told that some may be missing. */
async function tellLoss({ kernel, service, tell }: ReceiveParts, loss: Loss): Promise<void> {
  const now = kernel.clock();
  if (!loss.isUntold || Math.abs(now - loss.toldAt) < lossEvery) return;
  try {
    await tell(
      `The connection to ${service.title}, or this program, was cut off while a message may have been on its way, and nobody gives that again. If something that you said has no answer, say it again.`,
    );
    loss.isUntold = false;
    loss.toldAt = now;
  } catch (error) {
    kernel.report(
      `That messages by ${service.title} may be lost is told again soon: ${describeError(error)}`,
    );
  }
}

/** Milliseconds between two looks whether the key is another one. They ask nobody. */
const lookEvery = 1000;

/** Waits until the vault was unlocked or has another key, or the longest pause is over. */
async function waitForKey({ kernel, service }: ReceiveParts, cancel: AbortSignal): Promise<void> {
  const keyNow = (): string | null => {
    const read = kernel.readKey(doorKeys.get(service.name) ?? "");
    return read.ok ? read.value : null;
  };
  const before = keyNow();
  for (let waited = 0; waited < longestPause && !cancel.aborted; waited += lookEvery) {
    if (keyNow() !== before) return;
    await kernel.wait(lookEvery, cancel);
  }
}

/**
 * How often in a row nothing was new of what came. Once is usual: after a cut, what was not acknowledged
 * comes again.
 */
type Streak = { repeats: number };

/** Null where something new came, or nothing in time. */
async function receiveOnce(
  { kernel, service, health, kept, isOwner }: ReceiveParts,
  streak: Streak,
  cancel: AbortSignal,
): Promise<ReceiveFailure | null> {
  try {
    const { inbox } = kernel.store;
    const result = await service.receive(await inbox.cursor(service.name), cancel);
    if (!result.ok) return result;
    const { updates, cursor, problem } = result;
    // A service may give an update only once: nothing comes between it and the disk.
    if (updates.length > 0) {
      if (!(await kernel.isStateIntact())) return later("the state folder is gone");
      const bodies: { readonly id: string; readonly body: Json }[] = [];
      for (const update of updates)
        bodies.push({ id: update.id, body: await bodyOf(update, kernel, isOwner) });
      const fresh = await inbox.keep(service.name, bodies, cursor);
      if (fresh > 0) kept();
      streak.repeats = fresh > 0 ? 0 : streak.repeats + 1;
    }
    for (const update of updates)
      if (update.kind === "message")
        await noteMessage(kernel, service, { chat: update.chat.id, message: update.message });
    if (problem !== undefined) return later(problem);
    if (streak.repeats > 1) return later("it gives again what it gave, and is asked less often");
    await health.received();
    return null;
  } catch (error) {
    return later(describeError(error));
  }
}

type ReceiveFailure = Extract<ReceiveResult, { readonly ok: false }>;

function later(reason: string): ReceiveFailure {
  return { ok: false, code: "try-later", reason, after: null };
}

/** Characters that are kept of what others call themselves, their chats and files, and of a reaction. */
const longestName = 200;

/**
 * What is kept of an update: the words of a linked person, without keys and tokens that they typed. Of
 * anybody
 * else nothing is kept but who they are, which is enough for a code.
 */
async function bodyOf(
  update: ChatUpdate,
  { links, maskKeys, maskTokens }: ChatKernel,
  isOwner: ReceiveParts["isOwner"],
): Promise<Json> {
  if (update.kind !== "message" && update.kind !== "tap") return jsonOf(update);
  const chat = { ...update.chat, title: nameOf(update.chat.title) };
  const sender = { ...update.sender, name: nameOf(update.sender.name) };
  if (update.kind === "tap") return jsonOf({ ...update, chat, sender, handle: nameOf(update.handle) });
  const { quotes, quoted, ...message } = update;
  // Where the links cannot be read, nobody knows whose words these are.
  if (links.fault() === null && !isOwner(chat.id, sender.id))
    return jsonOf({ ...message, chat, sender, text: "", files: [], isWordless: true });
  const masked = (text: string): Promise<string> => maskTokens(maskKeys(withoutToken(text)));
  return jsonOf({
    ...message,
    chat,
    sender,
    text: await masked(message.text),
    files: message.files.map((file) => ({ ...file, name: nameOf(file.name) })),
    ...(quotes === undefined ? {} : { quotes: await Promise.all(quotes.map(masked)) }),
    ...(quoted === undefined ? {} : { quoted: await masked(quoted) }),
  });
}

const nameOf = (name: string): string => name.slice(0, longestName).toWellFormed();
