import { sha256 } from "../../machine/digest.ts";
import { labelOfTexts } from "../../memory/state/origins.ts";
import type { State } from "../../memory/state/state.ts";
import type { ReadJob, WrittenJob } from "../../notes/own-jobs.ts";
import type { PlannedStep } from "../../signal/effect.ts";
import type { CallCaps } from "../../signal/jobs/call-caps.ts";
import { describeFolderless } from "../../signal/jobs/folderless-job.ts";
import type { Job } from "../../signal/jobs/job.ts";
import { type Hook, printHook } from "../../signal/jobs/job-event.ts";
import type { JudgedAhead } from "../../signal/jobs/job-shadow.ts";
import type { StandingJob } from "../../signal/jobs/standing-job.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import { countOf } from "../../text/count-of.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatDuration } from "../../text/format-duration.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { CommandReply } from "./command-reply.ts";
import { notePlace } from "./session-place.ts";

/** What approving and removing jobs needs. */
export type AddJobParts = {
  readonly state: Pick<
    State,
    "jobs" | "jobShadows" | "origins" | "sessions" | "sessionPlaces" | "chosenModels"
  >;
  readonly journal: AppendToJournal;
  /** The jobs that the owner wrote, as they stand in `jobs.org` now. */
  readonly writtenJobs: () => Promise<readonly ReadJob[]>;
  /** Why there is no such schedule; null where there is. */
  readonly scheduleProblem: (cron: string, zone: string | null) => Promise<string | null>;
  /** The real path of a folder that a job may work in; null for any other. */
  readonly workspaceOf: (folder: string) => string | null;
  /** Works out what the steps that a job is allowed would do. */
  readonly planSteps: (
    words: readonly string[],
    where: { readonly session: string; readonly workspace: string | null },
  ) => Promise<
    | { readonly ok: true; readonly steps: readonly PlannedStep[] }
    | { readonly ok: false; readonly message: string }
  >;
  /** What the judge says of a line of the first tier, as things stand. Nothing runs. */
  readonly judgeAhead: (
    line: string,
    where: {
      readonly session: string;
      readonly workspace: string | null;
      readonly steps: readonly PlannedStep[];
      readonly label: Label;
    },
  ) => Promise<JudgedAhead>;
  readonly jobs: {
    /** What the program does all the time. */
    readonly standing: readonly StandingJob[];
    readonly keep: (job: Job) => Promise<void>;
    readonly remove: (name: string) => Promise<void>;
    /** Stops the turn of a run. */
    readonly stopTurn: (turn: string) => Promise<void>;
  };
};

/** A job that does not run as it stands in `jobs.org`, and why. */
export async function proposedJobs({
  state,
  writtenJobs,
}: Pick<AddJobParts, "state" | "writtenJobs">): Promise<
  readonly { readonly name: string; readonly text: string }[]
> {
  const kept = new Map((await state.jobs.all()).map((job) => [job.name, job]));
  const written = await writtenJobs();
  const names = new Set(written.map((read) => (read.ok ? read.job.name : read.name)));
  const gone = [...kept.values()].flatMap(({ name, work }) =>
    work.kind === "words" && work.skill === undefined && !names.has(name)
      ? [
          {
            name,
            text: `is not in jobs.org any more, or cannot be read there, and runs as it was approved: passepartout jobs remove ${name} ends it`,
          },
        ]
      : [],
  );
  const proposed = written.flatMap((read) => {
    if (!read.ok) {
      const name = escapeInvisible(read.name);
      return [{ name, text: `cannot be read: ${read.problem}. Mend it in ${placeOf(read)}` }];
    }
    const { name } = read.job;
    const work = kept.get(name)?.work;
    if (work === undefined) return [{ name, text: `waits for your approval: passepartout jobs add ${name}` }];
    if (work.kind === "words" && work.digest !== sha256(read.job.entry))
      return [
        {
          name,
          text: `was changed in ${placeOf(read)}, and runs as it was approved: passepartout jobs add ${name} approves the change`,
        },
      ];
    return [];
  });
  return [...proposed, ...gone];
}

