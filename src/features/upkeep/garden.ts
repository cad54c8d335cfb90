import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { printLinked } from "../../program/print-linked.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { gardenSpec } from "./command-specs.ts";
import { lookThroughNotes } from "./look-through-notes.ts";

/** Lists what is out of order in the notes. */
export async function gardenCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, gardenSpec);
  const looked = await lookThroughNotes(makeStartContext(io));
  if (looked === null) {
    io.err("Nothing was looked through.\n");
    return exitCodes.failed;
  }
  const { findings, files } = looked;
  if (values.json)
    for (const { code, file, line, message, repairable } of findings)
      io.out(`${JSON.stringify({ code, file, line, message, repairable })}\n`);
  else
    printLinked(
      io,
      findings.map(({ code, file, line, message, repairable, path }) => ({
        shown: file === "" ? "(index)" : file,
        path,
        rest: `${line === 0 ? "" : `:${line}`}: ${message} [${code}${repairable ? ", can be repaired" : ""}]`,
      })),
    );
  if (findings.length === 0 && !values.json) io.out(`Nothing is out of order in ${files} files.\n`);
  return findings.length === 0 ? exitCodes.done : exitCodes.failed;
}
