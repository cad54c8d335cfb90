import type { CliCommand, Io } from "../../kernel/io.ts";
import { HelpRequest, usageError } from "../../program/io.ts";
import { helpOf } from "../../text/help-text.ts";
import { nearestName } from "../../text/nearest-name.ts";
import { orgSpec } from "./command-specs.ts";

/** The commands for Org files, each loaded when it is called. */
const commands: ReadonlyMap<string, () => Promise<CliCommand>> = new Map([
  ["parse", async () => (await import("./org-parse.ts")).orgParseCommand],
  ["print", async () => (await import("./org-print.ts")).orgPrintCommand],
  ["check", async () => (await import("./org-check.ts")).orgCheckCommand],
  ["tangle", async () => (await import("./org-tangle.ts")).orgTangleCommand],
  ["archive", async () => (await import("./org-archive.ts")).orgArchiveCommand],
  ["edit", async () => (await import("./org-edit.ts")).orgEditCommand],
]);

/** Works on Org files, without an agent. */
export async function orgCommand(io: Io): Promise<number> {
  const [first = "", ...rest] = io.args;
  const command = commands.get(first);
  if (command !== undefined) return (await command())({ ...io, args: rest });
  if (first === "--help" || first === "-h") throw new HelpRequest(helpOf(orgSpec));
  throw usageError(noPart(first), orgSpec);
}

function noPart(name: string): string {
  const names = orgSpec.parts.map((part) => part.name.slice("org ".length));
  if (name === "") return `org needs one of ${names.join(", ")}.`;
  const near = nearestName(name, names);
  return `There is no command 'org ${name}'.${near === null ? "" : ` Did you mean org ${near}?`}`;
}
