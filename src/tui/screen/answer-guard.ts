/** Milliseconds for which a question must have stood before a key, a mark or a line answers it: what was typed before was meant for something else. */
export const answerGuard = 300;

/** Lets no key through to what came up while somebody typed: the first one counts that comes after a pause. */
export class TypingGuard {
  readonly #clock: () => number;
  #quietSince = Number.POSITIVE_INFINITY;
  #isArmed = false;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** It came up, or was hidden. */
  restart(): void {
    this.#isArmed = false;
    this.#quietSince = this.#clock();
  }

  /** Whether a key that comes now is for it. One that is not makes it wait again. */
  takesKey(): boolean {
    if (this.#isArmed) return true;
    const now = this.#clock();
    if (now - this.#quietSince < answerGuard) {
      this.#quietSince = now;
      return false;
    }
    this.#isArmed = true;
    return true;
  }
}
