import type { Jobs } from "../../memory/state/jobs.ts";
import { describeError } from "../../signal/describe-error.ts";
import type { JobRun } from "../../signal/job.ts";

/** What telling needs. */
export type TellingsParts = {
  readonly jobs: Pick<Jobs, "runs">;
  /** Tells the owner of a run that failed or was put off. It is asked again until it did, so the same run must be told once only. */
  readonly tell: (run: JobRun) => Promise<void>;
  /** Called for each run that failed, before it is told. It may be called again for the same run. */
  readonly failed?: (run: JobRun) => Promise<void>;
  readonly report: (message: string) => void;
};

/** Tells the owner of each run that failed or was put off: once, and until it is told. One that cannot be told holds up no other. */
export class Tellings {
  readonly #parts: TellingsParts;
  readonly #waiting = new Set<string>();
  #isStopped = false;

  constructor(parts: TellingsParts) {
    this.#parts = parts;
  }

  /** Goes on with what is not told. It waits for nothing that is written. */
  async go(): Promise<void> {
    for (const run of await this.#parts.jobs.runs.untold()) {
      const key = `${run.job} ${run.scheduled}`;
      if (this.#isStopped || this.#waiting.has(key)) continue;
      this.#waiting.add(key);
      void this.#tell(run).finally(() => this.#waiting.delete(key));
    }
  }

  /** What waits is told by the next process. */
  stop(): void {
    this.#isStopped = true;
  }

  async #tell(run: JobRun): Promise<void> {
    const { jobs, tell, failed, report } = this.#parts;
    try {
      if (run.state === "failed") await failed?.(run);
      const before = await jobs.runs.endedBefore(run);
      const isKnown = before !== null && before.state === run.state && before.reason === run.reason;
      if (!isKnown) await tell(run);
      if (!this.#isStopped) await jobs.runs.markTold(run);
    } catch (error) {
      if (!this.#isStopped) report(`The job ${run.job} could not be told: ${describeError(error)}`);
    }
  }
}
