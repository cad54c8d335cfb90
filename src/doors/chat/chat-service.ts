/** A conversation of a chat service. Ids are texts, whatever the service counts by. */
export type ChatPlace = {
  readonly id: string;
  readonly kind: "private" | "group" | "channel";
  /** As people call it; words of others. Empty where the service does not say. */
  readonly title: string;
};

/** Somebody in a chat. */
export type ChatSender = { readonly id: string; readonly name: string; readonly isBot: boolean };

/**
 * A file that came with a message, by the id under which the service gives it. `bytes`: its size; null where
 * the service does not say.
 */
export type ChatFile = {
  readonly id: string;
  readonly kind: "photo" | "voice" | "file";
  readonly name: string;
  readonly bytes: number | null;
  /** Seconds of a voice note; null for any other file. */
  readonly seconds: number | null;
};

/** What a service tells of. `id` is the service's own, and the same for each time that it tells of it. */
export type ChatUpdate = { readonly id: string } & (
  | {
      readonly kind: "message";
      readonly chat: ChatPlace;
      readonly sender: ChatSender;
      /** The id of the message in its chat. */
      readonly message: string;
      readonly text: string;
      /** When its sender said it, by their clock. Unix milliseconds; left out where that is not told. */
      readonly saidAt?: number;
      /**
       * The parts of the text that are marked as a quotation, as code or as struck out: no words of the
       * sender's.
       */
      readonly quotes?: readonly string[];
      /** Whether the words are somebody else's: forwarded, or made by another program. */
      readonly isForwarded: boolean;
      /** In a group: whether it is said to this program. In a private chat always true. */
      readonly isAddressed: boolean;
      /** What it replies to, where that is somebody else's words. */
      readonly quoted?: string;
      /** The message that it replies to; null where there is none. */
      readonly replyTo: string | null;
      readonly files: readonly ChatFile[];
      /** It is of a kind that nobody here reads: a sticker, a place, a poll. */
      readonly isUnreadable?: true;
      /** Somebody changed what they had said. */
      readonly isEdit?: true;
      /** Only the beginning of the words came. */
      readonly isCut?: true;
      /** Nobody was linked when it came, and its words were not kept. */
      readonly isWordless?: true;
    }
  | {
      readonly kind: "tap";
      readonly chat: ChatPlace;
      readonly sender: ChatSender;
      readonly message: string;
      /**
       * What the button held, with its handle hashed (`hashButtonData`); or the emoji of a reaction, empty
       * where it was taken back.
       */
      readonly handle: string;
      /** The id by which the tap itself is answered. */
      readonly tap: string;
    }
  | { readonly kind: "stop"; readonly chat: ChatPlace; readonly draft: string }
  /** A group has another id from now on. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  | {
      readonly kind: "unknown";
      /** The names of its fields. */
      readonly what: string;
      /** Who sent it, and in which chat; left out where nobody did, or where that is not told. */
      readonly from?: { readonly chat: string; readonly sender: string };
    }
);

/** The kinds of update that somebody sent. */
export type ChatMessage = ChatUpdate & { readonly kind: "message" };
export type ChatTap = ChatUpdate & { readonly kind: "tap" };

/** A button below a message. One without a handle is disabled: it shows an outcome. */
export type ChatButton = {
  readonly text: string;
  /** Random, at most 64 bytes of ASCII. */
  readonly handle: string | null;
  readonly style?: "good" | "bad";
};

/** What is sent to a chat. */
export type OutgoingMessage = {
  readonly text: string;
  /** `markdown` is shown as such where the service can do that without harm, else as it is. */
  readonly format: "markdown" | "plain";
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly ChatButton[])[];
  /** In a group, the one member who sees it. */
  readonly onlyFor?: string;
  /**
   * The parts of a plain text in which the service looks for no links, names and commands. UTF-16 code units.
   */
  readonly code?: readonly { readonly from: number; readonly length: number }[];
  /** Cannot be forwarded or saved, where the service can see to that. */
  readonly isProtected?: boolean;
};

