import { type CliCommand, HelpRequest, type Io, usageError } from "./io.ts";

const usage = `passepartout org parse FILE… | --jsonl IN   prints the syntax tree and headlines of files or fragments as JSON
       passepartout org print FILE                 parses the file and prints it back, byte for byte
       passepartout org check FILE…                prints each problem of the files with its line and column
       passepartout org edit FILE                  applies operations from standard input, as Emacs's commands would
Add --help to one of these for its options.
Exit codes: 0 done, 1 a file could not be read or has a problem, 2 wrong usage.`;

/** The commands for Org files, each loaded when it is called. */
const commands: ReadonlyMap<string, () => Promise<CliCommand>> = new Map([
  ["parse", async () => (await import("./org-parse.ts")).orgParseCommand],
  ["print", async () => (await import("./org-print.ts")).orgPrintCommand],
  ["check", async () => (await import("./org-check.ts")).orgCheckCommand],
  ["edit", async () => (await import("./org-edit.ts")).orgEditCommand],
]);

/** Works on Org files, without an agent. */
export async function orgCommand(io: Io): Promise<number> {
  const [first = "", ...rest] = io.args;
  const command = commands.get(first);
  if (command !== undefined) return (await command())({ ...io, args: rest });
  if (first === "--help" || first === "-h") throw new HelpRequest(`Usage: ${usage}`);
  const problem = first === "" ? "org needs a command" : `There is no command 'org ${first}'`;
  throw usageError(`${problem}.`, usage);
}
