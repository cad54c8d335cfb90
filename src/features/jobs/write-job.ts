import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { readOwnFile } from "../../act/files/read-own-file.ts";
import { printJob, readWrittenJobs } from "../../notes/own-jobs.ts";
import { loadConfig } from "../../settings/config.ts";
import { replaceFile } from "../../settings/replace-file.ts";

/** A job as the command line gives it; what was not given is undefined. */
export type NewJob = {
  readonly name: string;
  readonly text: string;
  readonly allows: readonly string[];
  readonly properties: readonly (readonly [name: string, value: string | undefined])[];
};

/** An entry that was written, which can be taken out again; or why it was not written. */
export type JobWriting =
  | { readonly ok: true; readonly takeOut: () => string }
  | { readonly ok: false; readonly problem: string };

/** Writes the entry of a new job to the end of `jobs.org`. */
export async function writeJob(
  { environment, cwd }: { readonly environment: NodeJS.ProcessEnv; readonly cwd: string },
  job: NewJob,
): Promise<JobWriting> {
  const path = join(loadConfig(environment).places.configuration, "jobs.org");
  const read = await readOwnFile(path);
  if (!read.ok) return refused(`${path} could not be read: ${read.message} Nothing was written.`);
  const before = read.value === null ? "" : new TextDecoder().decode(read.value.bytes);
  if (readWrittenJobs(before).some((one) => (one.ok ? one.job.name : one.name) === job.name))
    return refused(
      `There is a job ${job.name} in ${path} already. Change it there, then: passepartout jobs add ${job.name}`,
    );
  const properties = job.properties.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, name === "FOLDER" ? resolve(cwd, value) : value] as const],
  );
  const oneLine = [...properties.map(([, value]) => value), ...job.allows];
  if (oneLine.some((value) => /[\p{Cc}]/u.test(value)) || /^\*/m.test(job.text))
    return refused(
      "Write the schedule, each option and each step on one line, and begin no line of the words with a star. Nothing was written.",
    );
  const entry = printJob({ ...job, properties });
  const [written] = readWrittenJobs(entry);
  if (written === undefined || !written.ok)
    return refused(
      `The job ${job.name} was not written: ${written === undefined ? "its entry could not be read back as a job" : written.problem}.`,
    );
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  const after = `${before === "" ? "#+TITLE: Jobs\n\n" : before}${gap}${entry}`;
  replaceFile(path, after);
  return { ok: true, takeOut: () => takeOut(path, { before, after, isNew: read.value === null }) };
}

/**
 * Makes the file as it was before an entry was written, unless it was changed since. Says what became of the
 * entry.
 */
function takeOut(
  path: string,
  { before, after, isNew }: { readonly before: string; readonly after: string; readonly isNew: boolean },
): string {
  if (readFileSync(path, "utf8") !== after)
    return `Its entry stays in ${path}, which was changed meanwhile: change or delete it there.`;
  if (isNew) rmSync(path);
  else replaceFile(path, before);
  return `Nothing stays of it in ${path}.`;
}

function refused(problem: string): JobWriting {
  return { ok: false, problem };
}
