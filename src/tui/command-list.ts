import { isJsonObject, type JsonObject } from "../signal/json.ts";
import type { WireSession } from "./wire-session.ts";

/** A command of a conversation, as the daemon lists it. */
export type ListedCommand = { readonly name: string; readonly usage: string; readonly help: string };

/** Commands that the screen runs itself. */
const ownCommands: readonly ListedCommand[] = [
  { name: "clear", usage: "/clear", help: "empty the screen" },
  { name: "theme", usage: "/theme dark|light", help: "change the colours" },
];

/** The commands that can be completed: those of the daemon, asked for when a session opens, and those of the screen. */
export class CommandList {
  #commands: readonly ListedCommand[] = ownCommands;
  #request = "";

  get commands(): readonly ListedCommand[] {
    return this.#commands;
  }

  ask(session: WireSession): void {
    this.#request = session.request({ action: "help" });
  }

  /** Takes the daemon's list; false for every other message. */
  take({ type, id, payload }: JsonObject): boolean {
    if (type !== "response" || id !== this.#request || !isJsonObject(payload)) return false;
    const { text } = payload;
    if (typeof text === "string") this.#commands = [...readCommands(text), ...ownCommands];
    return true;
  }
}

/** The commands in the text of `/help`: a line each, its usage and what it does. */
function readCommands(help: string): readonly ListedCommand[] {
  return help.split("\n").flatMap((line) => {
    const [, usage = "", name = "", text = ""] =
      /^\s*(\/([a-z-]+)(?: (?:[A-Z][A-Z|]*|\[[^\]]*\]))*)[\s:–]+(\S.*)$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, usage, help: text }];
  });
}

/** What the screen does with a command itself; null for a command of the daemon. */
export function ownCommandOf(text: string): "exit" | "clear" | "dark" | "light" | null {
  switch (text.trim().toLowerCase()) {
    case "/exit":
    case "/quit":
      return "exit";
    case "/clear":
      return "clear";
    case "/theme dark":
      return "dark";
    case "/theme light":
      return "light";
    default:
      return null;
  }
}
