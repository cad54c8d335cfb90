import type { Jobs } from "../../memory/state/jobs.ts";
import { describeError } from "../../signal/describe-error.ts";
import type { JobRun } from "../../signal/job.ts";

/** How far telling came: `waits` until something settles, `later` at another beat. */
export type Telling =
  | { readonly state: "told" | "later" }
  | { readonly state: "waits"; readonly settled: Promise<void> };

/** What telling needs. */
export type TellingsParts = {
  readonly jobs: Pick<Jobs, "runs">;
  /** Tells the owner of a run that failed or was put off, and says how far that came. It is asked again until the run is told, so it must go on where it was. */
  readonly tell: (run: JobRun) => Promise<Telling>;
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

  /** Goes on with what is not told. It waits for no note. */
  async go(): Promise<void> {
    for (const run of await this.#parts.jobs.runs.untold()) {
      if (this.#isStopped) return;
      await this.#tell(run);
    }
  }

  /** What waits is told by the next process. */
  stop(): void {
    this.#isStopped = true;
  }

  async #tell(run: JobRun): Promise<void> {
    const { jobs, tell, report } = this.#parts;
    const key = `${run.job} ${run.scheduled}`;
    if (this.#waiting.has(key)) return;
    try {
      if (run.state === "failed") await this.#parts.failed?.(run);
      const before = await jobs.runs.endedBefore(run);
      const isKnown = before !== null && before.state === run.state && before.reason === run.reason;
      const telling = isKnown ? { state: "told" as const } : await tell(run);
      if (telling.state === "told") await jobs.runs.markTold(run);
      if (telling.state !== "waits") return;
      this.#waiting.add(key);
      telling.settled
        .then(() => {
          this.#waiting.delete(key);
          return this.#isStopped ? undefined : this.#tell(run);
        })
        .catch((error: unknown) => report(`The job ${run.job} could not be told: ${describeError(error)}`));
    } catch (error) {
      report(`The job ${run.job} could not be told: ${describeError(error)}`);
    }
  }
}
