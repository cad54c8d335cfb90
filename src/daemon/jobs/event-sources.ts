import type { JobEvent } from "../../memory/state/job-events.ts";
import type { Jobs } from "../../memory/state/jobs.ts";
import type { Clock } from "../../signal/clock.ts";
import type { JobRun, KeptJob } from "../../signal/job.ts";
import type { EventFact, EventName } from "../../signal/job-event.ts";
import { matchesHook } from "./match-hook.ts";
import { type Place, type PlaceParts, WatchedPlaces } from "./watched-places.ts";

/** What the sources of events need. */
export type EventSourcesParts = Pick<PlaceParts, "chainOf" | "ranCommand"> & {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** The places that the hooks of these jobs are about. */
  readonly placesOf: (hooked: readonly KeptJob[]) => Promise<readonly Place[]>;
  /** What happened from a time on, as far as it is on the disk: turns that ended, sessions that began. */
  readonly factsSince: (time: number) => Promise<readonly EventFact[]>;
  /** Whether a job that waits for heartbeats has something to do now; one without a condition of its own always has. */
  readonly isDue: (job: KeptJob) => Promise<boolean>;
  /** Called when events wait. */
  readonly noted: () => void;
  readonly report: (message: string) => void;
};

/** Jobs that a chain of events has at most: a further one is not begun. */
const longestChain = 3;
/** Milliseconds in which what happened later may be noted first. */
const slack = 60_000;
/** Until when what happened is in the queue, kept as what was seen of a place. */
const past = "past";

/** Notices what jobs wait for, and puts it into their queue. A job that nobody gave a hook costs nothing here. */
export class EventSources {
  readonly #parts: EventSourcesParts;
  readonly #places: WatchedPlaces;
  #hooked: readonly KeptJob[] = [];
  #isStarted = false;
  #day = "";

  constructor(parts: EventSourcesParts) {
    this.#parts = parts;
    const { jobs, clock, chainOf, ranCommand, report } = parts;
    const note: PlaceParts["note"] = (facts, seen) => this.#note(facts, seen);
    this.#places = new WatchedPlaces({ events: jobs.events, clock, chainOf, ranCommand, note, report });
  }

  /** Notices what happened while no process ran, and from now on what happens. */
  async start(): Promise<void> {
    this.#isStarted = true;
    const open = await this.#parts.jobs.runs.list({ states: ["queued", "running"], most: 1000 });
    for (const run of open) if (run.fence > 0) this.#places.suspect(run, await this.#chainOf(run));
    await this.refresh();
    const cursor = await this.#cursor();
    if (cursor !== null) await this.#note(await this.#parts.factsSince(cursor));
    await this.#places.look();
    for (const run of open) this.#places.clear(run);
    await this.beat();
  }

