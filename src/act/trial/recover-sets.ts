import { basename, dirname, join } from "node:path";
import { namesIfThere } from "../files/names-if-there.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { kindOf, statusOf } from "./difference.ts";
import { exchange, removeDraft } from "./exchange.ts";
import { fingerprintOf, walkEntries } from "./fingerprint.ts";
import { isOfObjects, Repositories } from "./plan-undo-set.ts";
import {
  type ChangeSet,
  changeModes,
  changeTimes,
  endSet,
  openForExchange,
  readSet,
  readUnfinished,
  type SetEntry,
  type Unfinished,
  unfinishedSet,
  writeSet,
} from "./set-files.ts";
import { type ReadyCopies, removeStaged, type StagedSet, withCopies } from "./staged-copies.ts";

/**
 * Ends what a killed process left under way in a folder of sets: a keeping whose changes were all made is finished, anything else is taken back, path by path. What
 * somebody changed since stays as it is. Gives what was done, for the owner. `tell`: told how far that is,
 * where it is much.
 */
export async function recoverSets(
  folder: string,
  noted: NotedSets,
  tell: Tell = () => {},
): Promise<readonly RecoveredSet[]> {
  const recovered: RecoveredSet[] = [];
  for (const name of await namesIfThere(folder)) {
    const set = unfinishedSet(name);
    if (set !== null) recovered.push({ set, ...(await recoverSet(join(folder, set), noted, tell)) });
  }
  return recovered;
}

/** A set that was ended: what was done, for the owner, and whether only a part of it could be taken back. */
export type RecoveredSet = { readonly set: string; readonly note: string; readonly isPartly: boolean };

/** What is noted of the changes of sets. */
export type NotedSets = {
  /** Whether an undo is noted as made. */
  readonly isUndoMade: (set: string) => Promise<boolean>;
  /** Forgets the change of a set of which nothing lasts. */
  readonly dropCommand: (set: string) => Promise<void>;
};

type Tell = (text: string) => void;

/** Ends what is left under way of one set. */
export async function recoverSet(
  place: string,
  noted: NotedSets,
  tell: Tell = () => {},
): Promise<Omit<RecoveredSet, "set">> {
  const under = await readUnfinished(place);
  await removeStaged({ place, folder: under.folder });
  if (under.what === "undo" && (await noted.isUndoMade(basename(place)))) {
    await endSet(place);
    return { note: `${ended(under)} All of it was undone.`, isPartly: false };
  }
  const changes = await readSet(place);
  if (changes !== null && under.what === "keep" && (await isAllMade(place, changes))) {
    await changeModes(changes, "after");
    await changeTimes(changes, "after");
    await endSet(place);
    return { note: `${ended(under)} All of it was kept; /undo takes it back.`, isPartly: false };
  }
  const told = (count: string): void => tell(`${takingBack(under)}: ${count}.`);
  const left = changes === null ? [] : await takeBack({ place, folder: under.folder }, changes, told);
  if (left.length === 0) await noted.dropCommand(basename(place));
  if (left.length === 0) await removeTree(place);
  await endSet(place);
  const isPartly = left.length > 0;
  return { note: [`${ended(under)} ${takenBack(under, isPartly)}`, ...left].join("\n"), isPartly };
}

function ended({ what, folder }: Unfinished): string {
  return what === "keep"
    ? `The agent was ended while it kept what a command changed in ${folder}.`
    : `The agent was ended during an undo in ${folder}.`;
}

function takingBack({ what, folder }: Unfinished): string {
  return what === "keep"
    ? `Taking back what a command was changing in ${folder}`
    : `Putting back what was being undone in ${folder}`;
}

function takenBack({ what }: Unfinished, isPartly: boolean): string {
  if (isPartly) return `What could be ${what === "keep" ? "taken" : "put"} back was, and the rest was not:`;
  return what === "keep"
    ? "What was changed already was taken back: nothing of the command is left."
    : "What was undone already was put back.";
}

