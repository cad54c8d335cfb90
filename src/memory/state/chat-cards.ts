import type { Json } from "../../text/json.ts";
import { json } from "../storage/rows.ts";
import type { ChatDatabase } from "./chat-database.ts";

/**
 * The questions that were asked in chats: what each shows, by which hashes it is answered, and how it ended.
 */
export type ChatCards = {
  /** The oldest first. */
  readonly all: (service: string) => Promise<readonly Json[]>;
  /** Keeps these, and drops those of these ids, in one step that is on disk when this resolves. */
  readonly save: (
    service: string,
    cards: readonly { readonly id: string; readonly body: Json }[],
    dropped: readonly string[],
  ) => Promise<void>;
};

/** The cards of a database. */
export function openChatCards(chats: ChatDatabase): ChatCards {
  return {
    all: async (service) =>
      (
        chats.reading()?.all("SELECT body FROM chat_cards WHERE service = ? ORDER BY number", service) ?? []
      ).map((row) => json<Json>(row, "body")),
    save: async (service, cards, dropped) => {
      const database = chats.writing();
      await database.forced(() => {
        for (const id of dropped)
          database.run("DELETE FROM chat_cards WHERE service = ? AND id = ?", service, id);
        for (const { id, body } of cards)
          database.run(
            `INSERT INTO chat_cards (service, id, body) VALUES (?, ?, ?)
             ON CONFLICT (service, id) DO UPDATE SET body = excluded.body`,
            service,
            id,
            JSON.stringify(body),
          );
      });
    },
  };
}
