import type { NewOutgoing } from "../../memory/state/chat-outbox.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { ChatAddresses } from "./chat-addresses.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatMessage, ChatService, ChatTap, OutgoingMessage } from "./chat-service.ts";
import { jsonOf } from "./json-of.ts";

type Question = LoopEvent & { readonly type: "approval-required" };

/**
 * What answers the agent's questions in chats. A door calls it for what came and was kept, and does not look
 * into handles itself.
 */
export type ChatQuestions = {
  /**
   * A question was asked in whatever session; it is told again, without a token, after a start that does not
   * know it.
   */
  readonly asked: (question: Question) => Promise<void>;
  /** The question of a turn waits no longer, however it was answered. */
  readonly over: (turn: string) => Promise<void>;
  /**
   * Somebody tapped a button. It is called again for the same tap where the process was killed before it
   * resolved. Gives the words that are shown for a moment, or that are said; empty where nothing is. Who may
   * answer is for this to decide, by `isOwner`.
   */
  readonly tapped: (tap: ChatTap) => Promise<string>;
  /**
   * The owner's words in a chat, which may be the word that a question wants. True where they are: then they
   * are no words for the agent.
   */
  readonly said: (message: ChatMessage) => Promise<boolean>;
  /** A message with `isCard`, just before it is given to the service: its buttons get what they hold. */
  readonly dress: (key: string, message: OutgoingMessage) => Promise<OutgoingMessage>;
  /** Whether this question is asked here already: then it is not told again. */
  readonly knows: (question: { readonly turn: string; readonly expiresAt: number }) => Promise<boolean>;
};

/** What answering questions may use of a door. Who may answer is `isOwner`. */
export type QuestionParts = ChatAddresses & {
  readonly kernel: ChatKernel;
  readonly service: Pick<ChatService, "name" | "title" | "limits" | "answers">;
  /** Sends a message once, whatever happens meanwhile: on disk when this resolves. */
  readonly post: (message: PostedMessage) => Promise<void>;
  /** The id in its chat of what was posted under a key; null while it was not sent. */
  readonly sentAs: (key: string) => Promise<string | null>;
};

/**
 * A message that is sent once by its key. `edits` names the key of a message of the same chat that it
 * replaces; it is sent after that one.
 */
export type PostedMessage = {
  readonly key: string;
  readonly chat: string;
  readonly message: OutgoingMessage;
  readonly edits?: string;
  /** It is sent to a chat that nobody linked: a code. */
  readonly isForAnybody?: true;
  /** It is a question, whose buttons get what they hold when it is sent. */
  readonly isCard?: true;
};

/** Opens what answers the questions of a door. */
export type OpenChatQuestions = (parts: QuestionParts) => ChatQuestions;

/** A message as the outbox keeps it. `turn`: the turn whose answer it is. */
export function outgoingOf({ key, chat, ...body }: PostedMessage & { readonly turn?: string }): NewOutgoing {
  return { key, chat, body: jsonOf(body) };
}
