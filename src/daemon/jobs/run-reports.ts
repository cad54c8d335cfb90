import type { Jobs } from "../../memory/state/jobs.ts";
import type { JobRun } from "../../signal/jobs/job.ts";
import { describeError } from "../../text/describe-error.ts";

/** What reporting runs needs. */
export type RunReportsParts = {
  readonly jobs: Pick<Jobs, "runs">;
  /**
   * Tells the owner of a run that is done, failed or was put off. Called again until it succeeds, so it must
   * be idempotent.
   */
  readonly tell: (run: JobRun) => Promise<void>;
  /** Called for each failed run before it is told; may be called again for the same run. */
  readonly failed?: (run: JobRun) => Promise<void>;
  readonly report: (message: string) => void;
  readonly clock: () => number;
};

/** How long before the start of this process a run may have been done that is still told. Milliseconds. */
const recent = 3_600_000;

/**
 * Tells the owner of each run that ended: once, and until it succeeds. A run that cannot be told holds up no
 * other.
 */
export class RunReports {
  readonly #parts: RunReportsParts;
  readonly #underWay = new Set<string>();
  /** Unix milliseconds. Runs that were done before, and before this version told of them, are not told. */
  readonly #since: number;
  #isStopped = false;

  constructor(parts: RunReportsParts) {
    this.#parts = parts;
    this.#since = parts.clock() - recent;
  }

  /** Begins to tell what is not told yet; resolves before it is told. */
  async sendUntold(): Promise<void> {
    for (const run of await this.#parts.jobs.runs.untold(this.#since)) {
      const key = `${run.job} ${run.scheduled}`;
      if (this.#isStopped || this.#underWay.has(key)) continue;
      this.#underWay.add(key);
      void this.#tell(run).finally(() => this.#underWay.delete(key));
    }
  }

  /** Leaves the rest to the next process. */
  stop(): void {
    this.#isStopped = true;
  }

  async #tell(run: JobRun): Promise<void> {
    const { jobs, tell, failed, report } = this.#parts;
    try {
      if (run.state === "failed") await failed?.(run);
      const before = run.state === "done" ? null : await jobs.runs.endedBefore(run);
      const isKnown = before !== null && before.state === run.state && before.reason === run.reason;
      if (!isKnown) await tell(run);
      if (!this.#isStopped) await jobs.runs.markTold(run);
    } catch (error) {
      if (!this.#isStopped)
        report(`The outcome of the job ${run.job} could not be told: ${describeError(error)}`);
    }
  }
}
