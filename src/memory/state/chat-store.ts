import type { Clock } from "../../text/clock.ts";
import type { Json } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";
import { json } from "../storage/rows.ts";
import { type ChatCards, openChatCards } from "./chat-cards.ts";
import { type ChatDatabase, openChatDatabase } from "./chat-database.ts";
import { type ChatInbox, openChatInbox } from "./chat-inbox.ts";
import { type ChatOutbox, openChatOutbox } from "./chat-outbox.ts";
import { type ChatPairings, openChatPairings } from "./chat-pairings.ts";
import { openRequests, type Requests } from "./requests.ts";

/** What chat services sent, and what is on its way to them. */
export type ChatStore = {
  readonly inbox: ChatInbox;
  readonly outbox: ChatOutbox;
  readonly pairings: ChatPairings;
  readonly marks: ChatMarks;
  readonly cards: ChatCards;
  readonly move: MoveChat;
};

/** What came in, of a database: requests of clients, and chats. */
export function openInputs(
  database: Database,
  clock: Clock,
): { readonly requests: Requests; readonly chats: ChatStore } {
  const chats = openChatDatabase(database);
  return {
    requests: openRequests(database, clock),
    chats: {
      inbox: openChatInbox(chats, clock),
      outbox: openChatOutbox(chats, clock),
      pairings: openChatPairings(chats, clock),
      marks: openChatMarks(chats),
      cards: openChatCards(chats),
      move: openChatMove(chats),
    },
  };
}

/** Moves what is kept of a chat to another id of it: what came, what waits to be sent, and its session. */
type MoveChat = (service: string, from: string, to: string) => Promise<void>;

/** The moves of a database. On disk when it resolves; done again, it changes nothing. */
function openChatMove(chats: ChatDatabase): MoveChat {
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

/** Single values of a chat service, by name: how it stands, and which session a chat has. */
type ChatMarks = {
  readonly get: (service: string, name: string) => Promise<Json>;
  /** Not forced to disk: what a power cut takes is found again. */
  readonly set: (service: string, name: string, value: Json) => Promise<void>;
};

/** The marks of a database. */
function openChatMarks(chats: ChatDatabase): ChatMarks {
  return {
    get: async (service, name) => {
      const row = chats
        .reading()
        ?.get("SELECT value FROM chat_marks WHERE service = ? AND name = ?", service, name);
      return row === undefined ? null : json<Json>(row, "value");
    },
    set: async (service, name, value) => {
      const database = chats.writing();
      database.transaction("unforced", () =>
        database.run(
          "INSERT OR REPLACE INTO chat_marks VALUES (?, ?, ?)",
          service,
          name,
          JSON.stringify(value),
        ),
      );
    },
  };
}
