/** What a turn is doing; `thought`: the last that its model thinks, while it says it. */
export type Work = { readonly turn: string; readonly since: number; note: string; thought: string };

/** What runs, and how long each turn worked: the time in which it waits for an answer does not count. */
export class WorkClock {
  readonly #clock: () => number;
  readonly #running = new Map<string, Work>();
  /** Milliseconds that turns worked before they rested. */
  readonly #before = new Map<string, number>();
  /** Milliseconds that the turn worked that ended last. */
  last = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** What runs; null where nothing does. */
  get current(): Work | null {
    return this.#running.values().next().value ?? null;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Nothing runs, and no turn rests that goes on once it is answered. */
  get isDone(): boolean {
    return this.isIdle && this.#before.size === 0;
  }

  /** Whether a turn waits for an answer. */
  rests(turn: string): boolean {
    return this.#before.has(turn) && !this.#running.has(turn);
  }

  find(turn: string): Work | null {
    return this.#running.get(turn) ?? null;
  }

  /** `since`: when it began, where that was not now. */
  begin(turn: string, since: number = this.#clock()): void {
    this.#running.set(turn, { turn, since: Math.min(since, this.#clock()), note: "working", thought: "" });
  }

  /** What a turn is doing now, if it runs. */
  note(turn: string, note: string): void {
    const work = this.find(turn);
    if (work === null) return;
    work.note = note;
    work.thought = "";
  }

  /** What its model thinks. Where it answers already, what comes late is left out. */
  think(turn: string, thought: string): void {
    const work = this.find(turn);
    if (work !== null && work.note !== "answering") work.thought = thought;
  }

  /** A turn waits for an answer. */
  rest(turn: string): void {
    this.#before.set(turn, this.#worked(turn));
    this.#running.delete(turn);
  }

  end(turn: string): void {
    this.last = this.#worked(turn);
    this.#running.delete(turn);
    this.#before.delete(turn);
  }

  clear(): void {
    this.#running.clear();
    this.#before.clear();
  }

  #worked(turn: string): number {
    const work = this.#running.get(turn);
    return (this.#before.get(turn) ?? 0) + (work === undefined ? 0 : this.#clock() - work.since);
  }
}
