import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Renaming } from "../../signal/kept-guard.ts";
import type { OutputView } from "../../signal/tool.ts";
import { describeError } from "../../text/describe-error.ts";
import { isInside } from "../../text/is-inside.ts";
import { findOverlayProblem, findUnheld, type Overlay, openOverlay, removeTree } from "../sandbox/overlay.ts";
import { type FolderPart, openPartOverlay, type PartOverlay, type Place } from "../sandbox/part-overlay.ts";
import { keepDifference, type SetResult } from "./change-sets.ts";
import { openWithCopies } from "./copied-folders.ts";
import { type Difference, findDifference, isEmptyDifference } from "./difference.ts";
import type { EndedSet } from "./end-broken-set.ts";
import { findBrokenLinks } from "./hard-links.ts";
import { withinSize } from "./measure.ts";
import { octal } from "./opened-rights.ts";
import { OwnOutputs } from "./own-outputs.ts";
import type { CopyPlan } from "./plan-copies.ts";
import { type MeasuredSet, measureSet, measureSets, setLimits, setsToDrop } from "./prune-sets.ts";
import { sealSet } from "./seal-set.ts";
import { beginSet, endSet, nameSet, readSet } from "./set-files.ts";
import { withoutTornCommit } from "./torn-commit.ts";
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

/**
 * Who changed what is kept. `line`: an id of the line; an undo takes back all of one. Default: no other set
 * belongs to it.
 */
type ChangedBy = { readonly turn: string; readonly session: string; readonly line?: string };

/** What was kept of an overlay. */
export type KeptChanges = SetResult & {
  /** What is never kept, and what is kept in spite of what a program said, in words. */
  readonly notes: readonly string[];
  /** Called once nothing more is changed beside it, with what got other names meanwhile. */
  readonly seal: (renamed: readonly Renaming[]) => Promise<void>;
};

/** Overlays for commands, and the change sets that are kept of them. */
export type CommandOverlays = {
  /**
   * Why commands cannot run over an overlay of a folder here; null where they can. Overlays are tried when
   * it is first asked; a problem may pass with what keeps the machine busy, so they are tried again a minute
   * later. A folder is looked through when it is first asked for, after each problem with it, and when an
   * overlay of it is opened.
   */
  readonly problem: (workspace: string) => Promise<string | null>;
  /** `within`: an overlay of another folder that the commands have as well. */
  readonly open: (workspace: string, within?: Overlay) => Promise<Overlay | string>;
  /** An overlay in which folders can be renamed. */
  readonly openWithCopies: (workspace: string, plan: CopyPlan) => Promise<Overlay | string>;
  /** An overlay of a part of a folder, which commands have beside that of another folder. */
  readonly openPart: (
    part: FolderPart,
    places: readonly Place[],
    within: Overlay,
  ) => Promise<PartOverlay | string>;
  /** Makes the workspace like the overlay. It can be undone as a change of the turn. */
  readonly keep: (
    overlay: Overlay,
    of: ChangedBy,
    /** What to keep of it. Default: all. */
    difference?: Difference,
    /** Shows how far many changes are. Default: nothing is shown. */
    view?: Pick<OutputView, "add">,
  ) => Promise<KeptChanges>;
  readonly trials: Trials;
  readonly outputs: OwnOutputs;
  /**
   * The sets that must be dropped before another one is kept, since there is no more room; empty while there
   * is. Those that nothing needs go by themselves.
   */
  readonly planDrops: () => Promise<readonly SetToDrop[]>;
  readonly dropSets: (sets: readonly string[]) => Promise<void>;
  /** What a set put something else in the place of; nothing where the set is gone. */
  readonly displacedBy: (set: string) => Promise<readonly Displaced[]>;
};

/** A path that a command changed, and where what was there is kept; null where nothing was. */
export type Displaced = { readonly path: string; readonly kept: string | null };

/** Where nothing was changed, or nothing is kept. */
export const nothingKept: KeptChanges = {
  done: [],
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
  readonly recordCommand: (change: CommandChange) => Promise<void>;
  /** Forgets the change of a set of which nothing was made. */
  readonly dropCommand: (set: string) => Promise<void>;
  /** The sets that an undo or a redo needs, each with the folder of its command. */
  readonly neededCommands: () => Promise<ReadonlyMap<string, string>>;
};

/** A set that an undo needs and that would be dropped. */
export type SetToDrop = { readonly set: string; readonly workspace: string };

