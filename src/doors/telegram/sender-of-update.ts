import { z } from "zod";
import type { JsonObject } from "../../text/json.ts";

const id = z.int().transform(String);
const fromSchema = z.looseObject({
  from: z.looseObject({ id }),
  chat: z.looseObject({ id }).optional(),
  message: z.looseObject({ chat: z.looseObject({ id }) }).optional(),
});

/** Who sent something of whatever kind, and where; nothing where nobody did. */
export function senderOfUpdate(
  update: JsonObject,
): { readonly chat: string; readonly sender: string } | null {
  for (const value of Object.values(update)) {
    const read = fromSchema.safeParse(value);
    if (!read.success) continue;
    const { from, chat, message } = read.data;
    return { chat: chat?.id ?? message?.chat.id ?? "", sender: from.id };
  }
  return null;
}
