import { join } from "node:path";
import { readOwnFile } from "../../../act/files/read-own-file.ts";
import type { ReadJob } from "../../../notes/own-jobs.ts";
import type { Policy } from "../../../settings/policy.ts";
import { bottomLabel, type Label, secrecyOf } from "../../../signal/label.ts";
import { labelRulesOf } from "../resources/label-rules.ts";
import type { LoopResources } from "../resources/loop-resources.ts";

/** The path of the owner's jobs, `jobs.org` of the configuration folder. */
export function jobsFile({ policy }: { readonly policy: Pick<Policy, "config"> }): string {
  return join(policy.config.places.configuration, "jobs.org");
}

/** The text of the owner's jobs, with its byte order mark; empty where there is no such file. Throws where it cannot be read. */
export async function readJobs(path: string): Promise<string> {
  const read = await readOwnFile(path);
  if (!read.ok) throw new Error(`${path} could not be read: ${read.message}`);
  return read.value === null ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.value.bytes);
}

/** The largest file of jobs, in bytes. */
const maxBytes = 256 * 1024;

type ReadingParts = Pick<LoopResources, "policy" | "state" | "report">;

/**
 * The jobs that the owner wrote, as they stand in `jobs.org` now; null where it cannot be read, which is
 * reported.
 */
export async function readWrittenJobsFile(resources: ReadingParts): Promise<readonly ReadJob[] | null> {
  const path = jobsFile(resources);
  const read = await readOwnFile(path, maxBytes);
  if (!read.ok) {
    resources.report(`Your jobs in ${path} could not be read: ${read.message}`);
    return null;
  }
  if (read.value === null) return [];
  const [{ readWrittenJobs }, { labelPreparedEntries }] = await Promise.all([
    import("../../../notes/own-jobs.ts"),
    import("../../../memory/notes/labels/label-of-prepared.ts"),
  ]);
  const text = new TextDecoder().decode(read.value.bytes);
  const labelOf = await labelPreparedEntries({ path, text }, labelRulesOf(resources));
  return readWrittenJobs(text, { labelOf });
}

/** How secret the entry of a job is as it stands now. What cannot be read counts as private. */
export async function labelOfEntry(resources: ReadingParts, name: string): Promise<Label> {
  const written = await readWrittenJobsFile(resources);
  if (written === null) return { ...bottomLabel, secrecy: "private" };
  const found = written.flatMap((read) => (read.ok && read.job.name === name ? [read.job.label] : []));
  return secrecyOf(found);
}
