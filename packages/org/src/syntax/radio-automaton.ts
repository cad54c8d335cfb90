import { foldCase } from "./fold-case.ts";

/** The text of a radio target, as its file has it, and as it is compared. */
type RadioTarget = { readonly written: string; readonly folded: readonly string[] };

/** A state of the automaton stands for an end of some target. */
type State = {
  readonly next: Map<string, number>;
  /** The target of which it is the whole. */
  target: RadioTarget | null;
  /** The state of its longest beginning that is an end of a target, too. */
  link: number;
  /** The nearest state on the way of the links that has a target; -1 if there is none. */
  shorter: number;
};

const gap = " \t\n\r\f";

/**
 * Finds all places where one of some targets begins, in one pass over a text, however many and however long the targets are: the automaton of Aho and
 * Corasick. It reads backwards, so that its state at a place knows all targets that begin there. Case and the width of gaps do not matter.
 */
export class RadioAutomaton {
  readonly #states: State[] = [makeState()];

  constructor(targets: readonly string[]) {
    for (const written of targets) this.#add({ written, folded: foldText(written).characters });
    this.#link();
  }

  /** The places of a text where targets begin, from the first to the last. */
  placesIn(text: string): RadioPlaces {
    const { characters, offsets } = foldText(text);
    const found: { begin: number; at: number; state: number }[] = [];
    let state = 0;
    for (let at = characters.length - 1; at >= 0; at -= 1) {
      state = this.#step(state, characters[at] ?? "");
      const { target, shorter } = this.#at(state);
      if (target !== null || shorter !== -1) found.push({ begin: offsets[at] ?? 0, at, state });
    }
    found.reverse();
    return {
      begins: found.map(({ begin }) => begin),
      targetsAt: (index) => this.#targetsAt(found[index], offsets),
    };
  }

  *#targetsAt(
    place: { readonly at: number; readonly state: number } | undefined,
    offsets: readonly number[],
  ): Generator<RadioCandidate> {
    if (place === undefined) return;
    for (let state = place.state; state !== -1; state = this.#at(state).shorter) {
      const { target } = this.#at(state);
      if (target === null) continue;
      yield { target: target.written, end: offsets[place.at + target.folded.length] ?? 0 };
    }
  }

  #at(state: number): State {
    const found = this.#states[state];
    if (found === undefined) throw new RangeError(`The automaton has no state ${state}.`);
    return found;
  }

  #add(target: RadioTarget): void {
    let state = 0;
    for (const character of target.folded.toReversed()) {
      const { next } = this.#at(state);
      const known = next.get(character);
      if (known === undefined) {
        next.set(character, this.#states.length);
        this.#states.push(makeState());
      }
      state = known ?? this.#states.length - 1;
    }
    const end = this.#at(state);
    if (end.target === null || end.target.written.length < target.written.length) end.target = target;
  }

  #link(): void {
    const waiting = [0];
    for (const state of waiting) {
      for (const [character, next] of this.#at(state).next) {
        const link = state === 0 ? 0 : this.#step(this.#at(state).link, character);
        const child = this.#at(next);
        child.link = link;
        child.shorter = this.#at(link).target === null ? this.#at(link).shorter : link;
        waiting.push(next);
      }
    }
  }

  #step(from: number, character: string): number {
    for (let state = from; ; state = this.#at(state).link) {
      const next = this.#at(state).next.get(character);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }
}

/** Where targets begin in a text. */
export type RadioPlaces = {
  /** Offsets, in order. */
  readonly begins: readonly number[];
  /** The targets that begin at the place with this index, longest first. */
  readonly targetsAt: (index: number) => Iterable<RadioCandidate>;
};

/** A target, as its file has it, and where its text ends. */
export type RadioCandidate = { readonly target: string; readonly end: number };

function makeState(): State {
  return { next: new Map(), target: null, link: 0, shorter: -1 };
}

/** The characters of a text without their case, each gap as one blank, and their offsets; the last offset is the end of the text. */
function foldText(text: string): {
  readonly characters: readonly string[];
  readonly offsets: readonly number[];
} {
  const characters: string[] = [];
  const offsets: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const isGap = gap.includes(character);
    if (!isGap || characters.at(-1) !== " ") {
      characters.push(isGap ? " " : foldCase(character));
      offsets.push(at);
    }
    at += character.length;
  }
  return { characters, offsets: [...offsets, text.length] };
}
