import { join } from "node:path";
import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { installationRoot } from "../../update/own-build.ts";
import { emacsSpec } from "../table/own-specs.ts";

/** Prints the lines by which Emacs finds its client of the agent. */
export async function emacsCommand(io: Io): Promise<number> {
  parseCommand(io, emacsSpec);
  const folder = JSON.stringify(join(installationRoot(), "dist", "emacs"));
  io.output.write(`(add-to-list 'load-path ${folder})\n`);
  for (const [name, file, does, kind] of commands)
    io.output.write(`(autoload '${name} "${file}" ${JSON.stringify(does)} ${kind ?? "t"})\n`);
  io.output.write(
    `(add-to-list 'auto-mode-alist '("/questions\\\\.org\\\\'" . passepartout-questions-open))\n`,
  );
  return exitCodes.done;
}

/** What Emacs loads when it is first used: its name, its file, what it does, and what it is if no command. */
const commands: readonly (readonly [name: string, file: string, does: string, kind?: string])[] = [
  ["passepartout", "passepartout", "Talk to Passepartout."],
  ["passepartout-ask-about-subtree", "passepartout", "Ask Passepartout about a subtree."],
  ["passepartout-agenda", "passepartout-views", "Show what is due."],
  ["passepartout-query", "passepartout-views", "List the headlines that match."],
  ["passepartout-search", "passepartout-views", "List the notes that words find."],
  ["passepartout-backlinks", "passepartout-views", "List the notes that link to this one."],
  ["passepartout-review", "passepartout-review", "Show what jobs proposed."],
  ["passepartout-plan", "passepartout-plans", "Show the flight plan."],
  ["passepartout-capture", "passepartout-follow", "File a note into the inbox."],
  ["passepartout-follow-mode", "passepartout-follow", "Have the focus follow the point."],
  ["passepartout-questions-open", "passepartout-questions", "Show Passepartout's questions."],
  ["passepartout-command-map", "passepartout", "The commands of Passepartout.", "nil 'keymap"],
];
