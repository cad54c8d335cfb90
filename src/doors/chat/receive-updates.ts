import type { Json } from "../../signal/json.ts";
import { describeError } from "../../signal/text/describe-error.ts";
import { withoutToken } from "./chat-command.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFailure, ChatService, ChatUpdate } from "./chat-service.ts";
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
};

/**
 * Receives updates until it is cancelled. What came is acknowledged by the next request, after it is on disk.
 */
export async function receiveUpdates(parts: ReceiveParts, cancel: AbortSignal): Promise<void> {
  const { kernel, health } = parts;
  const streak: Streak = { repeats: 0 };
  for (let failures = 0; !cancel.aborted; ) {
    const failure = await receiveOnce(parts, streak, cancel);
    if (cancel.aborted) return;
    if (failure === null) {
      failures = 0;
      continue;
    }
    failures += 1;
    await health.failed(failure);
    if (failure.code === "no-access") await waitForKey(kernel, cancel);
    else await kernel.wait(pauseAfter(failure, failures), cancel);
  }
}

/** Milliseconds between two looks whether the vault was unlocked. They ask nobody. */
const lookEvery = 1000;

/** Waits until the key can be read that could not, or the longest pause is over. */
async function waitForKey({ isKeyReadable, wait }: ChatKernel, cancel: AbortSignal): Promise<void> {
  const wasReadable = isKeyReadable();
  for (let waited = 0; waited < longestPause && !cancel.aborted; waited += lookEvery) {
    if (!wasReadable && isKeyReadable()) return;
    await wait(lookEvery, cancel);
  }
}

/**
 * How often in a row nothing was new of what came. Once is usual: after a cut, what was not acknowledged
 * comes again.
 */
type Streak = { repeats: number };

/** Null where something new came, or nothing in time. */
async function receiveOnce(
  { kernel, service, health, kept }: ReceiveParts,
  streak: Streak,
  cancel: AbortSignal,
): Promise<ChatFailure | null> {
  try {
    const { inbox } = kernel.store;
    const result = await service.receive(await inbox.cursor(service.name), cancel);
    if (!result.ok) return result;
    const { updates, cursor, problem } = result;
    // A service may give an update only once: nothing comes between it and the disk.
    if (updates.length > 0) {
      if (!(await kernel.isStateIntact())) return later("the state folder is gone");
      const bodies: { readonly id: string; readonly body: Json }[] = [];
      for (const update of updates) bodies.push({ id: update.id, body: await bodyOf(update, kernel) });
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

function later(reason: string): ChatFailure {
  return { ok: false, code: "try-later", reason, after: null };
}

/** What is kept of an update: its words without keys and tokens that somebody typed. */
async function bodyOf(update: ChatUpdate, { maskKeys, maskTokens }: ChatKernel): Promise<Json> {
  if (update.kind !== "message") return jsonOf(update);
  const masked = (text: string): Promise<string> => maskTokens(maskKeys(withoutToken(text)));
  const { quotes, quoted } = update;
  const kept = {
    ...(quotes === undefined ? {} : { quotes: await Promise.all(quotes.map(masked)) }),
    ...(quoted === undefined ? {} : { quoted: await masked(quoted) }),
  };
  return jsonOf({ ...update, text: await masked(update.text), ...kept });
}
