import type { ChatKernel, DoorSettings, QuestionSettings } from "./chat/chat-kernel.ts";
import type { ChatDoor } from "./chat/open-chat-door.ts";

/** A way to the agent that is opened only where it is set up; before that nothing of it is loaded. */
export type Door = {
  readonly name: "telegram";
  /** Tries a key at the service, and whether chats can be reached with it. Nobody sees anything of it but that the program types. */
  readonly tryKey: (
    key: string,
    asked: { readonly settings: DoorSettings; readonly chats: readonly string[] },
  ) => Promise<KeyTrial>;
  /** Loads and opens it. */
  readonly open: (kernel: ChatKernel, settings: DoorSettings & QuestionSettings) => Promise<ChatDoor>;
};

/** What a key is worth. `name`: whom it belongs to at the service. */
export type KeyTrial =
  | {
      readonly ok: true;
      readonly name: string;
      readonly chats: readonly { readonly chat: string; readonly problem: string | null }[];
    }
  | { readonly ok: false; readonly reason: string };

/** Every door of the program. */
export const doors: readonly Door[] = [
  {
    name: "telegram",
    tryKey: async (key, asked) => (await import("./telegram/try-token.ts")).tryToken(key, asked),
    open: async (kernel, settings) =>
      (await import("./telegram/open-telegram.ts")).openTelegram(kernel, settings),
  },
];