/** Opens the overlays of a state folder. */
export function openCommandOverlays(
  folder: string,
  remembered: RememberedChanges,
  { bounds = trialBounds, retryAfter = usualRetry, limits = setLimits } = {},
): CommandOverlays {
  const room = openSetRoom(folder, remembered, limits);
  let tried: Promise<string | null> | null = null;
  const tryOnce = async (): Promise<string | null> => {
    const problem = await room
      .measure()
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
      if ((await looked.get(workspace)) !== null) lookAgain(looked, workspace);
      return (await looked.get(workspace)) ?? null;
    },
    async open(workspace, within) {
      const overlay = await openOverlay(workspace, folder, within);
      if (typeof overlay === "string") looked.delete(workspace);
      return overlay;
    },
    openWithCopies: (workspace, plan) => openWithCopies(workspace, folder, plan),
    openPart: (part, places, within) => openPartOverlay(part, places, { state: folder, within }),
    trials: openTrials(bounds),
    outputs: new OwnOutputs(),
    planDrops: () => room.plan(),
    dropSets: room.drop,
    displacedBy: (set) => displacedBy(folder, set),
    // One after the other: what one keeps, the next one must find changed.
    keep: inTurn(async (overlay, { turn, session, line = randomUUID() }, given, view) => {
      const found = await withinSize(async () => given ?? findDifference(overlay));
      if (!found.ok) return { ...nothingKept, conflicts: [found.error.message] };
      const difference = await withoutTornCommit(found.value, overlay);
      if (typeof difference === "string") return { ...nothingKept, conflicts: [difference] };
      const { notesOn, unheld } = await wordsOn(difference);
      // Where that is all that a command made, nothing of it is there.
      if (isEmptyDifference(difference)) return { ...nothingKept, conflicts: [...notesOn([]), ...unheld] };
      const set = nameSet(line);
      const place = join(folder, set);
      const change = { turn, session, workspace: overlay.folder, set };
      const kept = { difference, place, begun: overlay.begun, tell: (text: string) => view?.add(text) };
      const { done, made, ...rest } = await keepWhole(remembered, change, kept);
      await (made.length === 0 ? removeTree(place) : room.add(place));
      const conflicts = [...rest.conflicts, ...unheld];
      const notes = [...rest.notes, ...notesOn(made)];
      return { done, made, conflicts, notes, seal: (renamed) => sealSet(place, renamed) };
    }),
  };
}

type Keeping = {
  readonly difference: Difference;
  readonly place: string;
  readonly begun: bigint;
  readonly tell: (text: string) => void;
};

/** Keeps a difference as a set. Where a fault breaks that off, it is ended as the next start would end it. */
async function keepWhole(
  { recordCommand, dropCommand }: RememberedChanges,
  change: CommandChange,
  { difference, place, begun, tell }: Keeping,
): Promise<EndedSet> {
  await beginSet(place, { what: "keep", folder: change.workspace });
  try {
    await recordCommand(change);
    const result = await keepDifference(difference, { place, begun, tell });
    if (result.made.length === 0) await dropCommand(change.set);
    await endSet(place);
    return { ...result, notes: [] };
  } catch (fault) {
    const { endBrokenSet } = await import("./end-broken-set.ts");
    const paths = difference.exchanges.map(({ path }) => path);
    return endBrokenSet({ place, fault, paths, dropCommand });
  }
}

/** Looks whether a folder can be held, and remembers what was found; a look that failed is forgotten. */
function lookAgain(looked: Map<string, Promise<string | null>>, workspace: string): void {
  const look = findUnheld(workspace);
  looked.set(workspace, look);
  look.catch(() => void looked.delete(workspace));
}

/** What is said of a difference: beside the rest, and instead of what a person expects. */
async function wordsOn({ exchanges, special, owned, unheld, privileged }: Difference) {
  const stripped = [...privileged].filter(([path]) => exchanges.some((each) => isInside(each.path, path)));
  const broken = await findBrokenLinks(exchanges);
  return {
    /** `made`: the paths that were changed. */
    notesOn: (made: readonly string[]): readonly string[] => [
      ...special.map((path) => `${path} is a device, and was not kept.`),
      ...owned.map((path) => `${path} was moved, and all in it keeps its owner and group.`),
      ...stripped.map(
        ([path, mode]) =>
          `${path} was not kept as ${octal(mode)}: it runs with the rights of whoever starts it.`,
      ),
      ...wordsOnBroken(broken.filter((path) => made.includes(path))),
    ],
    unheld: [...unheld].map(([path, gets]) => `It was not kept that ${path} ${gets}.`),
  };
}

/** What is said of files that had other names: the first one, and how many more there are. */
function wordsOnBroken([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and of ${others.length} more`;
  return [`The other names (hard links) of ${first}${more} keep what was there before.`];
}

/** What a set took the place of, each with where it is kept. */
async function displacedBy(folder: string, set: string): ReturnType<CommandOverlays["displacedBy"]> {
  const { exchanges = [] } = (await readSet(join(folder, set))) ?? {};
  return exchanges.map(({ path, aside }) => ({ path, kept: aside === null ? null : join(folder, aside) }));
}

/** A function whose calls run one after the other. */
function inTurn<Given extends unknown[], Result>(
  run: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const next = last.then(() => run(...given));
    last = next.catch(() => undefined);
    return next;
  };
}

/** The room for sets. They are measured once, and then each new one. */
function openSetRoom(folder: string, { neededCommands }: RememberedChanges, limits: typeof setLimits) {
  const sets = new Map<string, MeasuredSet>();
  const drop = async (dropped: readonly string[]): Promise<void> => {
    for (const set of dropped) {
      await removeTree(join(folder, set));
      sets.delete(set);
    }
  };
  return {
    drop,
    async measure() {
      for (const set of await measureSets(folder)) sets.set(set.set, set);
    },
    async add(place: string) {
      const set = await measureSet(place);
      sets.set(set.set, set);
    },
    async plan(): Promise<readonly SetToDrop[]> {
      if (setsToDrop([...sets.values()], () => true, limits).length === 0) return [];
      const folders = await neededCommands();
      const dropped = setsToDrop([...sets.values()], (set) => folders.has(set), limits);
      await drop(dropped.filter((set) => !folders.has(set)));
      return dropped.flatMap((set) => {
        const workspace = folders.get(set);
        return workspace === undefined ? [] : [{ set, workspace }];
      });
    },
  };
}
