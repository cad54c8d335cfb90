import { describeError } from "../../text/describe-error.ts";
import type { SetResult } from "./change-sets.ts";
import { recoverSet } from "./recover-sets.ts";

/** A keeping that a fault broke off, such as a full disk of the state. */
type BrokenSet = {
  readonly place: string;
  readonly fault: unknown;
  /** What the command changed. */
  readonly paths: readonly string[];
  /** Forgets the change of a set of which nothing was made. */
  readonly dropCommand: (set: string) => Promise<void>;
};

/** `notes`: of a fault in spite of which all was made. */
export type EndedSet = SetResult & { readonly notes: readonly string[] };

/**
 * Ends a keeping that a fault broke off as the next start would, so that what is told of it is what is there:
 * what was changed already is taken back, unless all of it was. Throws where that fails as well: then the
 * next start does it.
 */
export async function endBrokenSet({ place, fault, paths, dropCommand }: BrokenSet): Promise<EndedSet> {
  const why = describeError(fault);
  let isDropped = false;
  try {
    const { note, isPartly } = await recoverSet(place, {
      isUndoMade: () => Promise.resolve(false),
      dropCommand: (set) => {
        isDropped = true;
        return dropCommand(set);
      },
    });
    if (isDropped)
      return {
        done: [],
        made: [],
        conflicts: [`${why}. What was changed already was taken back.`],
        notes: [],
      };
    const kept = { done: paths.map((path) => `${path} was changed.`), made: paths };
    const [, ...stays] = note.split("\n");
    return isPartly
      ? { ...kept, conflicts: [`${why}. What could be taken back was.`, ...stays], notes: [] }
      : { ...kept, conflicts: [], notes: [`${why}. What the command changed was made all the same.`] };
  } catch (also) {
    const words = `${why}. What the command changed already could not be taken back (${describeError(also)}): the next start of the agent does that.`;
    throw new Error(words, { cause: fault });
  }
}
