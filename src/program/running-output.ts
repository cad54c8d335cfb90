type Shown = { readonly at: number; readonly lines: readonly string[]; readonly last: readonly string[] };

/** Milliseconds between two times that the same call is shown. */
const interval = 1_000;

/** What running calls print, as lines to show below each other: each line once, when it is complete, and at most as many a second as one view has. */
export class RunningOutput {
  readonly #clock: () => number;
  readonly #calls = new Map<string, Shown>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The lines of a view of a call that were not shown before. Its last line may still grow, and waits. */
  take(call: string, view: string): readonly string[] {
    const last = view.split("\n");
    const known = this.#calls.get(call);
    if (known !== undefined && this.#clock() - known.at < interval) {
      this.#calls.set(call, { ...known, last });
      return [];
    }
    const lines = last.slice(0, -1);
    this.#calls.set(call, { at: this.#clock(), lines, last });
    return withoutShown(known?.lines ?? [], lines);
  }

  /** The lines of a call that has ended which were not shown before. */
  end(call: string): readonly string[] {
    const known = this.#calls.get(call);
    this.#calls.delete(call);
    return known === undefined ? [] : withoutShown(known.lines, known.last);
  }
}

/** The lines behind those with which the lines before ended. */
function withoutShown(before: readonly string[], lines: readonly string[]): readonly string[] {
  for (let count = Math.min(before.length, lines.length); count > 0; count -= 1)
    if (before.slice(-count).every((line, at) => line === lines[at])) return lines.slice(count);
  return before.length > 0 && lines.length > 0 ? ["…", ...lines] : lines;
}