  /** Takes in which jobs have hooks now. */
  async refresh(): Promise<void> {
    if (!this.#isStarted) return;
    const { jobs, clock, placesOf } = this.#parts;
    this.#hooked = (await jobs.all()).filter(({ hooks }) => hooks !== undefined);
    this.#places.watch(await placesOf(this.#hooked));
    if (this.#hooked.length > 0 && (await this.#cursor()) === null)
      await jobs.events.note([], cursorAt(clock()));
    await jobs.events.keepPlaces(this.#hooked.length === 0 ? [] : [past, ...this.#places.names()]);
    await this.#places.lookAtNew();
  }

  /** Whether some job waits for an event of this name. */
  wants(name: EventName): boolean {
    return this.#hooked.some(({ hooks }) => hooks?.on.some((hook) => hook.name === name) === true);
  }

  /** Something happened that is on the disk. */
  async happened(fact: EventFact): Promise<void> {
    if (!this.wants(fact.name)) return;
    // Others of the same time may not be noted yet, and what is noted twice counts once. The past never comes back.
    const until = Math.max((await this.#cursor()) ?? 0, fact.at - slack);
    await this.#note([fact], cursorAt(until));
  }

  /** A run failed for good. */
  async failed(run: JobRun): Promise<void> {
    if (!this.wants("job-failed")) return;
    const { job, scheduled, endedAt } = run;
    const at = endedAt ?? scheduled;
    const chain = await this.#chainOf(run);
    await this.#note([{ name: "job-failed", subject: job, key: `failed ${job} ${scheduled}`, at, chain }]);
  }

  /** The day may be another one, and a place may not be watched. */
  async beat(): Promise<void> {
    if (this.#hooked.length === 0) return;
    const now = this.#parts.clock();
    const facts: EventFact[] = [];
    const [day, began] = dayOf(now);
    if (day !== this.#day && this.wants("day-began"))
      facts.push({ name: "day-began", subject: day, key: `day/${day}`, at: began, chain: [] });
    this.#day = day;
    const due = await this.#dueAtBeat();
    if (due.size > 0) facts.push({ name: "heartbeat", subject: "", key: `beat/${now}`, at: now, chain: [] });
    if (facts.length > 0) await this.#note(facts, undefined, due);
    await this.#places.lookAtUnwatched();
  }

  /** Does a run while what it changes counts as its own. */
  async around<T>(run: JobRun, work: () => Promise<T>): Promise<T> {
    if (this.#hooked.length === 0) return work();
    await this.#places.look();
    this.#places.suspect(run, await this.#chainOf(run));
    try {
      return await work();
    } finally {
      await this.#places.look();
      this.#places.clear(run);
    }
  }

  /** Looks at no place any more. */
  stop(): Promise<void> {
    this.#isStarted = false;
    return this.#places.close();
  }

  /** The jobs that wait for heartbeats and have something to do. */
  async #dueAtBeat(): Promise<ReadonlySet<string>> {
    const due = new Set<string>();
    for (const job of this.#hooked) {
      const waits = job.hooks?.on.some(({ name }) => name === "heartbeat") === true;
      if (waits && (await this.#parts.isDue(job))) due.add(job.name);
    }
    return due;
  }

  async #chainOf(run: Pick<JobRun, "job" | "scheduled">): Promise<readonly string[]> {
    return [...(await this.#parts.jobs.events.ofRun(run)).chain, run.job];
  }

  async #cursor(): Promise<number | null> {
    const at = (await this.#parts.jobs.events.seen(past))?.get("until");
    return at === undefined ? null : Number(at);
  }

  /** Puts events into the queue of each job that waits for them. A job never begins itself, over however many others. */
  async #note(
    facts: readonly EventFact[],
    seen?: Parameters<PlaceParts["note"]>[1],
    due: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const { jobs, noted } = this.#parts;
    const found: JobEvent[] = [];
    const ends = new Map<string, readonly string[]>();
    for (const job of this.#hooked)
      for (const fact of facts) {
        const { hooks } = job;
        if (hooks === undefined || fact.at < hooks.since || fact.chain.includes(job.name)) continue;
        if (fact.name === "heartbeat" && !due.has(job.name)) continue;
        if (!isOfItsFolder(job, fact) || !hooks.on.some((hook) => matchesHook(hook, fact))) continue;
        if (fact.chain.length >= longestChain) ends.set(job.name, fact.chain);
        else found.push({ ...fact, job: job.name });
      }
    if (found.length > 0 || seen !== undefined) await jobs.events.note(found, seen);
    for (const [job, chain] of ends) {
      const reason = `What it waits for came from ${chain.join(", which began ")}: a chain of jobs ends after ${longestChain}.`;
      await jobs.runs.note({ job, state: "missed", reason });
    }
    if (found.length > 0) noted();
  }
}

/** A change of a file is for the jobs of its folder. */
function isOfItsFolder({ work }: KeptJob, { name, place }: EventFact): boolean {
  return name !== "file-changed" || (work.kind === "words" && work.workspace === place);
}

function cursorAt(time: number): NonNullable<Parameters<PlaceParts["note"]>[1]> {
  return { place: past, changed: [["until", String(time)]], gone: [] };
}

/** The day of a time, `YYYY-MM-DD`, and when it began in Unix milliseconds. */
function dayOf(time: number): readonly [day: string, began: number] {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, "0");
  const began = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  return [`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`, began.getTime()];
}
