import type { DoorSettings } from "../chat/chat-kernel.ts";
import { readBot } from "./read-updates.ts";
import { openTelegramApi } from "./telegram-api.ts";

/** Asks the service whose token it is, and types a moment in each chat. */
export async function tryToken(
  token: string,
  { settings, chats }: { readonly settings: DoorSettings; readonly chats: readonly string[] },
) {
  if (!/^\d{1,20}:[\w-]{20,100}$/.test(token))
    return {
      ok: false,
      reason: "This is no token of a bot: it looks like 123456:ABC…, from @BotFather.",
    } as const;
  const api = openTelegramApi({ ...settings, readKey: () => ({ ok: true, value: token }) });
  const cancel = new AbortController().signal;
  try {
    const asked = await api.call("getMe", {}, cancel);
    if (!asked.ok) return { ok: false, reason: `Telegram: ${asked.reason}` } as const;
    const bot = readBot(asked.result);
    if (bot === null)
      return { ok: false, reason: "Telegram did not say whose token it is. Try again." } as const;
    const tried: { readonly chat: string; readonly problem: string | null }[] = [];
    for (const chat of chats) {
      const typed = await api.call("sendChatAction", { chat_id: Number(chat), action: "typing" }, cancel);
      tried.push({ chat, problem: typed.ok ? null : typed.reason });
    }
    return { ok: true, name: `@${bot.username}`, chats: tried } as const;
  } finally {
    api.close();
  }
}
