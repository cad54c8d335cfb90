/** Work that is done again whenever something woke it, and never twice at a time. */
export class WakingLoop {
  readonly #work: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #running: Promise<void> | null = null;
  #isWoken = false;

  constructor(work: () => Promise<void>, failed: (error: unknown) => void) {
    this.#work = work;
    this.#failed = failed;
  }

  wake(): void {
    this.#isWoken = true;
    this.#running ??= this.#run();
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        await this.#work();
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#running = null;
    }
  }
}