/** Where an entry stands, in words. */
export function placeOf({ skill }: ReadJob): string {
  return skill === undefined ? "jobs.org" : `the skill ${skill}`;
}

/** Approves a job as it stands in `jobs.org` or in a skill. Only the owner does this. */
export async function addJob(parts: AddJobParts, name: string, session: string): Promise<CommandReply> {
  const read = (await parts.writtenJobs()).find((one) => (one.ok ? one.job.name : one.name) === name);
  if (read === undefined)
    return notDone(
      `There is no job ${name} in jobs.org of the configuration folder. Write it there, or give its schedule here: passepartout jobs add ${name} --cron '0 9 * * *' WORDS`,
    );
  if (!read.ok)
    return notDone(
      `The job ${name} was not added: its entry in ${placeOf(read)} cannot be read: ${read.problem}.`,
    );
  const { job } = read;
  const isStanding = parts.jobs.standing.some((one) => one.name === name);
  if (isStanding || (await parts.state.jobs.get(name))?.work.kind === "built-in")
    return notDone(`${name} is a job of the program itself. Give yours another name in jobs.org.`);
  const problem = job.cron === null ? null : await parts.scheduleProblem(job.cron, job.zone);
  if (problem !== null) return notDone(`The job ${name} was not added: ${problem.replace(/\.?$/, ".")}`);
  const workspace = job.folder === null ? null : parts.workspaceOf(job.folder);
  if (job.folder !== null && workspace === null)
    return notDone(
      `The job ${name} was not added: its FOLDER ${job.folder} is not there, or is your home folder.`,
    );
  const own = await sessionOf(parts, name, workspace);
  if (workspace !== null) await notePlace(parts.state, own, workspace);
  const planned = await parts.planSteps(job.allows, { session: own, workspace });
  if (!planned.ok) return notDone(`The job ${name} was not added: ${planned.message}`);
  await parts.journal({
    kind: "note",
    session,
    detail: { event: "job-approved", name, digest: sha256(job.entry) },
  });
  const where = { session: own, workspace, steps: planned.steps, label: await labelOfWords(parts, job) };
  await parts.jobs.keep(jobOf(read, { ...where, now: Date.now() }));
  const added = describeAdded(read, where, await parts.state.jobs.get(name));
  if (job.tier !== "reflex") return { code: "job-added", text: added };
  const advice = adviceOn(await parts.judgeAhead(job.text, where), job);
  return { code: "job-added", text: advice === null ? added : `${added}\n${escapeInvisible(advice)}` };
}

/** What the owner is told of a job whose lines would not all be done. */
function adviceOn(ahead: JudgedAhead, { text: line, allows }: WrittenJob): string | null {
  if (ahead.decision === "pass") return null;
  if (ahead.decision === "unknown") return `Whether a run needs your yes cannot be said now: ${ahead.reason}`;
  const way = allows.includes(line)
    ? "Its line in the entry does not allow this."
    : `To allow this without a question, write '- ALLOW: ${line}' below the properties of its entry, then add the job again.`;
  return `As things stand a run is put off: ${ahead.reason}. ${way}`;
}

/** Where the words of an entry came from, by what it says itself and by what is known of each of its lines: a copy of what others wrote is theirs. */
async function labelOfWords(
  { state }: Pick<AddJobParts, "state">,
  { label, text }: WrittenJob,
): Promise<Label> {
  const known = await labelOfTexts(
    state.origins,
    text.split("\n").map((line) => sha256(line.trim())),
  );
  return joinLabels(label, known);
}

function isOwners({ integrity, secrecy }: Label): boolean {
  return integrity === "user" && secrecy === "public";
}

/**
 * The session of the turns of a job; where it works in another folder by now, a new one, with the model that
 * was chosen for the one before.
 */
