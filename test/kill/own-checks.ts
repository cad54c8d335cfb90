import { PassThrough } from "node:stream";
import { journalCommand } from "../../src/features/inspect/journal.ts";
import { memoryCommand } from "../../src/features/notes/memory.ts";
import type { CliCommand, Io } from "../../src/kernel/io.ts";
import { describeError } from "../../src/text/describe-error.ts";
import { type Ended, environmentOf, type World } from "./world.ts";

const checks: readonly (readonly [name: string, command: CliCommand, verb: string])[] = [
  ["journal", journalCommand, "verify"],
  ["journal", journalCommand, "replay"],
  ["memory", memoryCommand, "verify"],
];

/** Runs the program's own checks of its journal and memory, in this process: they only read, and to start a process for each would take longer than to check. */
export async function runOwnChecks(world: World, provider: string): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const [name, command, verb] of checks) {
    const said = { out: "", err: "" };
    const io: Io = {
      args: [verb],
      cwd: world.workspace,
      environment: environmentOf(world, provider),
      version: "0.0.0-test",
      outIsTerminal: false,
      outputsAreOne: false,
      inputIsPipe: false,
      errIsTerminal: false,
      input: new PassThrough(),
      output: new PassThrough(),
      out: (text) => {
        said.out += text;
      },
      err: (text) => {
        said.err += text;
      },
      onInterrupt: () => () => undefined,
    };
    const code = await command(io).catch((fault: unknown) => {
      io.err(describeError(fault));
      return 1;
    });
    ended.push({ args: `${name} ${verb}`, code, stdout: said.out, stderr: said.err });
  }
  return ended;
}
