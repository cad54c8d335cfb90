type Waiting = { readonly id: string; readonly text: string; turn: string | null };

/** The owner's words until their turn begins: the first are shown at once, and what is said while a turn runs waits below it. */
export class WordQueue {
  /** Ids of words that are shown, and whose turn has not begun. */
  readonly #shown = new Set<string>();
  #waiting: Waiting[] = [];

  get texts(): readonly string[] {
    return this.#waiting.map(({ text }) => text);
  }

  /** Whether these words are shown at once. */
  add(id: string, text: string, isBusy: boolean): boolean {
    if (isBusy || this.#shown.size > 0 || this.#waiting.length > 0) {
      this.#waiting.push({ id, text, turn: null });
      return false;
    }
    this.#shown.add(id);
    return true;
  }

  /** The daemon has these words; gives those that wait for no turn, as a command does. */
  accept(id: string, turn: string | null): string | null {
    if (this.#shown.delete(id)) return null;
    const found = this.#waiting.find((waiting) => waiting.id === id);
    if (found === undefined) return null;
    found.turn = turn;
    return turn === null ? this.#take(found) : null;
  }

  /** A turn begins; gives its words, if they waited. It may begin before it is told whose it is. */
  begin(turn: string): string | null {
    const own = this.#waiting.find((waiting) => waiting.turn === turn);
    const first = this.#shown.size === 0 ? this.#waiting.find((waiting) => waiting.turn === null) : undefined;
    const found = own ?? first;
    return found === undefined ? null : this.#take(found);
  }

  #take(found: Waiting): string {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    return found.text;
  }
}
