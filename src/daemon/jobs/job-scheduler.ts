import type { PlannedRuns, RunKind } from "../../memory/state/job-runs.ts";
import type { Jobs } from "../../memory/state/jobs.ts";
import type { FinalRunState, JobRun, KeptJob } from "../../signal/jobs/job.ts";
import type { Clock } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import { formatDuration } from "../../text/format-duration.ts";
import { least } from "../../text/lists.ts";
import { missedBecausePaused, planEvents } from "./plan-events.ts";
import { joinMissed, missedBecause, type NextInstant, planRuns, type RunPlan } from "./plan-runs.ts";

/** The result of a run. `again`: it failed, and may be tried again. */
export type RunResult = {
  readonly state: FinalRunState;
  readonly reason: string;
  readonly again?: boolean;
};

/** What the scheduler needs. */
export type JobSchedulerParts = {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** The zone of this machine. */
  readonly zone: () => string;
  /** Does a run. Called again after a crash, so it must be idempotent. */
  readonly run: (job: KeptJob, run: JobRun, cancel: AbortSignal) => Promise<RunResult>;
  /** Concurrent runs of each kind. */
  readonly atOnce: number;
  readonly report: (message: string) => void;
  /** Called when a run has ended, and whatever can begin after it has begun. */
  readonly ended?: () => void;
};

/** Approximate number of runs of a job that are planned in one transaction. */
const mostPlanned = 1000;
/** Milliseconds for which runs are kept: 90 days. */
const longestHistory = 90 * 86_400_000;
/** Jobs whose instants are planned in one transaction. */
const plannedAtOnce = 500;
/** How often a run is begun at most, with the beginnings that a crash ended. */
const mostBeginnings = 10;

