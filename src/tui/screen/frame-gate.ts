import type { Screen } from "./screens.ts";

type Painted = Pick<Screen, "repaint" | "requestPaint">;

/** Holds frames back while a turn runs and nobody can see the screen. What the turn came to is painted, seen or not. */
export class FrameGate {
  readonly #isHidden: (() => Promise<boolean>) | null;
  readonly #screen: () => Painted;
  #hidden = false;
  #asks = false;
  #works = false;

  /** `isHidden` is null where nothing can tell. */
  constructor(isHidden: (() => Promise<boolean>) | null, screen: () => Painted) {
    this.#isHidden = isHidden;
    this.#screen = screen;
  }

  /** Whether frames are held back now. */
  get isClosed(): boolean {
    return this.#hidden;
  }

  /** A turn runs, or none does any more. */
  set works(works: boolean) {
    const begins = works && !this.#works;
    this.#works = works;
    if (begins) this.look();
    else if (!works) this.#hidden = false;
  }

  /** A second passed while a turn runs. */
  tick(): void {
    this.look();
    this.#screen().requestPaint();
  }

  /** Asks whether the screen can be seen. One that can be seen again is painted as a whole. */
  look(): void {
    if (this.#isHidden === null || this.#asks || !this.#works) return;
    this.#asks = true;
    void this.#isHidden().then((hidden) => {
      this.#asks = false;
      if (hidden && this.#works) this.#hidden = true;
      else this.open();
    });
  }

  /** The screen can be seen: somebody types there. */
  open(): void {
    if (!this.#hidden) return;
    this.#hidden = false;
    this.#screen().repaint();
  }
}
