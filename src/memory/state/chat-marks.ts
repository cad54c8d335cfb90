import type { Json } from "../../text/json.ts";
import { json } from "../storage/rows.ts";
import type { ChatDatabase } from "./chat-database.ts";

/** Single values of a chat service, by name: how it stands, and which session a chat has. */
export type ChatMarks = {
  readonly get: (service: string, name: string) => Promise<Json>;
  /** Not forced to disk: what a power cut takes is found again. */
  readonly set: (service: string, name: string, value: Json) => Promise<void>;
};

/** The marks of a database. */
export function openChatMarks(chats: ChatDatabase): ChatMarks {
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
