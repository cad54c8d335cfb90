import { familiarCommand } from "../../text/familiar-commands.ts";
import { isJsonArray, isJsonObject, type Json } from "../../text/json.ts";
import { Block, type Look } from "../screen/block.ts";
import { widthOf, wrap } from "../screen/toolkit.ts";

/** A command of a conversation, as the daemon lists it. */
export type ListedCommand = { readonly name: string; readonly usage: string; readonly help: string };

/** Commands that the screen runs itself. */
const ownCommands: readonly ListedCommand[] = [
  { name: "clear", usage: "/clear", help: "empty the screen" },
  { name: "theme", usage: "/theme [dark|light]", help: "show or change the colours" },
];

/** The commands that can be completed: those that the daemon lists, and those of the screen. */
export function listedCommands(data: Json): readonly ListedCommand[] {
  const listed = (isJsonArray(data) ? data : []).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const { name, usage, help } = one;
    const isWhole = typeof name === "string" && typeof usage === "string" && typeof help === "string";
    return isWhole ? [{ name, usage, help }] : [];
  });
  const names = new Set(listed.map(({ name }) => name));
  return [...listed, ...ownCommands.filter(({ name }) => !names.has(name))];
}

/** A command that the screen runs itself. */
export type OwnCommand = "exit" | "clear" | "theme" | "dark" | "light" | "sessions" | "moments";

/** What the screen does with a command itself, also under the name of another agent that none of the listed commands has; null for a command of the daemon. */
export function ownCommandOf(text: string, listed: readonly ListedCommand[] = []): OwnCommand | null {
  const typed = text.trim().toLowerCase();
  const [, name = "", given = ""] = /^\/([a-z-]+)(?:\s+(.+))?$/.exec(typed) ?? [];
  const meant = listed.some((command) => command.name === name) ? null : familiarCommand(name, given);
  switch (meant !== null && "means" in meant ? meant.means : typed) {
    case "/exit":
      return "exit";
    case "/session":
      return "sessions";
    case "/rewind":
      return "moments";
    case "/clear":
      return "clear";
    case "/theme":
      return "theme";
    case "/theme dark":
      return "dark";
    case "/theme light":
      return "light";
    default:
      return null;
  }
}

/** Columns of the usages, beside which their help stands; a longer usage has a row of its own. */
const usageColumns = 22;
/** Columns of help below which it stands under the usage. */
const leastHelp = 24;

/** The commands as `/help` lists them, in two columns. */
export class CommandsBlock extends Block {
  readonly #commands: readonly ListedCommand[];

  constructor(commands: readonly ListedCommand[]) {
    super();
    this.#commands = commands;
  }

  override get text(): string {
    return this.#commands.map(({ usage, help }) => `${usage}  ${help}`).join("\n");
  }

  protected override layOut(columns: number, { theme }: Look): readonly string[] {
    const isNarrow = columns - usageColumns - 6 < leastHelp;
    const indent = isNarrow ? 5 : usageColumns + 5;
    const rows = this.#commands.flatMap(({ usage, help }) => {
      const text = wrap(help, columns - indent - 1).map((row) => `${" ".repeat(indent)}${row}`);
      const isBeside = !isNarrow && widthOf(usage) <= usageColumns;
      if (!isBeside) return [...wrap(usage, columns - 4).map((row) => `   ${theme.accent(row)}`), ...text];
      const [first = "", ...more] = text;
      return [
        `   ${theme.accent(usage)}${" ".repeat(indent - 3 - widthOf(usage))}${first.trimStart()}`,
        ...more,
      ];
    });
    return ["", ...rows];
  }
}
