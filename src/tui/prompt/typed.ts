import type { Typing } from "../screen/answer-guard.ts";

/** When somebody typed at the prompt the last time, and whether something stands there. */
export class Typed implements Typing {
  readonly #text: () => string;
  readonly #clock: () => number;
  #at = Number.NEGATIVE_INFINITY;

  constructor({ text, clock }: { readonly text: () => string; readonly clock: () => number }) {
    this.#text = text;
    this.#clock = clock;
  }

  /** The prompt got a key or a paste. */
  note(): void {
    this.#at = this.#clock();
  }

  isEmpty = (): boolean => this.#text() === "";
  pause = (): number => this.#clock() - this.#at;
}
