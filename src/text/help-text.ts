import type { CommandSpec } from "./command-spec.ts";
import { greatest } from "./lists.ts";
import { formsOf, optionForm, synopsisOf } from "./synopsis.ts";

/** The help of a command: its synopsis, what it does, each verb and option, and its exit codes. */
export function helpOf(command: CommandSpec): string {
  const { about, verbs = [], options, notes = [] } = command;
  const rows = [
    ...verbs.map(({ name, arguments: taken, help }) => [`${name} ${formsOf(taken)}`.trim(), help] as const),
    ...Object.entries(options).map(([name, option]) => [withShort(name, option), option.help] as const),
  ];
  const width = Math.min(widest, greatest([0, ...rows.map(([head]) => head.length)]));
  const lines = rows.flatMap(([head, help]) =>
    head.length > width
      ? [`  ${head}`, `  ${" ".repeat(width)}  ${help}`]
      : [`  ${head.padEnd(width)}  ${help}`],
  );
  return [usageOf(command), ...about, ...lines, ...notes, exitLine(command)].join("\n");
}

/** Columns of the widest name that has its explanation beside it. */
const widest = 24;

function withShort(name: string, option: CommandSpec["options"][string]): string {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  return `${short}${optionForm(name, option)}`;
}

/** How a command is called, behind the word `Usage:`. */
export function usageOf(command: CommandSpec): string {
  return `Usage: ${synopsisOf(command).join("\n       ")}`;
}

/** What each exit code of a command means, by code. */
export function exitsOf({ exit }: CommandSpec): readonly (readonly [code: string, meaning: string])[] {
  return Object.entries({ 2: "wrong usage", ...exit });
}

function exitLine(command: CommandSpec): string {
  return `Exit codes: ${exitsOf(command)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}.`;
}