/** Why a request to a service failed. */
export type ChatFailure =
  /** Nothing came back, or nothing whole: nobody knows whether it was done. */
  | { readonly ok: false; readonly code: "unknown-outcome"; readonly reason: string }
  /**
   * It was not done, and may be tried again, after so many milliseconds where the service says so. `toDo`:
   * what the owner has to do first, which they are told on their machine.
   */
  | {
      readonly ok: false;
      readonly code: "try-later";
      readonly reason: string;
      readonly after: number | null;
      /** The id that the chat has now. */
      readonly movedTo?: string;
      /** Another program receives what is meant for this one: only the owner can end that. */
      readonly isConflict?: true;
      readonly toDo?: string;
    }
  /** It was not done, and never will be: the chat is gone, or the person blocked the program. */
  | { readonly ok: false; readonly code: "refused"; readonly reason: string }
  /** The key is missing, locked or not accepted: nothing works before the owner does something. */
  | { readonly ok: false; readonly code: "no-access"; readonly reason: string };

export type ReceiveResult =
  | {
      readonly ok: true;
      readonly updates: readonly ChatUpdate[];
      /** What to ask from the next time, which acknowledges these; null where nothing changes. */
      readonly cursor: string | null;
      /**
       * What is wrong with it all the same, such as an update that cannot be read: it is told, and there is a
       * pause.
       */
      readonly problem?: string;
    }
  /** `mayBeLost`: whether a message may have been on its way, which nobody gives again. */
  | (ChatFailure & { readonly mayBeLost?: boolean });

export type SendResult = { readonly ok: true; readonly message: string } | ChatFailure;
export type DoneResult = { readonly ok: true } | ChatFailure;

/** A chat service as all of this folder sees it: one face for each. */
export type ChatService = {
  readonly name: "telegram" | "signal";
  /** As people write it. */
  readonly title: string;
  readonly limits: {
    /** UTF-16 code units of one message. */
    readonly characters: number;
    /** Milliseconds between two changes of a draft; null where the service has no drafts. */
    readonly draftEvery: number | null;
  };
  /** How people answer a question: by a button below it, or by a reaction to it. */
  readonly answers: "buttons" | "reactions";
  /**
   * Waits for updates, some tens of seconds where there are none. What came before the cursor is acknowledged
   * by it. What a call gave counts, also where it was cancelled meanwhile.
   */
  readonly receive: (cursor: string | null, cancel: AbortSignal) => Promise<ReceiveResult>;
  /** Whether what it gave once it gives to nobody again. */
  readonly givesOnce?: true;
  readonly send: (chat: string, message: OutgoingMessage, cancel: AbortSignal) => Promise<SendResult>;
  /** Puts another text and other buttons in the place of a message. An edit that changes nothing is done. */
  readonly edit: (
    at: { readonly chat: string; readonly message: string },
    message: OutgoingMessage,
    cancel: AbortSignal,
  ) => Promise<DoneResult>;
  /**
   * Answers a tap, so that the button stops waiting; `text` is shown for a moment. Left out where nothing can
   * be
   * shown at a tap: then it is a message.
   */
  readonly answerTap?: (tap: string, text: string, cancel: AbortSignal) => Promise<DoneResult>;
  /**
   * Shows a text in a private chat for some seconds, with a button that stops it; the same id changes what is
   * shown. Left out where the service has no drafts.
   */
  readonly draft?: (
    chat: string,
    draft: { readonly id: number; readonly text: string },
    cancel: AbortSignal,
  ) => Promise<DoneResult>;
  /** The bytes of a file; null where there are more than `most`. Left out where the service gives none. */
  readonly download?: (
    file: string,
    most: number,
    cancel: AbortSignal,
  ) => Promise<{ readonly ok: true; readonly bytes: Uint8Array | null } | ChatFailure>;
  /**
   * The program that stands between, with its version, in words; null while that is not known. Left out where
   * there is none.
   */
  readonly program?: () => string | null;
  /**
   * By what the messages of a chat are counted: chats with the same name here have no two messages with one
   * id.
   */
  readonly counterOf: (chat: string) => string;
  /** The later of two messages of a counter. */
  readonly newer: (one: string, other: string) => string;
  /**
   * The message of this program after the given ones in a chat, which says whether a send of unknown outcome
   * was done; null where there is none. Left out where the service cannot tell.
   */
  readonly findSent?: (
    chat: string,
    sent: { readonly after: string; readonly message: OutgoingMessage },
    cancel: AbortSignal,
  ) => Promise<SendResult | { readonly ok: true; readonly message: null }>;
};
