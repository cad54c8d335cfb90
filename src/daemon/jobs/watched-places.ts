import type { JobEvents, SeenPlace } from "../../memory/state/job-events.ts";
import type { JobRun } from "../../signal/jobs/job.ts";
import type { EventFact } from "../../signal/jobs/job-event.ts";
import type { Clock } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";

/** A folder, or the notes, in which changes begin jobs. */
export type Place = {
  /** Its key: the real path of a folder, or `notes`. */
  readonly name: string;
  readonly event: "file-changed" | "note-changed";
  /** Its files, each with a stamp that changes when the file does; null if they cannot be listed now. */
  readonly list: () => Promise<ReadonlyMap<string, string> | null>;
  /** Calls back when something may have changed. `isWatching` is false if the place cannot be watched. */
  readonly watch: (changed: () => void) => PlaceWatch;
};
export type PlaceWatch = { readonly isWatching: () => boolean; readonly close: () => void };

/** What watching places needs. */
export type PlaceParts = {
  readonly events: Pick<JobEvents, "seen">;
  readonly clock: Clock;
  /** The chain of jobs that led to the present version of a file; null if no turn wrote it. */
  readonly chainOf: (place: Place, file: string) => Promise<readonly string[] | null>;
  /** Whether a run did something whose changes are not recorded, such as running a command. */
  readonly ranCommand: (run: Pick<JobRun, "job" | "scheduled">) => Promise<boolean>;
  readonly note: (facts: readonly EventFact[], seen?: SeenPlace) => Promise<void>;
  readonly report: (message: string) => void;
};

/** Milliseconds from a change to the scan of its place. */
const debounce = 300;
/** Most changes at once that are each traced to the job that made them. */
const mostTraced = 200;

type Watched = {
  readonly place: Place;
  readonly watch: PlaceWatch;
  timer: NodeJS.Timeout | null;
  /** The scan under way, or the last one. */
  scanning: Promise<void>;
};
type Suspect = { readonly run: JobRun; readonly chain: readonly string[] };

/** Scans places when they change, and compares them with the last scan on disk, so that over kills no change is missed or noticed twice. */
export class WatchedPlaces {
  readonly #parts: PlaceParts;
  readonly #watched = new Map<string, Watched>();
  readonly #suspects = new Map<string, Suspect>();

  constructor(parts: PlaceParts) {
    this.#parts = parts;
  }

  names(): readonly string[] {
    return [...this.#watched.keys()];
  }

  /** Watches these places and no others. */
  watch(places: readonly Place[]): void {
    const wanted = new Map(places.map((place) => [place.name, place]));
    for (const [name, watched] of this.#watched)
      if (!wanted.has(name)) {
        this.#end(watched);
        this.#watched.delete(name);
      }
    for (const [name, place] of wanted)
      if (!this.#watched.has(name)) this.#watched.set(name, this.#begin(place));
  }

  /** Scans each place now. */
  async scan(): Promise<void> {
    await Promise.all([...this.#watched.values()].map((watched) => this.#scan(watched)));
  }

  /** Scans the places that were never scanned: the files that are there now begin no job. */
  async scanNew(): Promise<void> {
    for (const watched of this.#watched.values())
      if ((await this.#parts.events.seen(watched.place.name)) === null) await this.#scan(watched);
  }

  async scanUnwatched(): Promise<void> {
    for (const watched of this.#watched.values()) if (!watched.watch.isWatching()) await this.#scan(watched);
  }

  /** From now on, changes without a record may come from this run. */
  suspect(run: JobRun, chain: readonly string[]): void {
    this.#suspects.set(keyOf(run), { run, chain });
  }

  clear(run: JobRun): void {
    this.#suspects.delete(keyOf(run));
  }

  async close(): Promise<void> {
    const all = [...this.#watched.values()];
    this.#watched.clear();
    for (const watched of all) this.#end(watched);
    await Promise.all(all.map(({ scanning }) => scanning));
  }

  #begin(place: Place): Watched {
    const watched: Watched = {
      place,
      timer: null,
      scanning: Promise.resolve(),
      watch: place.watch(() => {
        watched.timer ??= setTimeout(() => {
          watched.timer = null;
          void this.#scan(watched);
        }, debounce).unref();
      }),
    };
    return watched;
  }

  #end({ timer, watch }: Watched): void {
    if (timer !== null) clearTimeout(timer);
    watch.close();
  }

  /** Scans one after another. A failure is reported, and the next change scans again. */
  #scan(watched: Watched): Promise<void> {
    watched.scanning = watched.scanning
      .then(() => this.#compare(watched.place))
      .catch((error: unknown) =>
        this.#parts.report(`Changes in ${watched.place.name} could not be read: ${describeError(error)}`),
      );
    return watched.scanning;
  }

  async #compare(place: Place): Promise<void> {
    const found = await place.list();
    if (found === null) return;
    const known = await this.#parts.events.seen(place.name);
    const changed = [...found].filter(([file, stamp]) => known?.get(file) !== stamp);
    const gone = [...(known?.keys() ?? [])].filter((file) => !found.has(file));
    if (known !== null && changed.length + gone.length === 0) return;
    const seen = { place: place.name, changed, gone };
    if (known === null) return this.#parts.note([], seen);
    const files = [
      ...changed.map(([file, stamp]) => ({ file, stamp })),
      ...gone.map((file) => ({ file, stamp: `gone ${known.get(file)}` })),
    ];
    await this.#parts.note(await this.#factsOf(place, files), seen);
  }

  async #factsOf(
    place: Place,
    files: readonly { readonly file: string; readonly stamp: string }[],
  ): Promise<readonly EventFact[]> {
    const unrecorded = await this.#chainOfSuspects();
    const at = this.#parts.clock();
    const facts: EventFact[] = [];
    for (const { file, stamp } of files) {
      const recorded = files.length > mostTraced ? null : await this.#parts.chainOf(place, file);
      // A return to earlier contents is another change. The scan is saved with its events, so none is queued twice.
      const key = `${place.event} ${place.name} ${file} ${stamp} ${at}`;
      const chain = recorded ?? unrecorded;
      facts.push({ name: place.event, place: place.name, subject: file, key, at, chain });
    }
    return facts;
  }

  async #chainOfSuspects(): Promise<readonly string[]> {
    const chain = new Set<string>();
    for (const { run, chain: its } of this.#suspects.values())
      if (await this.#parts.ranCommand(run)) for (const job of its) chain.add(job);
    return [...chain];
  }
}

function keyOf({ job, scheduled }: JobRun): string {
  return `${job} ${scheduled}`;
}
