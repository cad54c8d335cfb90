import { sha256 } from "../../machine/digest.ts";
import type { Clock } from "../../text/clock.ts";
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
   * Keeps a code for a sender in a chat. False where they got one since codes are given again, or where too
   * many have one. The same update gets one again: a killed process may not have sent it.
   */
  readonly offer: (
    pairing: Omit<ChatPairing, "at">,
    given: {
      readonly code: string;
      readonly update: string;
      /** Unix milliseconds: since when codes are given, and before which none counts. */
      readonly window: { readonly opened: number; readonly since: number };
    },
  ) => Promise<boolean>;
  readonly byCode: (service: string, code: string, since: number) => Promise<ChatPairing | null>;
  /** Those whose codes count, the oldest first. */
  readonly open: (service: string, since: number) => Promise<readonly ChatPairing[]>;
};

/** Milliseconds for which a code counts: an hour. */
const pairingExpiry = 3_600_000;
/** Senders who may have a code at a time: what more strangers say is not answered. */
export const mostPairings = 20;

/** The pairings of a database. */
export function openChatPairings(chats: ChatDatabase, clock: Clock): ChatPairings {
  const find = (where: string, ...values: readonly (string | number)[]): readonly ChatPairing[] =>
    (chats.reading()?.all(`SELECT * FROM chat_pairings WHERE ${where}`, ...values) ?? []).map(pairingOf);
  const counts = (since: number): number => Math.max(clock() - pairingExpiry, since - 1);
  const open: ChatPairings["open"] = async (service, since) =>
    find("service = ? AND at > ? ORDER BY at", service, counts(since));
  return {
    async offer({ service, chat, sender, shown }, { code, update, window: { opened, since } }) {
      const database = chats.writing();
      const others = (await open(service, since)).filter((one) => one.chat !== chat || one.sender !== sender);
      if (others.length >= mostPairings) return false;
      return database.forced(() => {
        const at = clock();
        database.run("DELETE FROM chat_pairings WHERE at <= ?", at - pairingExpiry);
        const added = database.run(
          `INSERT INTO chat_pairings (service, chat, sender, code, at, body) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET code = excluded.code, at = excluded.at, body = excluded.body
           WHERE body ->> '$.update' = excluded.body ->> '$.update' OR at < ?`,
          service,
          chat,
          sender,
          sha256(code),
          at,
          JSON.stringify({ ...shown, update }),
          Math.max(opened, since),
        );
        return added > 0;
      });
    },
    byCode: async (service, code, since) =>
      find("service = ? AND code = ? AND at > ?", service, sha256(code), counts(since))[0] ?? null,
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
