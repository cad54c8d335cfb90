import type { Clock } from "../../signal/clock.ts";
import { sha256 } from "../storage/digest.ts";
import { integer, json, type Row, text } from "../storage/rows.ts";
import type { ChatDatabase } from "./chat-database.ts";

/** Somebody unknown who wrote, and was given a code. */
export type ChatPairing = {
  readonly service: string;
  readonly chat: string;
  readonly sender: string;
  /** The chat and the sender as the service calls them: words of others. */
  readonly shown: { readonly chat: string; readonly sender: string; readonly kind: string };
  readonly at: number;
};

/** The codes that unknown senders got: one for each at a time. Codes are kept as hashes. */
export type ChatPairings = {
  /**
   * Keeps a code for a sender in a chat. False where they have one that counts, or where too many have one.
   * The
   * same update gets one again: a killed process may not have sent it.
   */
  readonly offer: (
    pairing: Omit<ChatPairing, "at">,
    given: { readonly code: string; readonly update: string },
  ) => Promise<boolean>;
  readonly byCode: (service: string, code: string) => Promise<ChatPairing | null>;
  /** Those that were offered in the time before codes lapse, the oldest first. */
  readonly open: (service: string) => Promise<readonly ChatPairing[]>;
};

/** Milliseconds for which a code counts: an hour. */
const pairingExpiry = 3_600_000;
/** Senders who may have a code at a time: what more strangers say is not answered. */
export const mostPairings = 20;

/** The pairings of a database. */
export function openChatPairings(chats: ChatDatabase, clock: Clock): ChatPairings {
  const find = (where: string, ...values: readonly (string | number)[]): readonly ChatPairing[] =>
    (chats.reading()?.all(`SELECT * FROM chat_pairings WHERE ${where}`, ...values) ?? []).map(pairingOf);
  const open = async (service: string): Promise<readonly ChatPairing[]> =>
    find("service = ? AND at > ? ORDER BY at", service, clock() - pairingExpiry);
  return {
    async offer({ service, chat, sender, shown }, { code, update }) {
      const database = chats.writing();
      const others = (await open(service)).filter((one) => one.chat !== chat || one.sender !== sender);
      if (others.length >= mostPairings) return false;
      return database.forced(() => {
        const at = clock();
        database.run("DELETE FROM chat_pairings WHERE at <= ?", at - pairingExpiry);
        const added = database.run(
          `INSERT INTO chat_pairings (service, chat, sender, code, at, body) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET code = excluded.code, at = excluded.at WHERE body ->> '$.update' = excluded.body ->> '$.update'`,
          service,
          chat,
          sender,
          sha256(code),
          at,
          JSON.stringify({ ...shown, update }),
        );
        return added > 0;
      });
    },
    byCode: async (service, code) =>
      find("service = ? AND code = ? AND at > ?", service, sha256(code), clock() - pairingExpiry)[0] ?? null,
    open,
  };
}

function pairingOf(row: Row): ChatPairing {
  const { chat, sender, kind } = json<ChatPairing["shown"]>(row, "body");
  return {
    service: text(row, "service"),
    chat: text(row, "chat"),
    sender: text(row, "sender"),
    shown: { chat, sender, kind },
    at: integer(row, "at"),
  };
}
