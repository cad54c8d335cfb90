import type { KeptValue } from "../../../memory/state/kept-value.ts";
import { isJsonArray, type Json } from "../../../text/json.ts";

/**
 * What the owner should know of work that nobody watched, until they were told, in whatever session: what a
 * kill cut off, and what jobs came to.
 */
export type Untold = {
  readonly add: (words: readonly string[]) => Promise<void>;
  /**
   * Adds what happens now, and lets those hear it who show the owner something. Who does show it calls
   * `markTold`.
   */
  readonly tell: (words: string) => Promise<void>;
  /** The same on this machine, whatever door tells the rest: for what a door could not tell. */
  readonly tellHere: (words: string) => Promise<void>;
  /**
   * Has a door tell it in the place of all others from now on, where that takes it. Returns what ends that.
   */
  readonly divert: (take: TakeNews) => () => void;
  /** Hears what is told from now on. Returns what ends that. */
  readonly listen: (hear: (words: string) => void) => () => void;
  readonly all: () => Promise<readonly string[]>;
  /** All was told, or these words. */
  readonly markTold: (told?: readonly string[]) => Promise<void>;
};

/** Takes words for the owner, which are on disk when this resolves; false where it cannot. */
export type TakeNews = (words: string) => Promise<boolean>;

/** The most that is kept, the newest. */
const mostKept = 20;

/** Opens what the owner was not told yet. */
export function openUntold(kept: KeptValue): Untold {
  const listeners = new Set<(words: string) => void>();
  const diverted: { take: TakeNews | null } = { take: null };
  const all = async () => textsOf(await kept.get());
  const add = async (words: readonly string[]): Promise<void> => {
    if (words.length > 0) await kept.set([...(await all()), ...words].slice(-mostKept));
  };
  const tellHere = async (words: string): Promise<void> => {
    await add([words]);
    for (const hear of listeners) hear(words);
  };
  return {
    add,
    all,
    divert(take) {
      diverted.take = take;
      return () => {
        if (diverted.take === take) diverted.take = null;
      };
    },
    tellHere,
    async tell(words) {
      if (diverted.take === null || !(await diverted.take(words))) await tellHere(words);
    },
    listen(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    async markTold(told) {
      const before = await all();
      if (before.length > 0) await kept.set(before.filter((words) => told?.includes(words) === false));
    },
  };
}

/** What an agent offers of it. */
export function untoldPorts({ all, markTold, listen, tellHere, divert }: Untold) {
  return { untold: all, markTold, listenToNews: listen, tellHere, divertNews: divert };
}

function textsOf(value: Json): readonly string[] {
  return isJsonArray(value) ? value.filter((text) => typeof text === "string") : [];
}
