import { resolve } from "node:path";
import type { Io } from "../../../kernel/io.ts";
import { exitCodes, readStandardInput, usageError } from "../../../program/io.ts";
import { parseCommand } from "../../../program/options.ts";
import { readHiddenLine } from "../../../program/read-hidden-line.ts";
import { showProgress } from "../../../program/show-progress.ts";
import { withInterrupt } from "../../../program/with-interrupt.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import { countOf } from "../../../text/count-of.ts";
import { describeBytes } from "../../../text/describe-bytes.ts";
import { quoteForShell } from "../../../text/quote-for-shell.ts";
import { backupSpec } from "../command-specs.ts";
import { describeExposure } from "../describe-exposure.ts";
import { hasNotes, type Manifest } from "../manifest.ts";
import { writeBackup } from "../write-backup.ts";

/** Writes a backup of what this user's agent is made of. */
export async function backupCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, backupSpec);
  const [given = ""] = words;
  const file = resolve(io.cwd, given);
  const policy = loadPolicy(io.environment);
  const passphrase = values.passphrase ? await chooseBackupPassphrase(io) : null;
  const progress = showProgress(io);
  const manifest = await withInterrupt(io, (signal) =>
    writeBackup({
      policy,
      version: io.version,
      file,
      notes: values.notes,
      passphrase,
      now: new Date(),
      onProgress: (part, done, all) => progress.update(parts[part], done, all),
      signal,
    }).finally(progress.end),
  );
  if (values.json) io.out(`${JSON.stringify(summaryOf(file, manifest))}\n`);
  else io.out(describe(file, manifest));
  return exitCodes.done;
}

const parts = { collect: "Reading what goes in", write: "Writing", verify: "Reading it back" } as const;

/** Characters of the shortest passphrase. */
const shortest = 8;

async function chooseBackupPassphrase(io: Io): Promise<string> {
  const isTyped = io.input.isTTY === true;
  const typed = isTyped
    ? await readHiddenLine(io, "Passphrase of the backup (it is not shown, and nobody can find it again): ")
    : firstLine(await readStandardInput(io));
  if (typed.length < shortest)
    throw usageError(`A passphrase has ${shortest} characters or more. Nothing was written.`, backupSpec);
  if (isTyped && typed !== (await readHiddenLine(io, "The same passphrase again: ")))
    throw usageError("The two passphrases are not the same. Nothing was written; try again.", backupSpec);
  return typed;
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

function summaryOf(file: string, { files, omitted, notes, sealing, key, made }: Manifest) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const sealed = sealing === null ? "none" : key === null ? "left-out" : "encrypted";
  return { file, made, files: files.length, bytes, notes, key: sealed, omitted };
}

function describe(file: string, manifest: Manifest): string {
  const { files, bytes, omitted, key } = summaryOf(file, manifest);
  const lines = [
    `${file} has ${countOf(files, "file")} (${describeBytes(bytes)}). Each was read back and is what it was.`,
  ];
  if (omitted.length > 0)
    lines.push(
      ["Left out:", ...omitted.slice(0, shown).map(({ path, why }) => `  ${path}: ${why}`)].join("\n"),
    );
  if (omitted.length > shown) lines.push(`  and ${omitted.length - shown} more, which --json lists`);
  if (key === "left-out")
    lines.push(
      "The key that opens secret earlier contents was left out: --passphrase takes it along, encrypted, for another machine.",
    );
  const exposed = describeExposure(file);
  if (exposed !== null) lines.push(exposed);
  const notes = hasNotes(manifest) ? " --notes" : "";
  const word = /^[\w@%+=:,./-]+$/.test(file) ? file : quoteForShell(file);
  return `${[...lines, `To restore it: passepartout restore${notes} ${word}`].join("\n")}\n`;
}

/** How many of the files that were left out are named. */
const shown = 20;
