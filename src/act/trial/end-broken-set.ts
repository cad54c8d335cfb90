import { describeError } from "../../signal/text/describe-error.ts";
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

/**
 * Ends a keeping that a fault broke off as the next start would, so that what is told of it is what is there:
 * what was changed already is taken back, unless all of it was. Throws where that fails as well: then the
 * next start does it.
 */
export async function endBrokenSet({ place, fault, paths, dropCommand }: BrokenSet): Promise<SetResult> {
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
      return { done: [], made: [], conflicts: [`${why}. What was changed already was taken back.`] };
    const done = paths.map((path) => `${path} was changed.`);
    const [, ...stays] = note.split("\n");
    return {
      done,
      made: paths,
      conflicts: isPartly ? [`${why}. What could be taken back was.`, ...stays] : [],
    };
  } catch (also) {
    const words = `${why}. What the command changed already could not be taken back (${describeError(also)}): the next start of the agent does that.`;
    throw new Error(words, { cause: fault });
  }
}
