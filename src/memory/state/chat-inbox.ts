import type { Clock } from "../../text/clock.ts";
import type { Json } from "../../text/json.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, type Row, text, textOrNull } from "../storage/rows.ts";
import type { ChatDatabase } from "./chat-database.ts";
import { insertOutgoing, type NewOutgoing } from "./chat-outbox.ts";
import { timeForDeleting } from "./deleting-clock.ts";

/** An update of a chat service that is not handled to its end. */
export type KeptUpdate = {
  /** Its place in the order in which they came. */
  readonly number: number;
  readonly id: string;
  /** The turn that it began; null before. */
  readonly turn: string | null;
  readonly body: Json;
};

/** What chat services sent: each update is kept before it is acknowledged, and handled once by its id. */
export type ChatInbox = {
  /**
   * Keeps updates with the cursor that acknowledges them, all on disk when this resolves. Gives how many were
   * not known.
   */
  readonly keep: (
    service: string,
    updates: readonly { readonly id: string; readonly body: Json }[],
    cursor: string | null,
  ) => Promise<number>;
  readonly cursor: (service: string) => Promise<string | null>;
  /** The updates behind a place that nothing was done about, the oldest first. */
  readonly unhandled: (
    service: string,
    asked: { readonly after: number; readonly most: number },
  ) => Promise<readonly KeptUpdate[]>;
  /** The updates whose turns were not answered yet, the oldest first. */
  readonly begun: (service: string) => Promise<readonly KeptUpdate[]>;
  readonly ofTurn: (service: string, turn: string) => Promise<KeptUpdate | null>;
  /** Notes the turn that an update began. */
  readonly begin: (service: string, id: string, turn: string) => Promise<void>;
  /** Ends an update together with what is sent for it. Its words are forgotten here. */
  readonly end: (service: string, id: string, outgoing: readonly NewOutgoing[]) => Promise<void>;
  /** Ends an update that nobody here understands, and keeps it for later versions. */
  readonly setAside: (service: string, id: string) => Promise<void>;
};

/** Milliseconds for which the ids of handled updates are known: services repeat none so late. */
const known = 30 * 86_400_000;
/** The updates that were set aside, of one service, that are kept: the newest. */
const mostSetAside = 1000;

/** The inbox of a database. */
export function openChatInbox(chats: ChatDatabase, clock: Clock): ChatInbox {
  const find = (where: string, ...values: readonly (string | number)[]): readonly KeptUpdate[] =>
    (
      chats.reading()?.all(`SELECT number, id, turn, body FROM chat_inbox WHERE ${where}`, ...values) ?? []
    ).map(updateOf);
  return {
    ...writeInbox(chats, clock),
    cursor: async (service) => {
      const row = chats
        .reading()
        ?.get("SELECT value FROM chat_marks WHERE service = ? AND name = 'cursor'", service);
      return row === undefined ? null : json<string>(row, "value");
    },
    unhandled: async (service, { after, most }) =>
      find("service = ? AND state = 'new' AND number > ? ORDER BY number LIMIT ?", service, after, most),
    begun: async (service) => find("service = ? AND state = 'begun' ORDER BY number", service),
    ofTurn: async (service, turn) =>
      find("service = ? AND state = 'begun' AND turn = ?", service, turn)[0] ?? null,
  };
}

function writeInbox(
  chats: ChatDatabase,
  clock: Clock,
): Pick<ChatInbox, "keep" | "begin" | "end" | "setAside"> {
  const write = <T>(work: (database: Database) => T): Promise<T> => {
    const database = chats.writing();
    return database.forced(() => work(database));
  };
  return {
    keep: (service, updates, cursor) =>
      write((database) => {
        const fresh = updates.map(({ id, body }) =>
          insertUpdate(database, { service, id, body, at: clock() }),
        );
        if (cursor !== null)
          database.run(
            "INSERT OR REPLACE INTO chat_marks VALUES (?, 'cursor', ?)",
            service,
            JSON.stringify(cursor),
          );
        const count = fresh.reduce((sum, one) => sum + one, 0);
        if (count > 0) dropOld(database, service, clock());
        return count;
      }),
    begin: async (service, id, turn) => {
      const begun =
        "UPDATE chat_inbox SET state = 'begun', turn = ? WHERE service = ? AND id = ? AND state = 'new'";
      await write((database) => database.run(begun, turn, service, id));
    },
    end: (service, id, outgoing) =>
      write((database) => {
        const ended = database.run(
          "UPDATE chat_inbox SET state = 'done', body = NULL WHERE service = ? AND id = ? AND state IN ('new', 'begun')",
          service,
          id,
        );
        if (ended > 0) for (const one of outgoing) insertOutgoing(database, service, one, clock());
      }),
    setAside: async (service, id) => {
      const aside = "UPDATE chat_inbox SET state = 'aside' WHERE service = ? AND id = ? AND state = 'new'";
      await write((database) => database.run(aside, service, id));
    },
  };
}

type NewUpdate = { readonly service: string; readonly id: string; readonly body: Json; readonly at: number };

/** 0 where it is known. */
function insertUpdate(database: Database, { service, id, body, at }: NewUpdate): number {
  return database.run(
    "INSERT OR IGNORE INTO chat_inbox (service, id, state, turn, at, body) VALUES (?, ?, 'new', NULL, ?, ?)",
    service,
    id,
    at,
    JSON.stringify(body),
  );
}

/** Forgets the ids of updates that were handled long ago, and what was set aside beyond its room. */
function dropOld(database: Database, service: string, now: number): void {
  database.run(
    "DELETE FROM chat_inbox WHERE service = ? AND state = 'done' AND at < ?",
    service,
    timeForDeleting(database, now) - known,
  );
  const last = database.get(
    "SELECT number FROM chat_inbox WHERE service = ? AND state = 'aside' ORDER BY number DESC LIMIT 1 OFFSET ?",
    service,
    mostSetAside,
  );
  if (last !== undefined)
    database.run(
      "UPDATE chat_inbox SET state = 'done', body = NULL WHERE service = ? AND state = 'aside' AND number <= ?",
      service,
      integer(last, "number"),
    );
}

function updateOf(row: Row): KeptUpdate {
  return {
    number: integer(row, "number"),
    id: text(row, "id"),
    turn: textOrNull(row, "turn"),
    body: json<Json>(row, "body"),
  };
}
