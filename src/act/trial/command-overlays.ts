import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describeError } from "../../signal/text/describe-error.ts";
import { findOverlayProblem, findUnheld, type Overlay, openOverlay, removeTree } from "../sandbox/overlay.ts";
import { keepDifference, type SetResult, sealSet } from "./change-sets.ts";
import { type Difference, findDifference } from "./difference.ts";
import { withinSize } from "./measure.ts";
import { pruneSets } from "./prune-sets.ts";
import { beginSet, endSet } from "./set-files.ts";
import { openTrials, type Trials, trialBounds } from "./trials.ts";

/** A change set of a command, as the state remembers it. */
export type CommandChange = {
  readonly turn: string;
  readonly session: string;
  /** The folder that the command ran in. */
  readonly workspace: string;
  /** The name of the set in the folder of sets. */
  readonly set: string;
};

/** What was kept of an overlay. */
export type KeptChanges = Omit<SetResult, "done"> & {
  /** What is never kept, in words. */
  readonly notes: readonly string[];
  /** Called once nothing more is changed beside it. */
  readonly seal: () => Promise<void>;
};

/** Overlays for commands, and the change sets that are kept of them. */
export type CommandOverlays = {
  /**
   * Why commands cannot run over an overlay of a folder here; null where they can. Overlays are tried when it is first asked; a problem may pass with what keeps the machine busy,
   * so they are tried again a minute later. A folder is looked through when it is first asked for, after each problem with it, and when an overlay of it is opened.
   */
  readonly problem: (workspace: string) => Promise<string | null>;
  readonly open: (workspace: string) => Promise<Overlay | string>;
  /** Makes the workspace like the overlay. It can be undone as a change of the turn. */
  readonly keep: (
    overlay: Overlay,
    of: { readonly turn: string; readonly session: string },
    /** What to keep of it. Default: all. */
    difference?: Difference,
  ) => Promise<KeptChanges>;
  readonly trials: Trials;
};

/** Where nothing was changed, or nothing is kept. */
export const nothingKept: KeptChanges = {
  made: [],
  conflicts: [],
  notes: [],
  seal: () => Promise.resolve(),
};

/** Milliseconds after which overlays that did not work are tried again. */
const usualRetry = 60_000;

/** How the state remembers the change sets of commands. */
export type RememberedChanges = {
  /** Forces a change onto the disk before it is made. */
  readonly record: (change: CommandChange) => Promise<void>;
  /** Forgets the change of a set of which nothing was made. */
  readonly drop: (set: string) => Promise<void>;
};

/** Opens the overlays of a state folder. */
export function openCommandOverlays(
  folder: string,
  remembered: RememberedChanges,
  { bounds = trialBounds, retryAfter = usualRetry } = {},
): CommandOverlays {
  let tried: Promise<string | null> | null = null;
  const tryOnce = async (): Promise<string | null> => {
    const problem = await pruneSets(folder)
      .then(() => findOverlayProblem(folder))
      .catch(describeError);
    const forget = (): void => {
      tried = null;
    };
    if (problem !== null) setTimeout(forget, retryAfter).unref();
    return problem;
  };
  const looked = new Map<string, Promise<string | null>>();
  return {
    async problem(workspace) {
      tried ??= tryOnce();
      const problem = await tried;
      if (problem !== null) return problem;
      const known = (await looked.get(workspace)) === null;
      if (!known) looked.set(workspace, findUnheld(workspace));
      return (await looked.get(workspace)) ?? null;
    },
    async open(workspace) {
      const overlay = await openOverlay(workspace, folder);
      if (typeof overlay === "string") looked.delete(workspace);
      return overlay;
    },
    trials: openTrials(bounds),
    async keep(overlay, { turn, session }, given) {
      const found = await withinSize(async () => given ?? findDifference(overlay));
      if (!found.ok) return { ...nothingKept, conflicts: [found.error.message] };
      const difference = found.value;
      const { exchanges, modes, special } = difference;
      const notes = special.map((path) => `${path} is a socket, a pipe or a device, and was not kept.`);
      // Where that is all that a command made, nothing of it is there.
      if (exchanges.length + modes.length === 0) return { ...nothingKept, conflicts: notes };
      const set = randomUUID();
      const place = join(folder, set);
      await beginSet(place, { what: "keep", folder: overlay.folder });
      await remembered.record({ turn, session, workspace: overlay.folder, set });
      const { made, conflicts } = await keepDifference(difference, { place, begun: overlay.begun });
      if (made.length === 0) await remembered.drop(set);
      await endSet(place);
      if (made.length === 0) await removeTree(place);
      return { made, conflicts, notes, seal: () => sealSet(place) };
    },
  };
}
