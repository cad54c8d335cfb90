import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFailure, ChatService } from "./chat-service.ts";

/** Whose chats are whose, and which sessions they have. */
export type ChatAddresses = {
  /** Whether this sender is the owner in this chat, by a link that stands now. */
  readonly isOwner: (chat: string, sender: string) => boolean;
  /** The session of a chat: one as long as it can be continued. */
  readonly sessionOf: (chat: string) => Promise<string>;
  /** The chat of a session; null for a session that no chat has. */
  readonly chatOf: (session: string) => Promise<string | null>;
  /** Who is the owner in a chat; null for one that is not linked. */
  readonly ownerIn: (chat: string) => { readonly sender: string; readonly kind: "private" | "group" } | null;
  /** Why nothing is sent to a chat now, or to this one member of it; null for one whose link stands. */
  readonly barred: (chat: string, onlyFor: string | undefined) => ChatFailure | null;
  /** The chat that the owner is told in, and who may answer there; null where no private chat is linked. */
  readonly ownerChat: () => { readonly chat: string; readonly sender: string } | null;
};

/** The addresses of one service. */
export function openChatAddresses(
  { store, links, knownSession, resolveSession }: ChatKernel,
  { name }: Pick<ChatService, "name">,
): ChatAddresses {
  const own = () => links.all().filter(({ service }) => service === name);
  return {
    isOwner: (chat, sender) => own().some((link) => link.chat === chat && link.sender === sender),
    async sessionOf(chat) {
      const kept = await store.marks.get(name, sessionMark(chat));
      if (typeof kept === "string" && (await knownSession(kept)) !== null) return kept;
      const session = await resolveSession(`${name} ${chat}`, name);
      await store.marks.set(name, sessionMark(chat), session);
      return session;
    },
    async chatOf(session) {
      for (const { chat } of own())
        if ((await store.marks.get(name, sessionMark(chat))) === session) return chat;
      return null;
    },
    ownerIn: (chat) => own().find((link) => link.chat === chat) ?? null,
    barred(chat, onlyFor) {
      const isLinked = own().some((link) => link.chat === chat && (onlyFor ?? link.sender) === link.sender);
      const fault = links.fault();
      if (fault !== null) return { ok: false, code: "no-access", reason: fault };
      return isLinked ? null : { ok: false, code: "refused", reason: "it is not linked any more" };
    },
    ownerChat() {
      const link = own().find(({ kind }) => kind === "private");
      return link === undefined ? null : { chat: link.chat, sender: link.sender };
    },
  };
}

const sessionMark = (chat: string): string => `session:${chat}`;
