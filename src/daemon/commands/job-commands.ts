import { noCallCaps } from "../../signal/jobs/call-caps.ts";
import type { JobRun, KeptJob } from "../../signal/jobs/job.ts";
import { printHook } from "../../signal/jobs/job-event.ts";
import type { JobRequest } from "../../signal/jobs/job-request.ts";
import type { StandingJob } from "../../signal/jobs/standing-job.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatDuration } from "../../text/format-duration.ts";
import { type AddJobParts, addJob, describeHooks, proposedJobs } from "./add-job.ts";
import type { CommandReply } from "./command-reply.ts";
import { removeJob } from "./remove-job.ts";

/** What the commands about jobs need. */
export type JobCommandParts = AddJobParts & {
  readonly jobs: {
    /** Runs a job now, and says what came of it; null where there is none of that name. */
    readonly runNow: (name: string) => Promise<{ readonly ok: boolean; readonly text: string } | null>;
    readonly resume: (name: string) => Promise<boolean>;
    /** Takes what did not go well out of the agenda; false where nothing of it is there. */
    readonly dismiss: (name: string) => Promise<boolean>;
  };
};

/** Runs that a log shows. */
const mostShown = 50;

/** Runs a command about jobs. */
export async function runJobCommand(
  parts: JobCommandParts,
  request: JobRequest,
  session: string,
): Promise<CommandReply> {
  switch (request.verb) {
    case "list":
      return listJobs(parts);
    case "log":
      return showLog(parts, request.name);
    case "add":
      return addJob(parts, request.name, session);
    case "remove":
      return removeJob(parts, request.name, session);
    case "run": {
      const standing = await standingOf(parts, request.name);
      const came = standing === null ? await parts.jobs.runNow(request.name) : await standing.run();
      if (came === null) return noJob(request.name);
      const code = came.ok ? "job-run" : "not-done";
      return {
        code,
        text: escapeInvisible(came.text),
        data: { code, name: request.name, said: came.text },
      };
    }
    case "dismiss":
      return dismiss(parts, request.name);
    case "pause":
    case "resume":
      return pause(parts, request.name, { paused: request.verb === "pause", session });
  }
}

async function listJobs(parts: JobCommandParts): Promise<CommandReply> {
  const { jobs } = parts.state;
  const listed = await Promise.all(
    (await jobs.all()).map(async (job) => {
      const [last] = await jobs.runs.list({ job: job.name, most: 1 });
      const offer = (await parts.state.jobShadows.get(job.name))?.offer ?? null;
      const digest = job.work.kind === "words" ? job.work.digest : "";
      const isReflex = offer?.after.job.work.kind === "words" && offer.after.job.work.digest === digest;
      return { job, last: last ?? null, reflexBy: isReflex ? (offer?.proposal ?? null) : null };
    }),
  );
  const proposed = await proposedJobs(parts);
  if (listed.length + proposed.length === 0)
    return {
      code: "jobs",
      text: "There are no jobs yet: they need the daemon, which adds those of the program when it starts. Start it with `passepartout daemon`, or keep it running with `passepartout service install`.",
      data: [],
    };
  const now = Date.now();
  const standing = await Promise.all(
    parts.jobs.standing.map(async (job) => ({ job, last: await job.last(), next: job.next() })),
  );
  const lines = listed.flatMap(({ job, last, reflexBy }) => [
    describeJob(job, last, now),
    ...(reflexBy === null
      ? []
      : [`  a reflex since you accepted it; passepartout review undo ${reflexBy} gives it back its words`]),
  ]);
  return {
    code: "jobs",
    text: [
      ...standing.map((one) => describeStanding(one, now)),
      ...lines,
      ...proposed.map(({ name, text }) => `${name}: ${text}`),
    ].join("\n"),
    data: [
      ...standing.map(standingData),
      ...listed.map(({ job, last, reflexBy }) => ({ ...jobData(job, last), "reflex-by": reflexBy })),
      ...proposed.map(({ name, text }) => ({ name, proposed: text })),
    ],
  };
}

/** What the program does all the time, by its name. A job of the owner that has the name came first. */
async function standingOf({ state, jobs }: JobCommandParts, name: string): Promise<StandingJob | null> {
  const standing = jobs.standing.find((one) => one.name === name);
  return standing === undefined || (await state.jobs.get(name)) !== null ? null : standing;
}

type Standing = { readonly job: StandingJob; readonly last: number | null; readonly next: number | null };

function describeStanding({ job, last, next }: Standing, now: number): string {
  const coming = next === null ? "" : `, next ${next > now ? `in ${formatDuration(next - now)}` : "now"}`;
  const came = last === null ? "not yet since the start" : `last ${formatDuration(now - last)} ago`;
  return `${job.name}: ${job.does}\n  ${job.when}${coming} · ${came}`;
}

function standingData({ job: { name, does, when, whyNotPaused }, last, next }: Standing) {
  return {
    name,
    does,
    tier: "reflex",
    trigger: "standing",
    when,
    paused: false,
    "never-paused": whyNotPaused,
    "next-ms": next,
    "last-ms": last,
  };
}

function describeJob(job: KeptJob, last: JobRun | null, now: number): string {
  const when = job.paused ? "paused" : describeTrigger(job, now);
  const came = last === null ? "did nothing yet" : `${describeState(last)} ${describeTime(last, now)}`;
  return `${escapeInvisible(`${job.name}: ${doesOf(job)}`)}\n  ${escapeInvisible(`${when} · ${came}`)}`;
}