type Found = { readonly isSetAside: boolean; readonly isMade: boolean };

async function look(place: string, { path, incoming, aside }: SetEntry): Promise<Found> {
  const isThere = async (at: string): Promise<boolean> => (await statusOf(at)) !== null;
  const isSetAside = aside !== null && (await isThere(join(dirname(place), aside)));
  const isMade = incoming === null ? isSetAside && !(await isThere(path)) : !(await isThere(incoming));
  return { isSetAside, isMade };
}

async function isAllMade(place: string, { exchanges }: ChangeSet): Promise<boolean> {
  for (const entry of exchanges) {
    const { isSetAside, isMade } = await look(place, entry);
    if (!isMade || (entry.aside !== null && !isSetAside)) return false;
  }
  return true;
}

/** Takes back what a set changed. What cannot be taken back stays in the list of the set; gives the reasons. */
async function takeBack(set: StagedSet, changes: ChangeSet, told: Tell): Promise<readonly string[]> {
  const { place } = set;
  const conflicts: string[] = [];
  const left: SetEntry[] = [];
  const repositories = new Repositories();
  await openForExchange(changes);
  const moveOf = async ([, entry]: [number, SetEntry]) => {
    const { isSetAside, isMade } = await look(place, entry);
    const kept = entry.aside !== null && isSetAside ? join(dirname(place), entry.aside) : null;
    return isMade || isSetAside ? { path: entry.path, incoming: kept } : null;
  };
  const all = [...changes.exchanges.entries()].toReversed();
  for await (const [[index, entry], copies, count] of withCopies(all, moveOf, set)) {
    if (count !== null) told(count);
    const problem = await takeBackOne(place, entry, { index, repositories, copies });
    if (problem === null) continue;
    conflicts.push(problem);
    left.unshift(entry);
  }
  await changeModes(changes, "before");
  await changeTimes(changes, "before");
  if (conflicts.length > 0) await writeSet(place, { ...changes, exchanges: left, modes: [], times: [] });
  return conflicts;
}

type TakingBack = {
  readonly index: number;
  readonly repositories: Repositories;
  readonly copies: ReadyCopies;
};

/** Null where the path is as it was before the set. */
async function takeBackOne(
  place: string,
  entry: SetEntry,
  { index, repositories, copies }: TakingBack,
): Promise<string | null> {
  const { path, was, incoming, left } = entry;
  const repository = was === null ? await repositories.of(path) : null;
  // Others may use an object by now, and nothing obeys it.
  if (repository !== null && isOfObjects(repository, path)) return null;
  const aside = entry.aside === null ? null : join(dirname(place), entry.aside);
  await removeDraft(path);
  if (aside !== null) await removeDraft(aside);
  const { isSetAside, isMade } = await look(place, entry);
  if (!isMade && !isSetAside) return null;
  const kept = isSetAside ? aside : null;
  const now = await fingerprintOf(path);
  if (kept !== null && !isMade && now === (await fingerprintOf(kept))) {
    await removeTree(kept);
    return null;
  }
  const isOurs = isMade ? now === left : await isRestOf(path, kept);
  if (!isOurs) {
    const where = kept === null ? "" : ` What was there before is kept in ${kept}.`;
    return `${path} was changed by somebody else since, so it was left as it is.${where}`;
  }
  await exchange({ path, incoming: kept, aside: incoming ?? join(place, `${index}-back`), copies });
  return null;
}

/**
 * Whether nothing is at a path, or what a removal that was cut off left of a folder that lies whole
 * elsewhere.
 */
async function isRestOf(path: string, whole: string | null): Promise<boolean> {
  for await (const { inside, status } of walkEntries(path)) {
    const same = whole === null ? null : await statusOf(join(whole, inside));
    if (same === null || kindOf(same) !== kindOf(status)) return false;
    const isEqual = same.mode === status.mode && same.size === status.size && same.mtimeNs === status.mtimeNs;
    if (!status.isDirectory() && !isEqual) return false;
  }
  return true;
}
