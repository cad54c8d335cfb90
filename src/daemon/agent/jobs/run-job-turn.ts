import type { State } from "../../../memory/state/state.ts";
import { type FlightPlan, planSessionOfJob } from "../../../signal/flight-plan.ts";
import { callsUsedUp, needsOwner } from "../../../signal/jobs/call-caps.ts";
import { describeFolderless } from "../../../signal/jobs/folderless-job.ts";
import type { JobRun, JobWork, KeptJob } from "../../../signal/jobs/job.ts";
import type { RunEvents } from "../../../signal/jobs/job-event.ts";
import { folderGone, saysNothingWasDone } from "../../../signal/jobs/refusal-codes.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { Signal } from "../../../signal/signal.ts";
import type { Outcome } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { JsonObject } from "../../../text/json.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { RunResult } from "../../jobs/job-scheduler.ts";
import { signalOfRun } from "../resources/cap-of-job.ts";
import { firstLine } from "./first-line.ts";
import { whyReflexFailed } from "./why-reflex-failed.ts";

/** What running the turn of a job needs. */
export type JobTurnParts = {
  readonly state: Pick<State, "flightPlans" | "jobs" | "turns" | "subTasks">;
  readonly loop: Pick<Loop, "submit" | "whenSettled" | "stopTurn">;
  readonly clock: () => number;
  /** How secret each event is that is listed, in their order. */
  readonly secrecyOf: (events: RunEvents, workspace: string | null) => Promise<readonly Label["secrecy"][]>;
};

type Words = Extract<JobWork, { readonly kind: "words" }>;

/** What the result of a run tells of its job. */
type DoneJob = { readonly name: string; readonly work: Words };

/** Failures after which nothing was done, so that the same may be tried again. */
const passing: ReadonlySet<string> = new Set(["no-provider", "exhausted"]);

/**
 * Runs a job as a turn that nobody started. Its signal has an id of its own for each attempt, so a run that is begun again after a crash finds its turn
 * and waits for it. An attempt after a turn that may have done something waits for that turn, too.
 */
export async function runJobTurn(
  { state, loop, clock, secrecyOf }: JobTurnParts,
  { job, run, label }: { readonly job: KeptJob; readonly run: JobRun; readonly label: Label },
  cancel: AbortSignal,
): Promise<RunResult> {
  const { work } = job;
  if (work.kind !== "words") return { state: "failed", reason: "This version does not know its work." };
  const events = await state.jobs.events.ofRun(run);
  const told = toldEvents(events, await secrecyOf(events, work.workspace));
  const attempt = await attemptToRun(state.turns, work, run);
  const signal = signalOf(work, { ...run, attempt }, { at: clock(), events, told, label });
  // The plan is made before the turn begins, so a turn that exists has its plan, or used it up.
  if ((await state.turns.ofClient(work.session, signal.id)) === null)
    await allow(state.flightPlans, work, { since: clock(), until: clock() + job.limit });
  const submitted = await loop.submit(signal);
  if (submitted.kind !== "turn") return { state: "failed", reason: submitted.text, again: true };
  await state.jobs.runs.setTurn(run, submitted.turn);
  const stop = (): void => void loop.stopTurn(submitted.turn);
  if (isLimit(cancel)) stop();
  cancel.addEventListener("abort", () => isLimit(cancel) && stop(), { once: true });
  await loop.whenSettled(submitted.turn);
  const turn = await state.turns.get(submitted.turn);
  if (turn === null) return { state: "failed", reason: "Its turn was forgotten." };
  // A run over its limit has ended already: the plan may be that of the run after it.
  if (!isLimit(cancel)) await state.flightPlans.drop(planSessionOfJob(work.session));
  const failed = whyReflexFailed(work, turn);
  return failed === null
    ? resultOf({ name: job.name, work }, turn, await withSubTasks(state, turn))
    : { state: "failed", reason: failed };
}

/** The attempt whose turn is run: an earlier one, unless that failed and did nothing. */
async function attemptToRun(turns: State["turns"], work: Words, run: JobRun): Promise<number> {
  for (let earlier = run.attempt - 1; earlier >= 0; earlier -= 1) {
    const turn = await turns.ofClient(work.session, signalOfRun(run, earlier));
    if (turn !== null)
      return resultOf({ name: run.job, work }, turn, [turn]).again === true ? run.attempt : earlier;
  }
  return run.attempt;
}

/** A turn with the turns of its sub-tasks. */
async function withSubTasks(
  { turns, subTasks }: JobTurnParts["state"],
  turn: Turn,
): Promise<readonly Turn[]> {
  const under = await Promise.all((await subTasks.turnsUnder(turn.id)).map((id) => turns.get(id)));
  return [turn, ...under.filter((one) => one !== null)];
}

