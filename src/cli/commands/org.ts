import { type CliCommand, HelpRequest, type Io, UsageError } from "./io.ts";

const usage = `passepartout org parse FILE… | --jsonl IN   one line of JSON a file, or a fragment, with its syntax tree and headlines
       passepartout org print FILE                 the file as it is parsed and printed back, byte for byte
       passepartout org check FILE…                every problem of the files, with its line and column
       passepartout org edit FILE                  applies operations, a JSON array on standard input, as Emacs's commands would
Exit codes: 0 done, 1 a file could not be read or a problem was found, 2 wrong use. COMMAND --help says more of each.`;

/** What can be done with files of Org, loaded when it is called. */
const commands: ReadonlyMap<string, () => Promise<CliCommand>> = new Map([
  ["parse", async () => (await import("./org-parse.ts")).orgParseCommand],
  ["print", async () => (await import("./org-print.ts")).orgPrintCommand],
  ["check", async () => (await import("./org-check.ts")).orgCheckCommand],
  ["edit", async () => (await import("./org-edit.ts")).orgEditCommand],
]);

/** Works on files of Org alone, without an agent. */
export async function orgCommand(io: Io): Promise<number> {
  const [first = "", ...rest] = io.args;
  const command = commands.get(first);
  if (command !== undefined) return (await command())({ ...io, args: rest });
  if (first === "--help" || first === "-h") throw new HelpRequest(`Usage: ${usage}`);
  const wrong = first === "" ? "org needs a command" : `there is no command 'org ${first}'`;
  throw new UsageError(`${wrong}.\nUsage: ${usage}`);
}