/** Plans and begins the runs of jobs. Wherever it is interrupted, each instant has exactly one outcome in the end. */
export class JobScheduler {
  readonly #parts: JobSchedulerParts;
  /** Each kind has places of its own, so that models that do not answer hold up no run without a model. */
  readonly #running: Readonly<Record<RunKind, Set<Promise<void>>>> = {
    "asks-model": new Set(),
    "needs-none": new Set(),
  };
  /** The runs until what follows them has begun: an ended run gives its place away before. */
  readonly #followed = new Set<Promise<void>>();
  readonly #schedules = new Map<string, NextInstant | null>();
  readonly #stopping = new AbortController();
  #zone: string | null = null;
  /** The planning under way, which concurrent callers share. */
  #planning: Promise<void> | null = null;
  #beginning: Promise<void> = Promise.resolve();
  #willBegin = false;
  /** When waiting events become a run; null if none will. */
  #eventsDue: number | null = null;

  constructor(parts: JobSchedulerParts) {
    this.#parts = parts;
  }

  /** Requeues the runs that a former process began. */
  async start(): Promise<void> {
    await this.#parts.jobs.runs.requeueRunning(mostBeginnings);
  }

  /** Plans and begins what is due; resolves before it has ended. If nothing is due it only reads. */
  async tick(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#planning ??= this.#planInstants().finally(() => {
      this.#planning = null;
    });
    await this.#planning;
    await this.#planEvents();
    await this.#begin();
  }

  /** When something is due next; null if nothing will be. */
  async nextDue(): Promise<number | null> {
    const { jobs } = this.#parts;
    const times = [await jobs.nextInstant(), await jobs.runs.nextBeginning(), this.#eventsDue].filter(
      (time) => time !== null,
    );
    return times.length === 0 ? null : least(times);
  }

  /** Resolves when no run is running or can begin. */
  async whenIdle(): Promise<void> {
    for (let seen: readonly unknown[] = []; ; ) {
      const all = [this.#beginning, ...this.#followed];
      if (all.length === 1 && all[0] === seen[0]) return;
      await Promise.allSettled(all);
      seen = all;
    }
  }

  /** Cancels what runs; it is begun again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("closing"));
    await Promise.allSettled([this.#planning]);
    await this.whenIdle();
  }

  /** The place of a job in its schedule after an instant. */
  async placeFrom(
    job: Pick<KeptJob, "trigger">,
    last: number,
  ): Promise<Pick<KeptJob, "last" | "next" | "zone">> {
    const zone = this.#zoneOf(job);
    const next = await this.#scheduleOf(job, zone);
    return { last, zone, next: next === null ? null : next(last) };
  }

  /** Gives the instants of a paused job their outcomes, and resumes the job. */
  async resume(name: string): Promise<boolean> {
    const { jobs } = this.#parts;
    for (let job = await jobs.get(name); job !== null; job = await jobs.get(name)) {
      if (!job.paused) return false;
      if (job.next === null || job.next > this.#parts.clock()) break;
      await jobs.runs.plan([await this.#planOf(job)]);
    }
    await jobs.events.plan(name, Number.MAX_SAFE_INTEGER, missedBecausePaused);
    return jobs.setPaused(name, false);
  }

  async #planInstants(): Promise<void> {
    const { jobs, clock, report } = this.#parts;
    await this.#followZone();
    const ahead = await jobs.takeBackFuture(clock());
    if (ahead.length > 0)
      report(
        `The clock was ahead by more than a day. What was decided then is decided again: ${ahead.join(", ")}.`,
      );
    while (!this.#stopping.signal.aborted) {
      const due = await jobs.due(clock(), plannedAtOnce);
      if (due.length === 0) return;
      await jobs.runs.plan(await this.#planAll(due));
    }
  }

  /** Makes runs of events that waited long enough. */
  async #planEvents(): Promise<void> {
    const { jobs, clock } = this.#parts;
    this.#eventsDue = null;
    for (const waiting of await jobs.events.waiting()) {
      const job = await jobs.get(waiting.job);
      if (job === null) continue;
      const [isBusy, [last]] = [
        await jobs.runs.isBusy(job.name),
        await jobs.runs.list({ job: job.name, states: ["done", "failed", "put-off"], most: 1 }),
      ];
      const lastBegun = last?.startedAt ?? null;
      const plan = planEvents(job, waiting, { now: clock(), isBusy, lastBegun });
      if (plan.kind === "run") await jobs.events.plan(job.name, waiting.last, plan.missed);
      else if (plan.until !== null) this.#eventsDue = Math.min(this.#eventsDue ?? plan.until, plan.until);
    }
  }

  /** Computes the next instants anew of jobs that follow the zone of the machine, if that changed. */
  async #followZone(): Promise<void> {
    const zone = this.#parts.zone();
    if (zone === this.#zone) return;
    for (const job of await this.#parts.jobs.all())
      if (job.trigger.kind === "cron" && job.zone !== this.#zoneOf(job))
        await this.#parts.jobs.move(job.name, await this.placeFrom(job, job.last));
    this.#zone = zone;
  }

  #zoneOf({ trigger }: Pick<KeptJob, "trigger">): string {
    return trigger.kind === "cron" && trigger.zone !== null ? trigger.zone : this.#parts.zone();
  }

  async #planAll(due: readonly KeptJob[]): Promise<readonly PlannedRuns[]> {
    const plans: PlannedRuns[] = [];
    for (const job of due) plans.push(await this.#planOf(job));
    return plans;
  }

  async #planOf(job: KeptJob): Promise<PlannedRuns> {
    const { jobs, clock } = this.#parts;
    const next = await this.#scheduleOf(job, job.zone);
    const { name, last, zone, paused } = job;
    const now = clock();
    // What is longer ago is in no history.
    let plan: RunPlan = { runs: [], last: Math.max(last, now - longestHistory), next: null };
    if (next !== null) {
      const isBusy = await jobs.runs.isBusy(name);
      for (;;) {
        const more = planRuns(job, { last: plan.last, now, next, paused, isBusy });
        plan = { ...more, runs: joinMissed([...plan.runs, ...more.runs]) };
        const isWhole = plan.next === null || plan.next > now || plan.runs.length >= mostPlanned;
        if (isWhole || this.#stopping.signal.aborted) break;
        // A clock that jumped ahead by years has millions of instants, and others are waiting.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return { ...plan, job: name, from: last, zone };
  }

  /** Null for a job without a schedule, and for an expression that cannot be read any more. */
  async #scheduleOf({ trigger }: Pick<KeptJob, "trigger">, zone: string): Promise<NextInstant | null> {
    if (trigger.kind !== "cron") return null;
    const key = `${zone} ${trigger.expression}`;
    const known = this.#schedules.get(key);
    if (known !== undefined) return known;
    const { readSchedule } = await import("./cron.ts");
    const read = readSchedule(trigger.expression, zone);
    if (!read.ok) this.#parts.report(`A job does not run: ${read.problem}`);
    const next = read.ok ? read.next : null;
    this.#schedules.set(key, next);
    return next;
  }

  /** Begins runs one call after another, so that there are never too many; callers before the next beginning share it. */
  #begin(): Promise<void> {
    if (this.#willBegin) return this.#beginning;
    this.#willBegin = true;
    const now = () => {
      this.#willBegin = false;
      return this.#beginNow();
    };
    this.#beginning = this.#beginning.then(now, now);
    return this.#beginning;
  }

  async #beginNow(): Promise<void> {
    for (const kind of ["needs-none", "asks-model"] as const) {
      const room = this.#parts.atOnce - this.#running[kind].size;
      if (room <= 0 || this.#stopping.signal.aborted) continue;
      for (const run of await this.#parts.jobs.runs.begin(kind, room, missedBecause.waited))
        this.#follow(run, this.#running[kind]);
    }
  }

  /** Does a run, and then begins the runs that can begin after it. */
  #follow(run: JobRun, running: Set<Promise<void>>): void {
    const { report } = this.#parts;
    const ended: Promise<void> = this.#do(run)
      .catch((error: unknown) =>
        report(`The outcome of the job ${run.job} could not be kept: ${describeError(error)}`),
      )
      .then(async () => {
        running.delete(ended);
        if (this.#stopping.signal.aborted) return;
        await this.#planEvents();
        await this.#begin();
        this.#parts.ended?.();
      })
      .catch((error: unknown) => report(`The next job could not be begun: ${describeError(error)}`))
      .finally(() => this.#followed.delete(ended));
    running.add(ended);
    this.#followed.add(ended);
  }

  async #do(run: JobRun): Promise<void> {
    const { jobs, clock } = this.#parts;
    const job = await jobs.get(run.job);
    if (job === null) return;
    const { state, reason, again = false } = await this.#resultOf(job, run);
    if (this.#stopping.signal.aborted) return;
    if (state === "failed" && again && run.attempt + 1 < job.attempts)
      await jobs.runs.retry(run, reason, clock() + waitAfter(run.attempt));
    else await jobs.runs.end(run, state, reason);
  }

  /** A run that exceeds its limit has failed, whatever its later result. */
  async #resultOf(job: KeptJob, run: JobRun): Promise<RunResult> {
    const limit = new AbortController();
    const over = Promise.withResolvers<RunResult>();
    const timer = setTimeout(() => {
      limit.abort(new Error("limit"));
      over.resolve({
        state: "failed",
        reason: `It took longer than its limit of ${formatDuration(job.limit)}.`,
      });
    }, job.limit).unref();
    const stopped = (): void => over.resolve({ state: "failed", reason: "The agent was closing." });
    this.#stopping.signal.addEventListener("abort", stopped, { once: true });
    try {
      const cancel = AbortSignal.any([limit.signal, this.#stopping.signal]);
      return await Promise.race([this.#parts.run(job, run, cancel), over.promise]);
    } catch (error) {
      return { state: "failed", reason: describeError(error), again: true };
    } finally {
      clearTimeout(timer);
      this.#stopping.signal.removeEventListener("abort", stopped);
    }
  }
}

/** Milliseconds until a failed run is begun again: a minute, then four times as long each time, at most an hour. */
function waitAfter(attempt: number): number {
  return Math.min(60_000 * 4 ** attempt, 3_600_000);
}
