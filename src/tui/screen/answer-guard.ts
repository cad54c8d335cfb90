/** Milliseconds for which a question must have stood before a key, a mark or a line answers it: what was typed before was meant for something else. */
export const answerGuard = 300;
/**
 * Milliseconds without a key at the prompt before a question, or a hidden field over typed words, takes
 * keys.
 */
export const typingPause = 1_000;
/** Milliseconds in which nothing may follow a key that answers: several keys are typing. */
export const aloneFor = 400;

/** What stands at the prompt, and when somebody typed there the last time. */
export type Typing = {
  readonly isEmpty: () => boolean;
  /** Milliseconds since the last key. */
  readonly pause: () => number;
};

/**
 * Lets no key through to a hidden field that came up while somebody typed. Its first key comes after a
 * moment without one; where words stand at the prompt, after a pause in which they could have been ended.
 */
export class TypingGuard {
  readonly #clock: () => number;
  readonly #typing: Typing;
  #since = Number.POSITIVE_INFINITY;
  #isArmed = false;

  /** Without `typing`, what stands at the prompt does not matter. */
  constructor(clock: () => number, typing: Typing = nobody) {
    this.#clock = clock;
    this.#typing = typing;
  }

  /** It came up, or was hidden. */
  restart(): void {
    this.#isArmed = false;
    this.#since = this.#clock();
  }

  /** Whether a key that comes now is for it. One that is not makes it wait again. */
  takesKey(): boolean {
    if (this.#isArmed) return true;
    const now = this.#clock();
    const isQuiet = now - this.#since >= answerGuard;
    if (!isQuiet) this.#since = now;
    this.#isArmed = isQuiet && (this.#typing.isEmpty() || this.#typing.pause() >= typingPause);
    return this.#isArmed;
  }
}

/** Where there is no prompt beside the field. */
const nobody: Typing = { isEmpty: () => true, pause: () => Number.POSITIVE_INFINITY };