async function sessionOf(
  { state: { sessions, chosenModels } }: AddJobParts,
  name: string,
  workspace: string | null,
): Promise<string> {
  const named = `job ${name}`;
  const known = await sessions.byName(named);
  const isOther = known !== null && known.workspace !== workspace;
  if (isOther) await sessions.rename(known.id, `${named}, before ${new Date().toISOString()}`);
  const { id } = await sessions.open({ name: named, workspace, source: "cli" });
  if (isOther) await chosenModels.choose(id, await chosenModels.of(known.id));
  return id;
}

function jobOf(
  { job: written, skill }: ReadJob & { readonly ok: true },
  {
    session,
    workspace,
    steps,
    label,
    now,
  }: {
    readonly session: string;
    readonly workspace: string | null;
    readonly steps: readonly PlannedStep[];
    readonly label: Label;
    readonly now: number;
  },
): Job {
  const {
    name,
    cron,
    zone,
    hooks,
    tier,
    text,
    catchUp,
    grace,
    limit,
    overlap,
    attempts,
    dollars,
    calls,
    answer,
  } = written;
  return {
    name,
    trigger: cron === null ? { kind: "events" } : { kind: "cron", expression: cron, zone },
    ...(hooks.length === 0 ? {} : { hooks: { on: hooks, since: now } }),
    work: {
      kind: "words",
      tier,
      text,
      session,
      ...(written.tags.length === 0 ? {} : { tags: written.tags }),
      // What a skill says has the label of the skill that is in force when it runs.
      ...(skill === undefined ? (isOwners(label) ? {} : { label }) : { skill }),
      digest: sha256(written.entry),
      workspace,
      steps,
      spendingCap: dollars === null ? null : Math.round(dollars * 1e6),
      calls,
      ...(answer === "unread" ? { answer } : {}),
    },
    catchUp,
    grace,
    overlap,
    attempts,
    limit,
  };
}

function describeAdded(
  read: ReadJob & { readonly ok: true },
  { steps, label }: { readonly steps: readonly PlannedStep[]; readonly label: Label },
  kept: { readonly next: number | null; readonly zone: string } | null,
): string {
  const { name, cron, hooks, tier, folder, dollars, calls } = read.job;
  const next = kept?.next ?? null;
  const when = next === null ? "never" : `in ${formatDuration(Math.max(0, next - Date.now()))}`;
  return [
    `The job ${name} is approved as it stands in ${placeOf(read)}: ${[
      ...(cron === null ? [] : [`${cron} in ${kept?.zone ?? "this zone"}, next ${when}`]),
      ...(hooks.length === 0 ? [] : [describeHooks(hooks)]),
      tier,
    ].join(", ")}.`,
    steps.length === 0
      ? "Whatever asks is put off, and you are told."
      : `Without a question it may, in each run: ${steps.map(({ words, times }) => (times === 1 ? words : `${times}x ${words}`)).join("; ")}. Whatever else asks is put off, and you are told.`,
    ...(label.integrity === "untrusted"
      ? ["It has words of others: what it writes is marked so, and what it sends is judged so."]
      : []),
    ...(folder === null && read.skill === undefined ? [describeFolderless(name)] : []),
    ...(dollars === null ? [] : [`A run may spend $${dollars} on models.`]),
    ...describeCaps(calls),
  ]
    .map((text) => escapeInvisible(text))
    .join("\n");
}

function describeCaps({ models, tools }: CallCaps): readonly string[] {
  return [
    ...(models === null
      ? []
      : [`A run may take ${countOf(models, "answer")} of models, with its sub-tasks.`]),
    ...(tools === null ? [] : [`A run may make ${countOf(tools, "call")} of tools, with its sub-tasks.`]),
  ];
}

/** What a job waits for, in words. */
export function describeHooks(hooks: readonly Hook[]): string {
  return `at ${hooks.map(printHook).join(", ")}`;
}

function notDone(text: string): CommandReply {
  return { code: "not-done", text: escapeInvisible(text) };
}
