import { matchesGlob } from "node:path";
import type { JobEvent } from "../../memory/state/job-events.ts";
import type { Jobs } from "../../memory/state/jobs.ts";
import type { JobRun, KeptJob } from "../../signal/jobs/job.ts";
import type { EventFact, EventName, Hook } from "../../signal/jobs/job-event.ts";
import type { Clock } from "../../text/clock.ts";
import { type Place, type PlaceParts, WatchedPlaces } from "./watched-places.ts";

/** What the sources of events need. */
export type EventSourcesParts = Pick<PlaceParts, "chainOf" | "ranCommand"> & {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** The places that the hooks of these jobs are about. */
  readonly placesOf: (hooked: readonly KeptJob[]) => Promise<readonly Place[]>;
  /** The turns that ended and the sessions that began from a time on, as far as they are on disk. */
  readonly factsSince: (time: number) => Promise<readonly EventFact[]>;
  /** Whether a job that waits for heartbeats has something to do now; a job without a condition of its own always has. */
  readonly isDue: (job: KeptJob) => Promise<boolean>;
  /** Called when events were queued. */
  readonly queued: () => void;
  readonly report: (message: string) => void;
};

/** Longest chain of jobs that begin each other. */
const longestChain = 3;
/** Milliseconds by which events may be queued out of order. */
const slack = 60_000;
/** The place under which the time is kept up to which all events are queued. */
const past = "past";

/** Notices the events that jobs wait for, and queues them. Without hooks it costs nothing. */
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

  /** Queues the events that happened while no process ran, and then those that happen. */
  async start(): Promise<void> {
    this.#isStarted = true;
    const open = await this.#parts.jobs.runs.list({ states: ["queued", "running"], most: 1000 });
    for (const run of open) if (run.fence > 0) this.#places.suspect(run, await this.#chainOf(run));
    await this.refresh();
    const cursor = await this.#cursor();
    if (cursor !== null) await this.#note(await this.#parts.factsSince(cursor));
    await this.#places.scan();
    for (const run of open) this.#places.clear(run);
    await this.beat();
  }

  /** Reads which jobs have hooks now. */
  async refresh(): Promise<void> {
    if (!this.#isStarted) return;
    const { jobs, clock, placesOf } = this.#parts;
    this.#hooked = (await jobs.all()).filter(({ hooks }) => hooks !== undefined);
    this.#places.watch(await placesOf(this.#hooked));
    if (this.#hooked.length > 0 && (await this.#cursor()) === null)
      await jobs.events.note([], cursorAt(clock()));
    await jobs.events.keepPlaces(this.#hooked.length === 0 ? [] : [past, ...this.#places.names()]);
    await this.#places.scanNew();
  }

  /** Whether some job waits for an event of this name. */
  wants(name: EventName): boolean {
    return this.#hooked.some(({ hooks }) => hooks?.on.some((hook) => hook.name === name) === true);
  }

  /** Queues an event that is on disk. */
  async happened(fact: EventFact): Promise<void> {
    if (!this.wants(fact.name)) return;
    // Other events of this time may not be queued yet; an event that is queued twice counts once. The cursor never goes back.
    const until = Math.max((await this.#cursor()) ?? 0, fact.at - slack);
    await this.#note([fact], cursorAt(until));
  }

  /** Queues that a run failed for good. */
  async failed(run: JobRun): Promise<void> {
    if (!this.wants("job-failed")) return;
    const { job, scheduled, endedAt } = run;
    const at = endedAt ?? scheduled;
    const chain = await this.#chainOf(run);
    await this.#note([{ name: "job-failed", subject: job, key: `failed ${job} ${scheduled}`, at, chain }]);
  }

  /** Queues the events of a heartbeat and of a new day, and scans the places that cannot be watched. */
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
    await this.#places.scanUnwatched();
  }

  /** Does a run; the changes that it makes count as its own. */
  async around<T>(run: JobRun, work: () => Promise<T>): Promise<T> {
    if (this.#hooked.length === 0) return work();
    await this.#places.scan();
    this.#places.suspect(run, await this.#chainOf(run));
    try {
      return await work();
    } finally {
      await this.#places.scan();
      this.#places.clear(run);
    }
  }

  /** Stops watching. */
  stop(): Promise<void> {
    this.#isStarted = false;
    return this.#places.close();
  }

  /** The names of the jobs that wait for heartbeats and have something to do. */
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

  /** Queues events for each job that waits for them. A job never begins itself, neither directly nor through other jobs. */
  async #note(
    facts: readonly EventFact[],
    seen?: Parameters<PlaceParts["note"]>[1],
    due: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const { jobs, queued } = this.#parts;
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
    if (found.length > 0) queued();
  }
}

/** Whether an event is for a job: a change of a file is for the jobs of its folder. */
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

/** Whether a hook waits for an event. A glob without a slash matches names in any folder. */
function matchesHook({ name, about }: Hook, fact: Pick<EventFact, "name" | "subject">): boolean {
  if (name !== fact.name) return false;
  if (about === null) return true;
  if (name === "job-failed") return about === fact.subject;
  return matchesGlob(fact.subject, about.includes("/") ? about : `**/${about}`);
}
