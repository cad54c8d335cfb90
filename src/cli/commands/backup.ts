import { resolve } from "node:path";
import type { Manifest } from "../../backup/manifest.ts";
import { writeBackup } from "../../backup/write-backup.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { describeBytes } from "../../signal/describe-bytes.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { readHiddenLine } from "./read-hidden-line.ts";
import { showProgress } from "./show-progress.ts";
import { withInterrupt } from "./with-interrupt.ts";

const usage = `passepartout backup FILE [--notes] [--passphrase] [--json]
Writes the state, the journal, the vault (encrypted as it is) and the settings into FILE, which must not be there yet, also while the agent runs. Every file is read
back and compared by its hash. No key goes in in clear: settings with keys are left out, and the result names them.
  --notes       takes the notes folders too, with all files in them
  --passphrase  takes the key that opens secret earlier contents too, encrypted with a passphrase of yours: typed twice, or the first line of standard input.
                Without it the backup can be restored whole where this state is, and elsewhere by: passepartout restore FILE --without-key
  --json        prints a JSON object
What commands displaced for /undo, the index of the notes and links are not in it.
Exit codes: 0 written and verified, 1 it could not be made, 2 wrong usage.`;

/** Writes a backup of what this user's agent is made of. */
export async function backupCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    notes: { type: "boolean", default: false },
    passphrase: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const [given, ...more] = positionals;
  if (given === undefined) throw usageError("backup needs the name of a FILE.", usage);
  if (more.length > 0) throw usageError("Too many arguments.", usage);
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
    throw usageError(`A passphrase has ${shortest} characters or more. Nothing was written.`, usage);
  if (isTyped && typed !== (await readHiddenLine(io, "The same passphrase again: ")))
    throw usageError("The two passphrases are not the same. Nothing was written; try again.", usage);
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
    `${file} has ${files} files (${describeBytes(bytes)}). Each was read back and is what it was.`,
  ];
  if (omitted.length > 0)
    lines.push("Left out:", ...omitted.slice(0, shown).map(({ path, why }) => `  ${path}: ${why}`));
  if (omitted.length > shown) lines.push(`  and ${omitted.length - shown} more, which --json lists`);
  if (key === "left-out")
    lines.push(
      "The key that opens secret earlier contents was left out: --passphrase takes it along, encrypted, for another machine.",
    );
  return `${[...lines, `To restore it: passepartout restore ${file}`].join("\n")}\n`;
}

/** How many of the files that were left out are named. */
const shown = 20;
