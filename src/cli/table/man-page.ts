import type { CommandSpec } from "../../text/command-spec.ts";
import { exitsOf } from "../../text/help-text.ts";
import { formsOf, optionForm, synopsisOf } from "../../text/synopsis.ts";
import { commandGroups } from "./command-table.ts";

/** The page `passepartout(1)`, in the macros of man(7). `day` is that of the page: 2024-01-15. */
export function manPage(program: { readonly version: string; readonly day: string }): string {
  const { version, day } = program;
  return `${[
    `.TH PASSEPARTOUT 1 ${day} "passepartout ${roff(version)}"`,
    ".SH NAME",
    "passepartout \\- a personal agent that lives in your plain\\-text files",
    ".SH SYNOPSIS",
    ".nf",
    ...commandGroups.flatMap(({ commands }) =>
      commands.flatMap((command) => synopsisOf(command).map((line) => bold(line))),
    ),
    ".fi",
    ".SH DESCRIPTION",
    "Without a command a conversation starts: on the whole terminal, else line by line.",
    "In it, and in",
    ".BR ask ,",
    ".B /help",
    "lists the commands that begin with a slash.",
    ...commandGroups.flatMap(({ title, commands }) => [
      `.SH ${roff(title.toUpperCase())}`,
      ...commands.flatMap((command: CommandSpec): readonly string[] =>
        (command.parts ?? [command]).flatMap(section),
      ),
    ]),
    ".SH EXIT STATUS",
    "0 answered or done, 1 failed, 2 wrong usage, 3 blocked, 4 approval pending, 5 over budget, 6 no provider could answer.",
    ".SH FILES",
    ...tagged("~/.config/passepartout/.env", "the settings; passepartout config shows and changes them"),
    ...tagged("~/.local/state/passepartout", "the state: conversations, memory and the journal"),
    ...tagged("~/memex", "your notes, where MEMEX_DIR names no other folder"),
  ].join("\n")}\n`;
}

function section(command: CommandSpec): readonly string[] {
  const { name, about, verbs = [], options, notes = [] } = command;
  return [
    `.SS ${roff(name)}`,
    ".nf",
    ...synopsisOf(command).map((line) => bold(line)),
    ".fi",
    ".PP",
    ...about.flatMap(line),
    ...verbs.flatMap((verb) => tagged(`${verb.name} ${formsOf(verb.arguments)}`.trim(), verb.help)),
    ...Object.entries(options).flatMap(([option, spec]) => {
      const short = spec.short === undefined ? "" : `-${spec.short}, `;
      return tagged(`${short}${optionForm(option, spec)}`, spec.help);
    }),
    ...(notes.length === 0 ? [] : [".PP", ...notes.flatMap(line)]),
    ".PP",
    `Exit status: ${roff(
      exitsOf(command)
        .map(([code, meaning]) => `${code} ${meaning}`)
        .join(", "),
    )}.`,
  ];
}

/** A line of text; one that is indented stands as it is. */
function line(text: string): readonly string[] {
  return text.startsWith(" ") ? [".nf", roff(text), ".fi"] : [roff(text)];
}

function tagged(head: string, text: string): readonly string[] {
  return [".TP", bold(head), roff(text)];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A text without anything that roff would read as its own: backslashes, hyphens, quotes at the start of a line. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^(?=[.'])/, "\\&");
}
