import type { Jobs } from "../../memory/state/jobs.ts";
import type { Job } from "../../signal/jobs/job.ts";
import { describeError } from "../../text/describe-error.ts";

/** Work of the program itself that each heartbeat looks for, as a job that the owner sees and pauses. */
export type UpkeepJob = {
  readonly name: string;
  /** What it does, in words. */
  readonly does: string;
  /** Does what is due, and says what was done; null if nothing was due or the work continues elsewhere. `asked`: the owner wants it now, whatever the time. */
  readonly work: (asked: boolean) => Promise<string | null>;
  /** It may ask a model, so a heartbeat does not wait for it; left out for all other work. */
  readonly mayAskModel?: true;
};

/** What the upkeep needs. */
export type UpkeepParts = {
  readonly jobs: Jobs;
  readonly all: readonly UpkeepJob[];
  readonly report: (message: string) => void;
};

/** Runs the program's own jobs at each heartbeat. A run in which nothing was due leaves no trace. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  /** The last failure of each job; the same failure in a row is told once. */
  readonly #failures = new Map<string, string>();
  /** The running jobs that may ask a model. */
  readonly #aside = new Map<string, Promise<string | null>>();

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Keeps the definitions that are new or changed. */
  async start(): Promise<void> {
    const kept = new Map((await this.#parts.jobs.all()).map((job) => [job.name, job]));
    for (const { name, does } of this.#parts.all) {
      const known = kept.get(name)?.work;
      if (known?.kind !== "built-in" || known.does !== does) await this.#parts.jobs.keep(jobOf(name, does));
    }
  }

  /** Runs what is not paused. */
  async beat(): Promise<void> {
    const kept = await this.#parts.jobs.all();
    const paused = new Set(kept.flatMap(({ name, paused: isPaused }) => (isPaused ? [name] : [])));
    for (const job of this.#parts.all) {
      if (paused.has(job.name) || this.#aside.has(job.name)) continue;
      const done = this.#run(job, false);
      if (job.mayAskModel === undefined) await done;
      else this.#setAside(job, done);
    }
  }

  /** Runs one job now; null where there is none of that name. */
  async run(name: string): Promise<{ readonly ok: boolean; readonly text: string } | null> {
    const job = this.#parts.all.find((one) => one.name === name);
    if (job === undefined) return null;
    await this.#aside.get(name);
    const done = await this.#run(job, true);
    const failed = this.#failures.get(name);
    return failed === undefined
      ? { ok: true, text: done ?? "Nothing was due." }
      : { ok: false, text: `The job ${name} failed: ${failed}` };
  }

  #setAside({ name }: UpkeepJob, done: Promise<string | null>): void {
    this.#aside.set(name, done);
    const { report } = this.#parts;
    void done
      .catch((error: unknown) =>
        report(`The outcome of the job ${name} could not be saved: ${describeError(error)}`),
      )
      .finally(() => this.#aside.delete(name));
  }

  async #run({ name, work }: UpkeepJob, asked: boolean): Promise<string | null> {
    const { jobs, report } = this.#parts;
    try {
      const done = await work(asked);
      this.#failures.delete(name);
      if (done !== null) await jobs.runs.note({ job: name, state: "done", reason: done });
      return done;
    } catch (error) {
      const reason = describeError(error);
      if (this.#failures.get(name) === reason) return null;
      this.#failures.set(name, reason);
      report(`The job ${name} failed: ${reason}`);
      await jobs.runs.note({ job: name, state: "failed", reason });
      return null;
    }
  }
}

function jobOf(name: string, does: string): Job {
  return {
    name,
    trigger: { kind: "beat" },
    work: { kind: "built-in", does },
    catchUp: "skip",
    grace: 0,
    overlap: "skip",
    attempts: 1,
    limit: 3_600_000,
  };
}
