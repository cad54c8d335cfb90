import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describeError } from "../../signal/text/describe-error.ts";
import { findOverlayProblem, type Overlay, openOverlay } from "../sandbox/overlay.ts";
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
export type KeptChanges = SetResult & {
  /** Called once nothing more is changed beside it. */
  readonly seal: () => Promise<void>;
};

/** Overlays for commands, and the change sets that are kept of them. */
export type CommandOverlays = {
  /** Why commands cannot run over an overlay here; null where they can. Tried when it is first asked; a problem may pass with what keeps the machine busy, so it is tried again a minute later. */
  readonly problem: () => Promise<string | null>;
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

/** Milliseconds after which overlays that did not work are tried again. */
const usualRetry = 60_000;

/** Opens the overlays of a state folder. `record` forces the change onto the disk before it is made. */
export function openCommandOverlays(
  folder: string,
  record: (change: CommandChange) => Promise<void>,
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
  return {
    problem() {
      tried ??= tryOnce();
      return tried;
    },
    open: (workspace) => openOverlay(workspace, folder),
    trials: openTrials(bounds),
    async keep(overlay, { turn, session }, given) {
      const found = await withinSize(async () => given ?? findDifference(overlay));
      if (!found.ok) return { done: [], conflicts: [found.error.message], seal: () => Promise.resolve() };
      const difference = found.value;
      const { exchanges, modes, special } = difference;
      const notKept = special.map((path) => `${path} is a socket, a pipe or a device, and was not kept.`);
      if (exchanges.length + modes.length === 0)
        return { done: [], conflicts: notKept, seal: () => Promise.resolve() };
      const set = randomUUID();
      const place = join(folder, set);
      await beginSet(place, { what: "keep", folder: overlay.folder });
      await record({ turn, session, workspace: overlay.folder, set });
      const kept = await keepDifference(difference, { place, begun: overlay.begun });
      await endSet(place);
      return { ...kept, conflicts: [...kept.conflicts, ...notKept], seal: () => sealSet(place) };
    },
  };
}
