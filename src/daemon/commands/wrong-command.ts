import { commandUsages } from "../../perceive/command-usages.ts";
import type { OwnerCommand } from "../../perceive/commands.ts";
import { familiarCommand, familiarNames } from "../../text/familiar-commands.ts";
import { nearestName } from "../../text/nearest-name.ts";
import type { LookUpParts } from "./look-up.ts";

/** What is said to a command that there is not, or that was typed wrongly. */
export async function wrongCommand(
  { ownCommands }: Pick<LookUpParts, "ownCommands">,
  command: Extract<OwnerCommand, { readonly kind: "unknown-command" | "misused-command" }>,
): Promise<string> {
  if (command.kind === "misused-command") return `Usage: ${command.usage}. Nothing was done.`;
  const meant = familiarCommand(command.name, command.given);
  if (meant !== null && "instead" in meant) return `There is no command /${command.name}. ${meant.instead}`;
  const ours = [...commandUsages, ...(await ownCommands())].map(({ name }) => name);
  const names = [...ours, ...familiarNames];
  const near = nearestName(command.name, names);
  const hint = near === null ? "" : ` Did you mean /${near}?`;
  return `There is no command /${command.name}.${hint} /help lists them. To say it to the agent, begin with another character.`;
}
