import { entriesOf, parseLoose, plain, textOf, valueAt } from "./foreign-servers.ts";
import { parseToml } from "./parse-toml.ts";

/** A job of another agent, in words. */
export type ForeignJob = { readonly name: string; readonly when: string; readonly what: string };

/** Reads the jobs of a file. Throws where it cannot be parsed. */
export type ReadJobs = (text: string) => Promise<readonly ForeignJob[]>;

/** The most jobs of one file. */
const mostJobs = 200;

/** `{jobs: [{name, schedule: {kind, expr, tz | everyMs | at}, payload: {message | text}}]}` */
export const jobsOfOpenClaw: ReadJobs = async (text) =>
  jobsIn(await parseLoose(text)).map((job) => ({
    name: nameOf(job),
    when: scheduleOf(valueAt(job, ["schedule"])),
    what: textOf(valueAt(job, ["payload", "message"])) ?? textOf(valueAt(job, ["payload", "text"])) ?? "",
  }));

/** `{jobs: [{name, prompt, schedule: {kind, expr, display} | text}]}` */
export const jobsOfHermes: ReadJobs = async (text) =>
  jobsIn(await parseLoose(text)).map((job) => ({
    name: nameOf(job),
    when: textOf(valueAt(job, ["schedule_display"])) ?? scheduleOf(valueAt(job, ["schedule"])),
    what: textOf(valueAt(job, ["prompt"])) ?? "",
  }));

/** One job a file: `name`, `prompt`, `rrule`. */
export const jobsOfCodex: ReadJobs = async (text) => {
  const job = plain(parseToml(text));
  return [
    {
      name: nameOf(job),
      when: textOf(valueAt(job, ["rrule"])) ?? textOf(valueAt(job, ["schedule"])) ?? "",
      what: textOf(valueAt(job, ["prompt"])) ?? "",
    },
  ];
};

function jobsIn(tree: unknown): readonly unknown[] {
  const jobs = Array.isArray(tree) ? tree : valueAt(tree, ["jobs"]);
  return Array.isArray(jobs) ? jobs.slice(0, mostJobs) : [];
}

function nameOf(job: unknown): string {
  return textOf(valueAt(job, ["name"])) ?? textOf(valueAt(job, ["id"])) ?? "a job without a name";
}

function scheduleOf(schedule: unknown): string {
  const text = textOf(schedule);
  if (text !== null) return text;
  const fields = entriesOf(schedule);
  const parts = ["display", "expr", "at", "run_at", "everyMs", "minutes", "tz"].flatMap((name) => {
    const value = textOf(fields.get(name));
    return value === null ? [] : [name === "everyMs" ? `every ${value} ms` : value];
  });
  return [...new Set(parts)].join(" ");
}
