import type { ChatKernel, DoorSettings } from "./chat/chat-kernel.ts";
import type { ChatDoor } from "./chat/open-chat-door.ts";

/** A way to the agent that is opened only where it is set up; before that nothing of it is loaded. */
export type Door = {
  readonly name: "telegram";
  /** Loads and opens it. */
  readonly open: (kernel: ChatKernel, settings: DoorSettings) => Promise<ChatDoor>;
};

/** Every door of the program. */
export const doors: readonly Door[] = [
  {
    name: "telegram",
    open: async (kernel, settings) =>
      (await import("./telegram/open-telegram.ts")).openTelegram(kernel, settings),
  },
];
