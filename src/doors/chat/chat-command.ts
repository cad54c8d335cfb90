import { commandUsages } from "../../perceive/command-usages.ts";

const commands = ["undo", "status", "stop", "clear", "help"] as const;
type ChatCommand = (typeof commands)[number];

/**
 * What a whole message asks for that begins with a command: one of chats, or one that no chat obeys, with
 * what the owner is told.
 */
export type AskedCommand =
  | { readonly kind: "command"; readonly command: ChatCommand }
  | { readonly kind: "not-here"; readonly text: string };

/** The commands that take a token. */
const takesToken = /^\s*\/(approve|deny|always)(?=[\s@]|$)/i;

/**
 * Recognises a command of this program in a message. Null for words. `/start` is what a service sends for
 * people.
 */
export function commandOf(text: string): AskedCommand | null {
  const [, word = "", rest = ""] = /^\/([a-z][a-z-]*)(?:@\w+)?(?:\s+([\s\S]+))?$/i.exec(text.trim()) ?? [];
  const name = word.toLowerCase();
  if (takesToken.test(text)) return { kind: "not-here", text: noTokens };
  if (name === "start") return { kind: "command", command: "help" };
  const command = commands.find((one) => one === name);
  if (command === undefined)
    return commandUsages.some((one) => one.name === name) && !text.trim().includes("\n")
      ? {
          kind: "not-here",
          text: `/${name} is a command of the terminal, and does nothing in a chat. ${atTerminal}`,
        }
      : null;
  if (rest === "") return { kind: "command", command };
  return rest.includes("\n")
    ? null
    : { kind: "not-here", text: `/${name} stands alone in a chat: type nothing behind it.` };
}

/** Commands that work in a chat. */
export const chatCommands: readonly string[] = commands;

/** Where the other commands work. */
export const atTerminal =
  "At the terminal, passepartout sessions lists the sessions: that of this chat can be continued there.";
const noTokens =
  "Tokens are typed at the terminal: here others could read them. Nothing was done. Answer the question by its buttons, or at the terminal.";

/** A message without what stands behind a command that takes a token. */
export function withoutToken(text: string): string {
  return takesToken.exec(text)?.[0] ?? text;
}
