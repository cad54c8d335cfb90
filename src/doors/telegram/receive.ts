import { isJsonArray, type JsonObject } from "../../text/json.ts";
import { greatest } from "../../text/lists.ts";
import type { ChatService, ReceiveResult } from "../chat/chat-service.ts";
import { askedUpdates, type Bot, idOfUpdate, numberOfUpdate, readBot, readUpdate } from "./read-updates.ts";
import { longPoll, type TelegramApi } from "./telegram-api.ts";

/**
 * Receives the updates of the bot whose key counts. Each bot counts its own, so what came of one says nothing
 * of another.
 */
export function makeReceive(api: TelegramApi): ChatService["receive"] {
  const known: { told: { readonly key: string; readonly bot: Bot } | null } = { told: null };
  return async (cursor, cancel) => {
    const now = api.asBot();
    if (!now.ok) return now;
    if (known.told?.key !== now.bot) {
      const asked = await now.call("getMe", {}, cancel);
      if (!asked.ok) return asked;
      const bot = readBot(asked.result);
      if (bot === null) return noResult("getMe");
      known.told = { key: now.bot, bot };
    }
    return receive(now.call, known.told, { cursor, cancel });
  };
}

type Asking = { readonly cursor: string | null; readonly cancel: AbortSignal };

async function receive(
  call: TelegramApi["call"],
  { key, bot }: { readonly key: string; readonly bot: Bot },
  { cursor, cancel }: Asking,
): Promise<ReceiveResult> {
  const given = { timeout: longPoll, limit: 100, allowed_updates: askedUpdates };
  const began = performance.now();
  const got = await call("getUpdates", { ...given, ...offsetOf(cursor, key) }, cancel);
  if (!got.ok) return got;
  if (!isJsonArray(got.result)) return noResult("getUpdates");
  if (got.result.length === 0 && performance.now() - began < leastWait)
    return later("it gives nothing, and does not wait for something as it is asked to");
  const numbers = got.result.flatMap((value) => numberOfUpdate(value) ?? []);
  const updates = got.result.flatMap((value) => readUpdate(value, { key, bot }) ?? []);
  const unread = got.result.length - updates.length;
  const problem = `of the updates that it gave ${unread} cannot be read, and are lost`;
  return {
    ok: true,
    updates,
    cursor: numbers.length === 0 ? null : idOfUpdate(key, greatest([...numbers, 0]) + 1),
    ...(unread === 0 ? {} : { problem }),
  };
}

/**
 * From where on a bot is asked: where it stood, or the oldest that it keeps where the cursor is another
 * bot's. A cursor without a bot is of the version before, which knew one alone.
 */
function offsetOf(cursor: string | null, key: string): JsonObject {
  const [, bot = key, number] = /^(?:(\d+)-)?(\d+)$/.exec(cursor ?? "") ?? [];
  return number === undefined || bot !== key ? {} : { offset: Number(number) };
}

/** Milliseconds that a call for updates takes at least where there are none. */
const leastWait = 500;

const noResult = (method: string) => later(`${method} gave what it should not`);

function later(reason: string): ReceiveResult & { readonly ok: false } {
  return { ok: false, code: "try-later", reason, after: null };
}
