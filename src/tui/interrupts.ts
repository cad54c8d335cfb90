import type { Panels } from "./panel.ts";
import type { Prompt } from "./prompt.ts";

/** What Ctrl+C may act on. */
export type InterruptParts = {
  readonly panels: Panels;
  readonly prompt: () => Prompt;
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
    const { panels, prompt, copySelection, stop, leave, say } = this.#parts;
    if (copySelection()) return;
    if (panels.current !== null) {
      panels.close();
      return;
    }
    if (prompt().text !== "") {
      prompt().text = "";
      return;
    }
    this.#count += 1;
    if (this.#count > 1) {
      leave();
      return;
    }
    stop();
    say("Ctrl+C again leaves");
  }
}
