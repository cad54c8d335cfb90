import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { type ChatCards, openChatCards } from "./chat-cards.ts";
import { openChatDatabase } from "./chat-database.ts";
import { type ChatInbox, openChatInbox } from "./chat-inbox.ts";
import { type ChatMarks, openChatMarks } from "./chat-marks.ts";
import { type MoveChat, openChatMove } from "./chat-move.ts";
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
