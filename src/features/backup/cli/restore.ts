import { resolve } from "node:path";
import { makeJournalPort } from "../../../daemon/agent/resources/journal-port.ts";
import { openStateForWriting } from "../../../daemon/serve.ts";
import type { Io } from "../../../kernel/io.ts";
import { confirm } from "../../../program/confirm.ts";
import { exitCodes, readStandardInput, usageError } from "../../../program/io.ts";
import { parseCommand } from "../../../program/options.ts";
import { readHiddenLine } from "../../../program/read-hidden-line.ts";
import { showProgress } from "../../../program/show-progress.ts";
import { makeStartContext } from "../../../program/start-context.ts";
import { withInterrupt } from "../../../program/with-interrupt.ts";
import { loadPolicy, type Policy } from "../../../settings/policy.ts";
import type { StartContext } from "../../../settings/start-context.ts";
import { resolveLinks } from "../../../settings/user-folders.ts";
import { countOf } from "../../../text/count-of.ts";
import { describeBytes } from "../../../text/describe-bytes.ts";
import { describeError } from "../../../text/describe-error.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import { restoreSpec } from "../command-specs.ts";
import { hasNotes } from "../manifest.ts";
import { measureAll } from "../measure-folder.ts";
import { planRestore, type RestorePlan } from "../plan-restore.ts";
import { type Restored, restoreBackup, undoRestore } from "../restore-backup.ts";
import { describeNotes } from "../restored-notes.ts";

/** Restores a backup, or takes the last restore back. */
export async function restoreCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, restoreSpec);
  const [given] = words;
  if (values.undo === (given !== undefined))
    throw usageError(values.undo ? "--undo takes no FILE." : "restore needs a FILE.", restoreSpec);
  const policy = loadPolicy(io.environment);
  if (given === undefined) {
    const undone = undoRestore(policy, new Date());
    await record(io, undone, "restore-undone");
    return tell(io, values.json, undone);
  }
  return restore(io, { policy, file: resolve(io.cwd, given), values });
}

type Wanted = {
  readonly policy: Policy;
  readonly file: string;
  readonly values: Readonly<Record<keyof typeof restoreSpec.options, boolean>>;
};

async function restore(io: Io, { policy, file, values }: Wanted): Promise<number> {
  const { notes, json } = values;
  const progress = showProgress(io);
  const plan = await withInterrupt(io, (signal) =>
    planRestore(policy, file, {
      notes,
      environment: io.environment,
      signal,
      onProgress: (...at) => progress.update("Checking", ...at),
    }).finally(progress.end),
  );
  if (values["dry-run"]) {
    io.out(json ? `${JSON.stringify(planOf(plan))}\n` : describePlan(plan));
    return exitCodes.done;
  }
  io.err(describePlan(plan));
  if (plan.key === "missing" && !values["without-key"]) {
    io.err(
      "The key that opens secret earlier contents is neither here nor in the backup. To restore without it, add --without-key. Nothing was changed.\n",
    );
    return exitCodes.failed;
  }
  const passphrase =
    plan.key === "passphrase" && !values["without-key"] ? await readPassphrase(io, values.passphrase) : null;
  if (!values.yes) {
    const answer = await confirm(io, "Restore it?");
    if (answer !== true) {
      io.err(answer === null ? "Nothing was changed. To restore it, add --yes.\n" : "Nothing was changed.\n");
      return exitCodes.failed;
    }
  }
  const restored = await withInterrupt(io, (signal) =>
    restoreBackup({
      policy,
      file,
      plan,
      passphrase,
      now: new Date(),
      signal,
      onProgress: (...at) => progress.update("Restoring", ...at),
    }).finally(progress.end),
  );
  await record(io, restored, "restored");
  if (restored.withoutGroup > 0)
    io.err(
      `The group of the backup, or the bit that hands it on, could not be given to some files and folders of the notes (${restored.withoutGroup}): you are not in that group here, or the disk does not keep it.\n`,
    );
  return tell(io, json, restored);
}

async function readPassphrase(io: Io, fromInput: boolean): Promise<string> {
  if (!fromInput && io.input.isTTY === true) return readHiddenLine(io, "Passphrase of the backup: ");
  if (fromInput) return (await readStandardInput(io)).split(/\r?\n/, 1)[0] ?? "";
  throw usageError(
    "The backup has a key that a passphrase opens: give it on standard input with --passphrase, or restore with --without-key.",
    restoreSpec,
  );
}

