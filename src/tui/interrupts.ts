import type { Panels } from "./screen/panel.ts";

/** What Ctrl+C may act on. */
export type InterruptParts = {
  readonly panels: Panels;
  /** Empties the prompt; false where nothing stands at it. */
  readonly discard: () => boolean;
  /** Copies what is selected with the mouse; false where nothing is. */
  readonly copySelection: () => boolean;
  readonly stop: () => void;
  readonly leave: () => void;
  readonly say: (hint: string) => void;
};

/** Ctrl+C: copies what is selected, else closes what is open, empties the prompt, or stops; twice leaves. */
export class Interrupts {
  readonly #parts: InterruptParts;
  #count = 0;

  constructor(parts: InterruptParts) {
    this.#parts = parts;
  }

  /** Another key came. */
  reset(): void {
    this.#count = 0;
  }

  press(): void {
    const { panels, discard, copySelection, stop, leave, say } = this.#parts;
    if (copySelection()) return;
    if (panels.current !== null) {
      panels.close();
      return;
    }
    if (discard()) return;
    this.#count += 1;
    if (this.#count > 1) {
      leave();
      return;
    }
    stop();
    say("Ctrl+C again leaves");
  }
}