/** What a job does, in one line. */
function doesOf({ work }: KeptJob): string {
  if (work.kind === "built-in") return work.does;
  const [line = ""] = work.text.split("\n", 1);
  return `${line} (${work.tier})`;
}

function describeTrigger(job: KeptJob, now: number): string {
  const when = [
    describeSchedule(job, now),
    ...(job.hooks === undefined ? [] : [describeHooks(job.hooks.on)]),
  ];
  return when.filter((words) => words !== "").join("; ");
}

function describeSchedule({ trigger, next, zone }: KeptJob, now: number): string {
  switch (trigger.kind) {
    case "beat":
      return "at each heartbeat, when something is due";
    case "start":
      return "when the daemon starts";
    case "events":
      return "";
    case "cron":
      return next === null
        ? `${trigger.expression}: never again`
        : `${trigger.expression} in ${zone}, next ${next > now ? `in ${formatDuration(next - now)}` : "now"}`;
  }
}

function describeState({ state, reason, count }: JobRun): string {
  // Only what was missed is several instants in one row; any other run is one, for the events that began it.
  const many = count === 1 ? "" : state === "missed" ? ` ${count} times` : `, for ${count} events`;
  return `${state}${many}${reason === "" ? "" : `: ${reason}`}`;
}

function describeTime({ endedAt, startedAt, scheduled }: JobRun, now: number): string {
  const at = endedAt ?? startedAt ?? scheduled;
  return at > now ? "" : `(${formatDuration(now - at)} ago)`;
}

function jobData(job: KeptJob, last: JobRun | null) {
  const { name, trigger, catchUp, grace, overlap, paused, next, zone } = job;
  return {
    name,
    does: job.work.kind === "built-in" ? job.work.does : job.work.text,
    tier: job.work.kind === "built-in" ? "reflex" : job.work.tier,
    allows: job.work.kind === "built-in" ? [] : job.work.steps.map(({ words }) => words),
    "cap-microdollars": job.work.kind === "built-in" ? 0 : job.work.spendingCap,
    ...capsOf(job),
    trigger: trigger.kind,
    cron: trigger.kind === "cron" ? trigger.expression : null,
    zone: trigger.kind === "cron" ? zone : null,
    hooks: (job.hooks?.on ?? []).map(printHook),
    "catch-up": catchUp,
    "grace-ms": grace,
    overlap,
    paused,
    "next-ms": next,
    last: last === null ? null : runData(last),
  };
}

function capsOf({ work }: KeptJob) {
  const { models, tools } = (work.kind === "words" ? work.calls : undefined) ?? noCallCaps;
  return { "most-model-calls": models, "most-tool-calls": tools };
}

async function showLog(parts: JobCommandParts, name: string | null): Promise<CommandReply> {
  const { jobs } = parts.state;
  const standing = name === null ? null : await standingOf(parts, name);
  if (standing !== null) return { code: "job-log", text: standing.log, data: [] };
  if (name !== null && (await jobs.get(name)) === null) return noJob(name);
  const runs = await jobs.runs.list({ ...(name === null ? {} : { job: name }), most: mostShown });
  const now = Date.now();
  const lines = runs.map((run) =>
    escapeInvisible(`${run.job} ${describeState(run)} ${describeTime(run, now)}`),
  );
  return {
    code: "job-log",
    text:
      lines.join("\n") ||
      "No job did anything yet. Jobs run while the daemon runs: passepartout daemon starts it.",
    data: runs.map(runData),
  };
}

function runData({ job, scheduled, until, count, state, reason, attempt, startedAt, endedAt, turn }: JobRun) {
  return {
    job,
    "scheduled-ms": scheduled,
    "until-ms": until,
    count,
    state,
    reason,
    failures: attempt,
    "started-ms": startedAt,
    "ended-ms": endedAt,
    turn,
  };
}

async function pause(
  parts: JobCommandParts,
  name: string,
  { paused, session }: { readonly paused: boolean; readonly session: string },
): Promise<CommandReply> {
  const { state, jobs, journal } = parts;
  const standing = await standingOf(parts, name);
  if (standing !== null) return { code: "not-done", text: standing.whyNotPaused };
  if ((await state.jobs.get(name)) === null) return noJob(name);
  const changed = paused ? await state.jobs.setPaused(name, true) : await jobs.resume(name);
  if (!changed)
    return { code: "not-done", text: `The job ${name} ${paused ? "is paused already" : "is not paused"}.` };
  await journal({ kind: "note", session, detail: { event: paused ? "job-paused" : "job-resumed", name } });
  return paused
    ? {
        code: "job-paused",
        text: `The job ${name} is paused. To resume it: passepartout jobs resume ${name}`,
      }
    : { code: "job-resumed", text: `The job ${name} goes on.` };
}

async function dismiss({ state, jobs }: JobCommandParts, name: string): Promise<CommandReply> {
  if ((await state.jobs.get(name)) === null) return noJob(name);
  return (await jobs.dismiss(name))
    ? {
        code: "job-dismissed",
        text: `The failed, missed and put-off runs of ${name} are out of the agenda. The job goes on as before.`,
      }
    : { code: "not-done", text: `No failed, missed or put-off run of the job ${name} waits for you.` };
}

function noJob(name: string): CommandReply {
  return { code: "not-done", text: `There is no job ${name}. List them with: passepartout jobs` };
}