/** Journals what was restored, in the state that is there now, and names what was ended in it. */
async function record(io: Io, { exchanges }: Restored, event: "restored" | "restore-undone"): Promise<void> {
  const places = exchanges.map(({ place }) => place);
  const { ended, problem } = await recordRestore(makeStartContext(io), { event, places });
  if (problem !== null) io.err(`${problem}\n`);
  if (ended.length === 0) return;
  io.err(
    "These were not finished when the backup was made. They may have been done since, so each was ended and stays in its session:\n",
  );
  for (const what of ended) io.err(`  ${escapeInvisible(what)}\n`);
}

function tell(io: Io, json: boolean, { exchanges }: Restored): number {
  const kept = exchanges.map(({ place, aside }) => ({ place, aside }));
  if (json) io.out(`${JSON.stringify({ restored: kept })}\n`);
  else {
    for (const { place, aside } of kept) {
      const there = measureAll(aside).files === 0 ? "Nothing was there." : `What was there is in ${aside}.`;
      io.out(`${place} is restored. ${there}\n`);
    }
    io.out("To take this back: passepartout restore --undo\n");
  }
  return exitCodes.done;
}

function planOf({ manifest, places, settings, key, notes: folders }: RestorePlan) {
  const { made, program, notes, omitted } = manifest;
  return {
    made,
    program,
    notes,
    notesFolders: { now: folders.now, after: folders.after },
    omitted,
    key,
    settings,
    places: places.map(({ prefix: _, ...place }) => place),
  };
}

function describePlan({ manifest, places, settings, notes }: RestorePlan): string {
  const { made, program, omitted } = manifest;
  const lines = places.map(({ place, files, bytes, now }) => {
    const there =
      now.changed === null
        ? "nothing is there now"
        : `there ${now.files === 1 ? "is" : "are"} ${countOf(now.files, "file")} now (${describeBytes(now.bytes)}, the newest of ${localTime(now.changed)})`;
    return `  ${place}: ${countOf(files, "file")} (${describeBytes(bytes)}); ${there}`;
  });
  const keys = omitted
    .filter(({ path }) => path.startsWith("configuration/"))
    .map(({ path, why }) => `  ${path}: ${why}`);
  return `${[
    `This backup was made on ${localTime(Date.parse(made))} by version ${program}, and is whole.`,
    "It takes the place of:",
    ...lines,
    ...(settings.length === 0 ? [] : ["Of your settings:"]),
    ...settings.map(({ path, change }) => `  ${path}: ${changes[change]}`),
    ...(keys.length === 0
      ? []
      : [
          "Not in the backup, so set them again if you need them (what you have now is kept aside):",
          ...keys,
        ]),
    ...leftOut(manifest, places),
    ...describeNotes(notes).map((line) => escapeInvisible(line)),
  ].join("\n")}\n`;
}

/** What the backup has and this restore leaves where it is: the notes, unless they were asked for. */
function leftOut(manifest: RestorePlan["manifest"], places: RestorePlan["places"]): readonly string[] {
  const { notes } = manifest;
  if (notes.length === 0) return [];
  if (!hasNotes(manifest)) {
    const where = notes.map((name) => escapeInvisible(name)).join(", ");
    const isAny = manifest.omitted.some(({ path }) => /^notes\/\d+\/./.test(path));
    return [
      isAny
        ? `No notes are in it: all that was in ${where} was left out, and it names each.`
        : `No notes are in it: there were none in ${where}.`,
    ];
  }
  if (places.some(({ kind }) => kind === "notes")) return [];
  return [
    `The notes in it (${notes.map((name) => escapeInvisible(name)).join(", ")}) stay out: add --notes to restore them too.`,
  ];
}

const changes = {
  new: "not there now",
  changed: "another one than now",
  removed: "not in the backup, and then only in what is kept aside",
} as const;

function localTime(at: number): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Journals that folders were restored, or that this was taken back, in the state that is there now, and ends
 * what was unfinished in a restored one; not where that state was left alone. Gives what it ended, and why
 * it could not, in words.
 */
async function recordRestore(
  { environment }: StartContext,
  detail: { readonly event: "restored" | "restore-undone"; readonly places: readonly string[] },
): Promise<{ readonly ended: readonly string[]; readonly problem: string | null }> {
  try {
    const policy = loadPolicy(environment);
    if (!detail.places.includes(resolveLinks(policy.config.places.state)))
      return { ended: [], problem: null };
    await using state = await openStateForWriting(policy);
    await makeJournalPort(state)({ kind: "note", detail });
    return { ended: await state.endRestored(), problem: null };
  } catch (error) {
    return { ended: [], problem: `This is done, but not in the journal: ${describeError(error)}` };
  }
}
