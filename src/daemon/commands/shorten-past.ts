import type { State } from "../../memory/state/state.ts";
import { promptLength } from "../../signal/message-length.ts";
import { formatTokens } from "../../text/format-time.ts";
import type { CommandReply } from "./command-reply.ts";

/** What shortening the past of a session needs. */
export type ShortenPastParts = { readonly state: Pick<State, "turns"> };

/** Shortens what the model sees of a session's past: to what the owner said and a summary of each turn, or to nothing. Nothing is forgotten: `recall` finds it. */
export async function shortenPast(
  { state }: ShortenPastParts,
  kind: "compact" | "clear",
  session: string,
): Promise<CommandReply> {
  const before = await pastTokens(state, session);
  const turns = await state.turns.shorten(session, kind === "compact" ? "summary" : "cleared");
  const after = await pastTokens(state, session);
  const [from, to] = [formatTokens(before), formatTokens(after)];
  if (turns === 0 || (kind === "compact" && (after >= before || from === to))) {
    const why = kind === "compact" ? "is as short as it gets" : "is empty";
    return { code: "not-done", text: `What the model sees of this session's past ${why}. Nothing was done.` };
  }
  const text =
    kind === "compact"
      ? `The past of this session was shortened from ${from} to ${to} tokens. Nothing is forgotten: recall finds it.`
      : "The model begins anew: it sees nothing of what was said here before. Nothing is forgotten: recall finds it, and /forget forgets.";
  return { code: kind === "compact" ? "compacted" : "cleared", text };
}

async function pastTokens({ turns }: Pick<State, "turns">, session: string): Promise<number> {
  const messages = await turns.history(session, {});
  return Math.ceil(messages.reduce((sum, message) => sum + promptLength(message), 0) / 4);
}
