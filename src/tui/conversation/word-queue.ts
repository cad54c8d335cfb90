/** Words that were said, and the names of the files that go with them. */
export type SaidWords = { readonly text: string; readonly attached: readonly string[] };

/** Words that wait. `steers`: for the turn that runs, else for a turn of their own. */
export type WaitingWords = SaidWords & { readonly steers: boolean };

const noTurns: ReadonlySet<string> = new Set();

/** Where words were typed: here, or in another window; `nowhere`: they do not come back to a prompt. */
type TypedIn = "here" | "elsewhere" | "nowhere";

type Waiting = WaitingWords & UnsaidWords & { readonly id: string; turn: string | null };

/** Words that come back to a prompt; those that were said earlier have a lower `place`. */
export type UnsaidWords = { readonly text: string; readonly place: number; readonly typedIn: TypedIn };

/** The owner's words until their turn begins: the first are shown at once, and what is said while a turn runs waits below it. */
export class WordQueue {
  /** Words that are shown, and whose turn has not begun, by their ids. */
  readonly #shown = new Map<string, SaidWords & UnsaidWords>();
  #waiting: Waiting[] = [];
  readonly #unsaid: UnsaidWords[] = [];
  #places = 0;

  get waiting(): readonly WaitingWords[] {
    return this.#waiting;
  }

  /** The turn of the words that wait, can come back and were said last; null where none is known. */
  get lastTurn(): string | null {
    return this.#waiting.findLast(({ typedIn }) => typedIn !== "nowhere")?.turn ?? null;
  }

  /** Whether these words are shown at once. */
  add(id: string, words: WaitingWords, isBusy: boolean): boolean {
    this.#places += 1;
    const place = this.#places;
    if (isBusy || this.#shown.size > 0 || this.#waiting.length > 0) {
      this.#waiting.push({ ...words, id, turn: null, place, typedIn: "here" });
      return false;
    }
    this.#shown.set(id, { ...words, place, typedIn: "here" });
    return true;
  }

  /**
   * Words that wait for their turn and were not typed here. `whole`: they are as they were
   * typed, and may come back.
   */
  wait(turn: string, words: SaidWords, whole: boolean): void {
    if (this.#waiting.some((waiting) => waiting.turn === turn)) return;
    this.#places += 1;
    const typedIn = whole ? "elsewhere" : "nowhere";
    this.#waiting.push({ ...words, id: turn, steers: false, turn, place: this.#places, typedIn });
  }

  /** Forgets what waits: it does so in another session. */
  clear(): void {
    this.#shown.clear();
    this.#waiting = [];
  }

  /**
   * The daemon has these words; gives those that wait for no turn, as a command does, or whose turn is
   * over.
   */
  accept(id: string, turn: string | null, over: ReadonlySet<string> = noTurns): SaidWords | null {
    if (this.#shown.delete(id)) return null;
    const found = this.#waiting.find((waiting) => waiting.id === id);
    if (found === undefined) return null;
    found.turn = turn;
    return turn === null || over.has(turn) ? this.#take(found) : null;
  }

  /**
   * The daemon does not take these words: they go back to where they were typed. Gives them, if they
   * waited.
   */
  refuse(id: string): SaidWords | null {
    const words = this.#shown.get(id) ?? this.#waiting.find((waiting) => waiting.id === id);
    if (words !== undefined) this.#unsaid.push(words);
    return this.accept(id, null);
  }

  /** A turn begins; gives its words, if they waited. It may begin before it is told whose it is. */
  begin(turn: string): SaidWords | null {
    const first = this.#shown.size === 0 ? this.#waiting.find((waiting) => waiting.turn === null) : undefined;
    return this.end(turn) ?? (first === undefined ? null : this.#take(first));
  }

  /** A turn that had not begun ends; gives its words, if they waited. */
  end(turn: string): SaidWords | null {
    const own = this.#waiting.find((waiting) => waiting.turn === turn);
    return own === undefined ? null : this.#take(own);
  }

  /** Whether a turn ended before it began, and its words go back to the prompt. */
  giveBack(turn: string): boolean {
    const words = this.#waiting.find((waiting) => waiting.turn === turn);
    if (words === undefined || words.typedIn === "nowhere") return false;
    this.#unsaid.push(words);
    this.#take(words);
    return true;
  }

  /** The words that were given back since the last time. */
  takeUnsaid(): readonly UnsaidWords[] {
    return this.#unsaid.splice(0);
  }

  #take(found: Waiting): SaidWords {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    return found;
  }
}
