import type { ChatKernel, DoorSettings, QuestionSettings } from "./chat/chat-kernel.ts";
import type { ChatDoor } from "./chat/open-chat-door.ts";

/** A way to the agent that is opened only where it is set up; before that nothing of it is loaded. */
export type Door = {
  readonly name: "telegram" | "signal";
  /** What the owner is asked for: its key in the vault. */
  readonly key: { readonly words: string; readonly isSecret: boolean };
  /** Whom the owner writes to. */
  readonly peer: string;
  /**
   * Tries a key at the service, and whether chats can be reached with it. Nobody sees anything of it but that
   * the program types.
   */
  readonly tryKey: (
    key: string,
    asked: { readonly settings: DoorSettings; readonly chats: readonly string[] },
  ) => Promise<KeyTrial>;
  /** Loads and opens it. */
  readonly open: (kernel: ChatKernel, settings: DoorSettings & QuestionSettings) => Promise<ChatDoor>;
};

/**
 * What a key is worth. `name`: whom it belongs to at the service; `program`: what stands between, where
 * something does.
 */
export type KeyTrial =
  | {
      readonly ok: true;
      readonly name: string;
      readonly program?: string;
      readonly chats: readonly { readonly chat: string; readonly problem: string | null }[];
    }
  | { readonly ok: false; readonly reason: string };

/** Every door of the program. */
export const doors: readonly Door[] = [
  {
    name: "telegram",
    key: { words: "The token of the bot (it is not shown)", isSecret: true },
    peer: "the bot",
    tryKey: async (key, asked) => (await import("./telegram/try-token.ts")).tryToken(key, asked),
    open: async (kernel, settings) =>
      (await import("./telegram/open-telegram.ts")).openTelegram(kernel, settings),
  },
  {
    name: "signal",
    key: {
      words:
        "Where signal-cli's daemon listens, and the agent's own number (such as /run/user/1000/signal-cli/socket +4915112345678)",
      isSecret: false,
    },
    peer: "the agent's number",
    tryKey: async (key, asked) => (await import("./signal/try-daemon.ts")).tryDaemon(key, asked),
    open: async (kernel, settings) => (await import("./signal/open-signal.ts")).openSignal(kernel, settings),
  },
];