/** Whether a run exceeded its limit, which ends its turn; a closing process leaves the turn on disk. */
function isLimit({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.message === "limit";
}

/** Puts the allowed steps in force for a run, in place of the rest of an earlier run. */
async function allow(
  plans: State["flightPlans"],
  { session, workspace, steps: allowed }: Words,
  when: Pick<FlightPlan, "since" | "until">,
): Promise<void> {
  const named = planSessionOfJob(session);
  await plans.drop(named);
  if (allowed.length === 0) return;
  const steps = allowed.map((step) => ({ ...step, used: 0 }));
  await plans.keep({ session: named, workspace, steps, ...when, spendingCap: null });
}

/** Events as the turn gets them, the private ones apart. */
function toldEvents({ listed, more }: RunEvents, secrecies: readonly Label["secrecy"][]): JsonObject {
  const lines = (isPublic: boolean): string[] =>
    listed.flatMap(({ name, subject }, index) =>
      (secrecies[index] === "public") === isPublic ? [`${name} ${subject}`.trim()] : [],
    );
  return { listed: lines(true), private: lines(false), more };
}

/** The words of a job have the label of what they were made from, whoever approved them. Nobody typed them now, so they license nothing by themselves. What began the run goes beside them as data. */
function signalOf(
  { session, text, tier, tags }: Words,
  run: JobRun,
  {
    at,
    events: { listed, chain },
    told,
    label,
  }: { readonly at: number; readonly events: RunEvents; readonly told: JsonObject; readonly label: Label },
): Signal {
  const id = signalOfRun(run, run.attempt);
  return {
    id,
    clientId: id,
    sensor: "cron",
    session,
    source: "cli",
    person: "nobody",
    text,
    payload: {
      text,
      tier,
      job: run.job,
      ...(tags === undefined ? {} : { tags: [...tags] }),
      ...(listed.length === 0 ? {} : { events: told, chain: [...chain] }),
    },
    depth: 0,
    label: joinLabels({ ...bottomLabel, sources: [{ id, path: "/text" }] }, label),
    at,
  };
}

/**
 * The result of a run. Whatever its answer says, a run is put off if the turn or a sub-task needed the owner
 * or a further call, and has failed if their last calls were refused.
 */
function resultOf(job: DoneJob, turn: Turn, all: readonly Turn[]): RunResult {
  const reason = firstLine(turn.text);
  const [asked] = all.flatMap((one) => refusalsOf(one, needsOwner));
  if (asked !== undefined) return { state: "put-off", reason: describeNeed(asked, job) };
  const [usedUp] = all.flatMap((one) => [
    ...refusalsOf(one, callsUsedUp).map(({ message }) => message),
    ...(one.code === callsUsedUp ? [one.text] : []),
  ]);
  if (usedUp !== undefined) return { state: "put-off", reason: firstLine(usedUp, longestNeed) };
  const refused = turn.state === "answered" ? all.flatMap(lastRefusals) : [];
  if (refused.length > 0) return { state: "failed", reason: describeRefused(refused, reason) };
  if (turn.state === "answered") return { state: "done", reason };
  const isUntouched = turn.messages.every(({ role }) => role !== "result");
  return { state: "failed", reason, again: passing.has(turn.code) && isUntouched };
}

type Refusal = Extract<Outcome, { readonly status: "error" }>;

/**
 * The calls of a turn that were refused after the last one that was made: its answer may tell them as done.
 */
function lastRefusals({ messages }: Turn): readonly Refusal[] {
  const outcomes = messages.flatMap((message) => (message.role === "result" ? [message.result.outcome] : []));
  const isRefused = (outcome: Outcome): outcome is Refusal =>
    outcome.status === "error" && (saysNothingWasDone(outcome.code) || outcome.code === folderGone);
  return outcomes.slice(outcomes.findLastIndex((outcome) => !isRefused(outcome)) + 1).filter(isRefused);
}

/**
 * That the last calls of a run were refused, the first with its reason, and what the answer of the run says.
 */
function describeRefused([first, ...more]: readonly Refusal[], answer: string): string {
  const what = more.length === 0 ? "Its last call was" : `Its last ${more.length + 1} calls were`;
  const why = firstLine(first?.message ?? "", longestNeed);
  const said = answer === "" ? "" : ` Its answer, which may not know that: ${answer}`;
  return `${what} refused and did nothing. ${why}${/[.…]$/.test(why) ? "" : "."}${said}`;
}

function refusalsOf({ messages }: Turn, code: string): readonly Refusal[] {
  return messages.flatMap((message) => {
    if (message.role !== "result") return [];
    const { outcome } = message.result;
    return outcome.status === "error" && outcome.code === code ? [outcome] : [];
  });
}

/** Characters of what a run needed: it is kept nowhere else. */
const longestNeed = 2_000;

/** Why a run was put off that needed the owner, and what they write so that the next one is not. */
function describeNeed({ message, step }: Refusal, { name, work }: DoneJob): string {
  const reason = firstLine(message, longestNeed);
  const why = `It needs your yes. ${reason}${/[.…]$/.test(reason) ? "" : "."}`;
  if (step !== undefined)
    return `${why} To allow it in each run, write '- ALLOW: ${step}' below the properties of its entry in jobs.org, then: passepartout jobs add ${name}`;
  const isFolderless = work.workspace === null && work.skill === undefined;
  if (isFolderless) return `${why} ${describeFolderless(name)}`;
  return `${why} No line of the job's entry allows that: do this step yourself, or in a conversation.`;
}
