import { join } from "node:path";
import { readOwnFile } from "../../../act/files/read-own-file.ts";
import type { OwnCommand } from "../../../notes/own-commands.ts";
import { commandUsages } from "../../../perceive/command-usages.ts";

/** The largest file of commands, in bytes. */
const maxBytes = 256 * 1024;

/** The owner's own commands: `commands.org` of the configuration folder, as it is now. A name of the program's own commands means those. */
export async function readCommandsFile(
  configuration: string,
  report: (message: string) => void,
): Promise<readonly OwnCommand[]> {
  const path = join(configuration, "commands.org");
  const read = await readOwnFile(path, maxBytes);
  if (!read.ok) {
    report(`Your commands in ${path} could not be read: ${read.message}`);
    return [];
  }
  if (read.value === null) return [];
  const { readOwnCommands } = await import("../../../notes/own-commands.ts");
  const taken = new Set(commandUsages.map(({ name }) => name));
  return readOwnCommands(new TextDecoder().decode(read.value.bytes)).filter(({ name }) => !taken.has(name));
}
