import type { CommandSpec } from "../../text/command-spec.ts";
import { formsOf } from "../../text/synopsis.ts";
import { commandGroups } from "./command-table.ts";

/** The help of the whole program: every command with what it does. */
export function programHelp({
  version,
  description,
}: {
  readonly version: string;
  readonly description: string;
}): string {
  const groups = commandGroups.map(
    ({ title, commands }) =>
      `${title}:\n${commands.map((command: CommandSpec) => row(command)).join("\n")}\n`,
  );
  return `passepartout ${version}: ${description}

${groups.join("\n")}
  passepartout --version | --help | COMMAND --help

Without a command a conversation starts: on the whole terminal, else line by line.
Exit codes: 0 answered or done, 1 failed, 2 wrong usage, 3 blocked, 4 approval pending, 5 over budget, 6 no provider could answer.
In a conversation and in ask, /help lists the commands that begin with a slash.
`;
}

/** Columns of a command, beside which its summary stands; a longer one has its summary below. */
const columns = 38;

function row(command: CommandSpec): string {
  const { name, summary, verbs, parts, arguments: taken } = command;
  const firsts = verbs ?? parts?.map((part) => ({ name: part.name.slice(name.length + 1) }));
  const words = firsts === undefined ? formsOf(taken) : firsts.map((first) => first.name).join("|");
  const head = `  passepartout ${name} ${words}`.trimEnd();
  return head.length >= columns
    ? `${head}\n${" ".repeat(columns)} ${summary}`
    : `${head.padEnd(columns)} ${summary}`;
}
