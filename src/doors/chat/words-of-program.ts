import { commandUsages } from "../../perceive/command-usages.ts";
import { sealedChannels } from "../../signal/actuator.ts";
import { describeError } from "../../text/describe-error.ts";
import { atTerminal, chatCommands } from "./chat-command.ts";
import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatService } from "./chat-service.ts";

/**
 * What the program itself says, for a chat: without the names of private files where the service could read
 * them, and with a line that tells which of the commands that it names work at the terminal alone.
 */
export async function wordsOfProgram(
  kernel: Pick<ChatKernel, "hidePrivateNames" | "report">,
  { name, title }: Pick<ChatService, "name" | "title">,
  text: string,
): Promise<string> {
  if (sealedChannels.has(name)) return withPlaces(text);
  try {
    return withPlaces(await kernel.hidePrivateNames(text));
  } catch (error) {
    kernel.report(`What is private is not known, so it is not said in ${title}: ${describeError(error)}`);
    return "It was done, or not: the words for it may name private files, and stand at the terminal.";
  }
}

function withPlaces(text: string): string {
  const named = [...text.matchAll(/(?<![\w/.~])\/([a-z][a-z-]*)(?![\w/-]|\.\w)/g)].map(
    ([, name = ""]) => name,
  );
  const elsewhere = commandUsages
    .map(({ name }) => name)
    .filter((name) => named.includes(name) && !chatCommands.includes(name));
  return elsewhere.length === 0
    ? text
    : `${text}\n\n(Only at the terminal: ${elsewhere.map((name) => `/${name}`).join(", ")}. ${atTerminal})`;
}
