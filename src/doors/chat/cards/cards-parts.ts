import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import type { LocalNow } from "../../../text/format-time.ts";
import type { PostedMessage } from "../question-hook.ts";
import type { CardPlace, OpenCard, QuestionEnd, QuestionKey } from "./open-card.ts";

/** Where cards are kept. What resolved is on the disk. */
export type CardStore = {
  /** The oldest first. */
  readonly all: () => Promise<readonly OpenCard[]>;
  /** Keeps these cards, and drops those of these ids, in one step. */
  readonly save: (cards: readonly OpenCard[], dropped: readonly string[]) => Promise<void>;
};

/** The questions of the agent. */
export type QuestionDesk = {
  /** Answers a question, at most once. False where the answer did not count: `endOf` tells why. */
  readonly answer: (question: QuestionKey, answer: "yes" | "no") => Promise<boolean>;
  /** How a question ended; null while it waits. */
  readonly endOf: (question: QuestionKey) => Promise<QuestionEnd | null>;
};

/** What questions in the chats of a service need. */
export type QuestionCardsParts = {
  readonly store: CardStore;
  readonly desk: QuestionDesk;
  /** The name of the service, with which the keys of messages begin. */
  readonly service: string;
  /** How a card is answered: `buttons` have handles, `reactions` are bound to the message alone. */
  readonly answers: "buttons" | "reactions";
  /** Where a question is asked; null where it is not asked here. */
  readonly placeOf: (question: ApprovalQuestion) => Promise<CardPlace | null>;
  /** Whether the service may not read what is asked. */
  readonly isPrivate: (question: ApprovalQuestion) => Promise<boolean>;
  readonly isOwner: (chat: string, member: string) => boolean;
  /**
   * Whether a card may stand on a lock screen; else it says at first that there is a question, and nothing of
   * it.
   */
  readonly mayStandOnLockScreen: boolean;
  readonly assistant: string;
  /** Sends a message once by its key, whatever happens meanwhile: on disk when this resolves. */
  readonly post: (message: PostedMessage) => Promise<void>;
  /** The id in its chat of what was posted under a key; null while it was not sent. */
  readonly sentAs: (key: string) => Promise<string | null>;
  readonly time: () => LocalNow;
  readonly report: (message: string) => void;
};
