import type { Label } from "../../signal/label.ts";
import type { Outcome } from "../../signal/tool.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { type Difference, findDifference, isEmptyDifference } from "./difference.ts";
import { withoutCaches } from "./left-caches.ts";
import { type ExecuteTrial, trialLimits, withinLimits } from "./limits.ts";
import { digestOfDifference } from "./manifest.ts";
import { trialSize, withinSize } from "./measure.ts";

/** A command that was tried: its outcome, and what it changed, which lies in its overlay until it is kept or dropped. */
export type TriedCommand = {
  readonly overlay: Overlay;
  readonly outcome: Outcome;
  /** Milliseconds that it ran. */
  readonly ranFor: number;
  readonly difference: Difference;
  readonly digest: string;
  /** The label of all that it was given, where that is more than its words. */
  readonly label?: Label | undefined;
  /**
   * The label of all that it could read in its workspace: as it was before the trial, and once it was looked
   * up after it.
   */
  readonly readable: Map<"before" | "after", Label>;
  /** What parsers said of the files that it changed. */
  readonly parsed: Map<string, string | null>;
  /** What git said of the packs and lists that it made, as `forgedObjects` keeps it. */
  readonly verified: Map<string, boolean | null>;
};

/** The trials of this process that are neither kept nor dropped, one for each turn. */
export type Trials = {
  /** The trial of a command in a turn; null if it was not tried. */
  readonly find: (turn: string, command: string) => TriedCommand | null;
  /** Tries a command over an overlay and holds what it changed. Null for the difference where nothing changed: then nothing is held. */
  readonly run: (trial: NewTrial, cancel: AbortSignal) => Promise<HeldTrial>;
  /** Holds what a command changed that ran over an overlay, which belongs to the trial from then on. */
  readonly hold: (trial: EndedTrial) => Promise<HeldTrial>;
  /** Remembers the command that asks for what the trial of a turn failed for want of, until that trial is dropped. */
  readonly miss: (turn: string, command: string) => void;
  readonly isMissed: (turn: string, command: string) => boolean;
  /**
   * Remembers, until the next trial of the turn, why a command cannot do over a copy of the folder what it
   * does.
   */
  readonly needFolder: (turn: string, command: string, why: string) => void;
  /** Why it cannot; null where that is not known of it. */
  readonly whyFolder: (turn: string, command: string) => string | null;
  /** Drops the trial of a turn with all that it changed. */
  readonly drop: (turn: string) => Promise<void>;
  /** Drops all trials, and waits until nothing of them is left. */
  readonly close: () => Promise<void>;
};

/** What came of a trial. */
type HeldTrial = { readonly outcome: Outcome; readonly changed: boolean };

/** A trial to make. `execute` runs the command over the overlay. */
export type NewTrial = {
  readonly turn: string;
  readonly command: string;
  readonly overlay: Overlay;
  /** The label of all that it can read there. */
  readonly readable: Label;
  readonly execute: ExecuteTrial;
};

/** A command that ran over an overlay to its end. */
export type EndedTrial = Omit<NewTrial, "execute" | "readable"> &
  Pick<TriedCommand, "outcome" | "ranFor" | "label"> & { readonly readable?: Label };

/** What a trial may use and leave. */
export const trialBounds = { ...trialLimits, ...trialSize };

type Uncopied = { readonly command: string; readonly why: string };

const whyOf = (known: Uncopied | undefined, command: string): string | null =>
  known?.command === command ? known.why : null;

function foundBefore(label: Label | undefined): TriedCommand["readable"] {
  return new Map(label === undefined ? [] : [["before", label]]);
}

/** A trial that failed keeps nothing, and says so where there was something to keep. */
async function tellNothingKept(
  outcome: Extract<Outcome, { readonly status: "error" }>,
  { overlay, bounds }: { readonly overlay: Overlay; readonly bounds: typeof trialBounds },
): Promise<Outcome> {
  const found = await withinSize(() => findDifference(overlay, bounds));
  if (found.ok && isEmptyDifference(found.value)) return outcome;
  const message = `${outcome.message} Nothing of what the line changed in the workspace was kept.`;
  return { ...outcome, message };
}

/** Holds the trials of a process. */
export function openTrials(bounds = trialBounds): Trials {
  const held = new Map<string, TriedCommand & { readonly command: string }>();
  const missed = new Map<string, string>();
  const uncopied = new Map<string, Uncopied>();
  const ending = new Set<Promise<void>>();
  const drop = async (turn: string): Promise<void> => {
    missed.delete(turn);
    const trial = held.get(turn);
    held.delete(turn);
    const end = Promise.resolve(trial?.overlay[Symbol.asyncDispose]());
    ending.add(end);
    await end.finally(() => ending.delete(end));
  };
  const hold: Trials["hold"] = async ({ turn, command, overlay, label, readable, ...ended }) => {
    await using stack = new AsyncDisposableStack();
    stack.use(overlay);
    const { outcome } = ended;
    if (outcome.status === "error")
      return { outcome: await tellNothingKept(outcome, { overlay, bounds }), changed: false };
    const found = await withinSize(async () =>
      withoutCaches(await findDifference(overlay, bounds), { overlay, line: command }),
    );
    if (!found.ok) return { outcome: { status: "error", ...found.error }, changed: false };
    const difference = found.value;
    if (isEmptyDifference(difference) && difference.unheld.size === 0) return { outcome, changed: false };
    const digest = await digestOfDifference(difference);
    const looked = { readable: foundBefore(readable), parsed: new Map(), verified: new Map() };
    held.set(turn, { command, overlay, label, ...ended, difference, digest, ...looked });
    stack.move();
    return { outcome, changed: true };
  };
  return {
    hold,
    find: (turn, command) => (held.get(turn)?.command === command ? (held.get(turn) ?? null) : null),
    async run({ turn, command, overlay, readable, execute }, cancel) {
      uncopied.delete(turn);
      await drop(turn);
      await using stack = new AsyncDisposableStack();
      stack.use(overlay);
      const begun = performance.now();
      const outcome = await withinLimits({ upper: overlay.upper, execute }, cancel, bounds);
      if (cancel.aborted) return { outcome, changed: false };
      stack.move();
      return hold({ turn, command, overlay, readable, outcome, ranFor: performance.now() - begun });
    },
    miss: (turn, command) => void missed.set(turn, command),
    isMissed: (turn, command) => missed.get(turn) === command,
    needFolder: (turn, command, why) => void uncopied.set(turn, { command, why }),
    whyFolder: (turn, command) => whyOf(uncopied.get(turn), command),
    drop,
    async close() {
      for (const turn of held.keys()) await drop(turn);
      await Promise.all(ending);
    },
  };
}
