import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { loadConfig } from "../../settings/config.ts";
import { orgTangleSpec } from "./command-specs.ts";
import { type TangledTarget, tangleOrgFile, type UnexpectedTarget } from "./tangle-org-file.ts";

/** Writes the source blocks of an Org file into the files that they name. */
export async function orgTangleCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, orgTangleSpec);
  const [file = ""] = words;
  const tangled = await tangleOrgFile({
    cwd: io.cwd,
    home: io.environment["HOME"] ?? io.cwd,
    file,
    stateFolder: loadConfig(io.environment).places.state,
    check: values.check,
    force: values.force,
    mayWrite: (files) => askToWrite(io, files, values.yes),
  });
  if (!tangled.ok) {
    io.err(`passepartout: ${tangled.message.replace(/\.?$/, ".")}\n`);
    return exitCodes.failed;
  }
  const { targets, notes } = tangled.value;
  if (values.json)
    for (const { path, state, written, line, blocks } of targets)
      io.out(`${JSON.stringify({ file: path, state, written, line, blocks })}\n`);
  else for (const target of targets) io.out(`${shown(target.path)}: ${describe(target, file)}\n`);
  for (const { line, message } of notes) io.err(`${shown(file)}:${line}: ${shown(message)}.\n`);
  const left = targets.some(({ written, state }) => !written && state !== "same");
  return left || notes.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** Asks about files in places where nobody expects them of an Org file. */
async function askToWrite(io: Io, files: readonly UnexpectedTarget[], yes: boolean): Promise<boolean> {
  if (yes) return true;
  for (const { path, why } of files) io.err(`${shown(path)} would be written, and is ${shown(why)}.\n`);
  const answer = await confirm(io, `Write ${files.length === 1 ? "it" : `these ${files.length} files`}?`);
  if (answer === null) io.err("Nobody is here to ask. To write them, add --yes.\n");
  return answer === true;
}

function describe({ state, written, blocks, line }: TangledTarget, source: string): string {
  const count = `${blocks} ${blocks === 1 ? "block" : "blocks"}`;
  if (written) return `written (${count})`;
  switch (state) {
    case "same":
      return `as ${shown(source)} has it (${count})`;
    case "absent":
      return "not there yet";
    case "older":
      return `older than ${shown(source)}, from line ${line} on`;
    case "edited":
      return `changed since it was tangled, from line ${line} on; not written. Take the change into ${shown(source)}, or replace it with --force`;
    default:
      return state satisfies never;
  }
}

function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}
