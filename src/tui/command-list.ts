import { isJsonArray, isJsonObject, type Json } from "../signal/json.ts";

/** A command of a conversation, as the daemon lists it. */
export type ListedCommand = { readonly name: string; readonly usage: string; readonly help: string };

/** Commands that the screen runs itself. */
const ownCommands: readonly ListedCommand[] = [
  { name: "clear", usage: "/clear", help: "empty the screen" },
  { name: "theme", usage: "/theme dark|light", help: "change the colours" },
];

/** The commands that can be completed: those that the daemon lists, and those of the screen. */
export function listedCommands(data: Json): readonly ListedCommand[] {
  const listed = (isJsonArray(data) ? data : []).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const { name, usage, help } = one;
    const isWhole = typeof name === "string" && typeof usage === "string" && typeof help === "string";
    return isWhole ? [{ name, usage, help }] : [];
  });
  return [...listed, ...ownCommands];
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
