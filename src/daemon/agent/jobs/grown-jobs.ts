import { sha256 } from "../../../machine/digest.ts";
import type { State } from "../../../memory/state/state.ts";
import { readWrittenJobs } from "../../../notes/own-jobs.ts";
import { cutEntry, replaceEntry } from "../../../notes/reflex-entry.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Job } from "../../../signal/jobs/job.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { pushAll } from "../../../text/lists.ts";
import type { DerivedLookups, GrownJob } from "../../commands/plan-derived.ts";
import { jobsFile, readJobs } from "./jobs-file.ts";

/** What finding derived jobs needs: the owner's file of jobs, and the jobs in force. */
export type GrownJobParts = {
  readonly state: Pick<State, "jobs" | "jobShadows" | "origins">;
  readonly policy: Pick<Policy, "config" | "writeJobs">;
  readonly jobs: {
    readonly keep: (job: Job) => Promise<void>;
    readonly remove: (name: string) => Promise<void>;
  };
};

/** How many lines of a text are derived. */
type Share = "all" | "part" | "none";

/** Finds the jobs whose words are derived from a source, and removes those words: an unchanged reflex gets its owner's words again, any other job ends. */
export function makeGrownJobs(parts: GrownJobParts): Pick<DerivedLookups, "jobsFrom" | "takeBackJobs"> {
  return {
    jobsFrom: (isDerived) => findJobs(parts, isDerived),
    async takeBackJobs(jobs) {
      const problems: string[] = [];
      for (const job of jobs) pushAll(problems, await takeBack(parts, job));
      return problems;
    },
  };
}

async function findJobs(
  { state, policy }: GrownJobParts,
  isDerived: (label: Label) => boolean,
): ReturnType<DerivedLookups["jobsFrom"]> {
  const shareOf = async (words: string, label: Label): Promise<Share> => {
    const lines = words.split("\n").flatMap((line) => (line.trim() === "" ? [] : sha256(line.trim())));
    const known = await state.origins.of(lines);
    const grown = lines.filter((line) => {
      const origin = known.get(line);
      return origin !== undefined && !origin.trusted && isDerived(origin.label);
    });
    if (grown.length === lines.length) return "all";
    return grown.length > 0 || isDerived(label) ? "part" : "none";
  };
  const found = new Map<string, GrownJob>();
  const kept: { what: string; why: string }[] = [];
  const running = (await state.jobs.all()).filter(
    ({ work }) => work.kind === "words" && work.skill === undefined,
  );
  for (const { name, work } of running) {
    if (work.kind === "words" && (await shareOf(work.text, work.label ?? bottomLabel)) === "all")
      found.set(name, { name, entry: null, before: null, runs: true });
  }
  for (const read of readWrittenJobs(await readJobs(jobsFile({ policy })))) {
    if (!read.ok) continue;
    const { name, entry, text, label } = read.job;
    const share = await shareOf(text, label);
    if (share === "part")
      kept.push({ what: `the job ${name} in jobs.org`, why: "it has other lines, too; look at it yourself" });
    if (share !== "all") continue;
    const offer = (await state.jobShadows.get(name))?.offer ?? null;
    const isReflex = offer !== null && offer.after.entry === entry;
    found.set(name, {
      name,
      entry,
      before: isReflex ? offer.before : null,
      runs: found.get(name)?.runs ?? false,
    });
  }
  return { jobs: [...found.values()], kept };
}

async function takeBack(
  { state, policy, jobs }: GrownJobParts,
  { name, entry, before, runs }: GrownJob,
): Promise<readonly string[]> {
  // The offer must not put the lines in place again.
  await state.jobShadows.set(name, null);
  if (runs) await (before === null ? jobs.remove(name) : jobs.keep(before.job));
  if (entry === null) return [];
  const text = await readJobs(jobsFile({ policy }));
  const without = before === null ? cutEntry(text, entry) : replaceEntry(text, entry, before.entry);
  if (without === null) return [`The entry of ${name} in jobs.org was changed meanwhile, and stays.`];
  policy.writeJobs(without);
  return [];
}
