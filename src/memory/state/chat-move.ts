import type { ChatDatabase } from "./chat-database.ts";

/** Moves what is kept of a chat to another id of it: what came, what waits to be sent, and its session. */
export type MoveChat = (service: string, from: string, to: string) => Promise<void>;

/** The moves of a database. On disk when it resolves; done again, it changes nothing. */
export function openChatMove(chats: ChatDatabase): MoveChat {
  return async (service, from, to) => {
    const database = chats.writing();
    await database.forced(() => {
      database.run(
        "UPDATE chat_outbox SET chat = ? WHERE service = ? AND chat = ? AND state IN ('waiting', 'sending')",
        to,
        service,
        from,
      );
      database.run(
        `UPDATE chat_inbox SET body = json_set(body, '$.chat.id', ?)
         WHERE service = ? AND state IN ('new', 'begun') AND body ->> '$.chat.id' = ?`,
        to,
        service,
        from,
      );
      database.run(
        `INSERT OR REPLACE INTO chat_marks (service, name, value)
         SELECT service, 'session:' || ?, value FROM chat_marks WHERE service = ? AND name = 'session:' || ?`,
        to,
        service,
        from,
      );
      database.run("DELETE FROM chat_marks WHERE service = ? AND name = 'session:' || ?", service, from);
    });
  };
}
