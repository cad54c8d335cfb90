/** Paints each second while something runs, so that its seconds are counted; else nothing is painted by the clock. */
export class Ticker {
  readonly #paint: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  set runs(runs: boolean) {
    if (runs === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    // What is told after the owner has left begins it again: it keeps no process.
    this.#timer = runs ? setInterval(this.#paint, 1000).unref() : undefined;
  }
}
