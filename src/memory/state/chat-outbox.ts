import type { Clock } from "../../text/clock.ts";
import type { Json } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import type { ChatDatabase } from "./chat-database.ts";
import { timeForDeleting } from "./deleting-clock.ts";

/** What is to be sent to a chat. The same key is sent once. */
export type NewOutgoing = { readonly key: string; readonly chat: string; readonly body: Json };

/** What waits to be sent. `sending`: a process began to send it, and it is not known whether it was sent. */
export type KeptOutgoing = NewOutgoing & {
  readonly state: "waiting" | "sending";
  /** The last message of the chat that was known when its sending began; null before. */
  readonly after: string | null;
};

/** What is sent to chats: kept until the service gave the message's id, which is the proof of delivery. */
export type ChatOutbox = {
  /** On disk when this resolves. A key that is known changes nothing. */
  readonly put: (service: string, outgoing: readonly NewOutgoing[]) => Promise<void>;
  /** What waits in each chat first, the oldest first. */
  readonly next: (service: string) => Promise<readonly KeptOutgoing[]>;
  /**
   * Notes that it is being sent. `after`: the last message of its chat that is known, by which a later
   * process finds out whether it was sent.
   */
  readonly begin: (service: string, key: string, after: string | null) => Promise<void>;
  /** It was certainly not sent, and waits again. */
  readonly putBack: (service: string, key: string) => Promise<void>;
  /** It was sent, as this message. */
  readonly sent: (service: string, key: string, message: string) => Promise<void>;
  /** It can never be sent. */
  readonly dead: (service: string, key: string, reason: string) => Promise<void>;
  /** How it stands with a key; null for one that is not known. */
  readonly find: (service: string, key: string) => Promise<SentState | null>;
  readonly counts: (service: string) => Promise<{ readonly waiting: number; readonly dead: number }>;
};

/** How far something is on its way. `message` is its id in the chat once it was sent. */
export type SentState = {
  readonly state: "waiting" | "sending" | "sent" | "dead";
  readonly message: string | null;
  readonly reason: string | null;
};

/** Milliseconds for which what was sent is known by its key. */
const known = 30 * 86_400_000;

/** The outbox of a database. */
export function openChatOutbox(chats: ChatDatabase, clock: Clock): ChatOutbox {
  return { ...writeOutbox(chats, clock), ...readOutbox(chats) };
}

type Writing = "put" | "begin" | "putBack" | "sent" | "dead";

function writeOutbox(chats: ChatDatabase, clock: Clock): Pick<ChatOutbox, Writing> {
  const write = (work: (database: Database) => void): Promise<void> => {
    const database = chats.writing();
    return database.forced(() => work(database));
  };
  const set = (change: string) => (service: string, key: string, value: string | null) =>
    write((database) => {
      database.run(`UPDATE chat_outbox SET ${change} WHERE service = ? AND key = ?`, value, service, key);
    });
  const putBack = set("state = 'waiting', message = ?");
  return {
    put: (service, outgoing) =>
      write((database) => {
        for (const one of outgoing) insertOutgoing(database, service, one, clock());
        database.run(
          "DELETE FROM chat_outbox WHERE service = ? AND state IN ('sent', 'dead') AND at < ?",
          service,
          timeForDeleting(database, clock()) - known,
        );
      }),
    begin: set("state = 'sending', message = ?"),
    putBack: (service, key) => putBack(service, key, null),
    sent: set("state = 'sent', body = NULL, message = ?"),
    dead: set("state = 'dead', body = NULL, reason = ?"),
  };
}

function readOutbox(chats: ChatDatabase): Omit<ChatOutbox, Writing> {
  return {
    next: async (service) =>
      (
        chats.reading()?.all(
          `SELECT key, chat, state, message, body FROM chat_outbox WHERE number IN (
             SELECT min(number) FROM chat_outbox WHERE service = ? AND state IN ('waiting', 'sending') GROUP BY chat
           ) ORDER BY number`,
          service,
        ) ?? []
      ).map(outgoingOf),
    find: async (service, key) => {
      const row = chats
        .reading()
        ?.get("SELECT state, message, reason FROM chat_outbox WHERE service = ? AND key = ?", service, key);
      if (row === undefined) return null;
      const state = oneOf(row, "state", ["waiting", "sending", "sent", "dead"]);
      return { state, message: textOrNull(row, "message"), reason: textOrNull(row, "reason") };
    },
    counts: async (service) => {
      const row = chats.reading()?.get(
        `SELECT coalesce(sum(state IN ('waiting', 'sending')), 0) AS waiting, coalesce(sum(state = 'dead'), 0) AS dead
         FROM chat_outbox WHERE service = ?`,
        service,
      );
      return row === undefined
        ? { waiting: 0, dead: 0 }
        : { waiting: integer(row, "waiting"), dead: integer(row, "dead") };
    },
  };
}

/** Puts something into the outbox, as a part of the caller's transaction. */
export function insertOutgoing(
  database: Database,
  service: string,
  { key, chat, body }: NewOutgoing,
  at: number,
): void {
  database.run(
    "INSERT OR IGNORE INTO chat_outbox (service, key, chat, state, at, body) VALUES (?, ?, ?, 'waiting', ?, ?)",
    service,
    key,
    chat,
    at,
    JSON.stringify(body),
  );
}

function outgoingOf(row: Row): KeptOutgoing {
  const state = oneOf(row, "state", ["waiting", "sending"]);
  return {
    key: text(row, "key"),
    chat: text(row, "chat"),
    state,
    after: textOrNull(row, "message"),
    body: json<Json>(row, "body"),
  };
}
