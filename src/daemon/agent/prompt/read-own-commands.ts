import { join } from "node:path";
import { readOwnFile } from "../../../act/files/read-own-file.ts";
import type { FileLabelRules } from "../../../memory/notes/labels/label-of-file.ts";
import type { OwnCommand } from "../../../notes/own-commands.ts";
import { commandUsages } from "../../../perceive/command-usages.ts";

/** The largest file of commands, in bytes. */
const maxBytes = 256 * 1024;

/** What reading the commands needs. */
type CommandsFileParts = {
  readonly configuration: string;
  readonly rules: FileLabelRules;
  readonly report: (message: string) => void;
};

/** The owner's own commands: `commands.org` of the configuration folder, as it is now. A name of the program's own commands means those. */
export async function readCommandsFile({
  configuration,
  rules,
  report,
}: CommandsFileParts): Promise<readonly OwnCommand[]> {
  const path = join(configuration, "commands.org");
  const read = await readOwnFile(path, maxBytes);
  if (!read.ok) {
    report(`Your commands in ${path} could not be read: ${read.message}`);
    return [];
  }
  if (read.value === null) return [];
  const [{ readOwnCommands }, { labelPreparedEntries }] = await Promise.all([
    import("../../../notes/own-commands.ts"),
    import("../../../memory/notes/labels/label-of-prepared.ts"),
  ]);
  const taken = new Set(commandUsages.map(({ name }) => name));
  const text = new TextDecoder().decode(read.value.bytes);
  const labelOf = await labelPreparedEntries({ path, text }, rules);
  return readOwnCommands(text, labelOf).filter(({ name }) => !taken.has(name));
}
