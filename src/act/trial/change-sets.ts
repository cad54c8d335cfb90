import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { errorCode, fileErrorWords } from "../files/fallible.ts";
import { type OverlayMark, removeOverlayMarks } from "../sandbox/extended-attributes.ts";
import { type Difference, statusOf } from "./difference.ts";
import { asKept, exchange, NotExchanged, type Step } from "./exchange.ts";
import { fingerprintOf, nothing, walkEntries } from "./fingerprint.ts";
import { linkAgain } from "./hard-links.ts";
import { modeStays, type Planned, type UndoSetPlan } from "./plan-undo-set.ts";
import {
  beginSet,
  type ChangeSet,
  changeModes,
  changeTimes,
  isClosed,
  openForExchange,
  readUnfinished,
  type SetEntry,
  writeAttached,
  writeSet,
} from "./set-files.ts";
import { type StagedSet, withCopies } from "./staged-copies.ts";
import { changedByOthers } from "./torn-commit.ts";

/**
 * What was done, in words; the paths that were left as they are, each with the reason; and the paths that
 * are as they were to be.
 */
export type SetResult = {
  readonly done: readonly string[];
  readonly conflicts: readonly string[];
  readonly made: readonly string[];
};

/** `tell`: told how far many changes are. */
type ToldSteps = { readonly step?: Step; readonly tell?: (text: string) => void };

/**
 * Makes a folder like the overlay that was compared with it. What it displaces goes into `place`, from where
 * an undo brings it back. What somebody changed
 * since the overlay began stays as it is, and is a conflict. The set is under way until `endSet`; what a kill leaves of it, `recoverSets` finishes or takes back.
 */
export async function keepDifference(
  difference: Difference,
  { place, begun, ...told }: ToldSteps & { readonly place: string; readonly begun: bigint },
): Promise<SetResult> {
  const conflicts: string[] = [];
  const exchanges: Planned[] = [];
  let unmade: string | null = null;
  for (const change of difference.exchanges) {
    const { path, incoming, becomes } = change;
    const seen = await statusOf(path);
    const changed = await changedByOthers(change, begun);
    if (changed === null) {
      if (incoming !== null) await asKept(incoming, path);
      exchanges.push({ ...change, source: null, to: null, seen });
      continue;
    }
    conflicts.push(`${changed} was changed by somebody else after the command began, so it stays as it is.`);
    if (becomes !== null) unmade ??= path;
  }
  await removeOverlayMarks(difference.marks.filter(isKept(exchanges)));
  const { folder } = await readUnfinished(place);
  const { modes, times, links } = difference;
  return apply({ place, folder, exchanges, modes, times, links, conflicts, unmade, isUndo: false, ...told });
}

/**
 * Takes back what a set changed in a folder, as planned, path by path, and keeps what it displaces in
 * `place`, as a set of its own, which is under way until `endSet`.
 */
export async function undoSet(
  plan: UndoSetPlan,
  { place, folder, step }: { readonly place: string; readonly folder: string; readonly step?: Step },
): Promise<SetResult> {
  await beginSet(place, { what: "undo", folder });
  return apply({ ...plan, place, folder, links: [], isUndo: true, step });
}

/** Whether a path of an overlay is at or below one that is exchanged. */
function isKept(exchanges: readonly Planned[]): (mark: OverlayMark) => boolean {
  const incoming = new Set(exchanges.map((exchange) => exchange.incoming));
  return ({ path }) => {
    let at = path;
    while (!incoming.has(at) && at !== dirname(at)) at = dirname(at);
    return incoming.has(at);
  };
}

type Application = StagedSet & {
  readonly exchanges: readonly Planned[];
  readonly modes: Difference["modes"];
  readonly times: Difference["times"];
  readonly links: Difference["links"];
  readonly conflicts: readonly string[];
  /** What was to come and was not exchanged, the first of it; null for nothing. */
  readonly unmade: string | null;
  readonly isUndo: boolean;
  readonly step?: Step | undefined;
  readonly tell?: (text: string) => void;
};

/** Exchanges all. The list, with what will be left, is on the disk before the first exchange. */
async function apply(application: Application): Promise<SetResult> {
  const { place, modes, times, conflicts, step } = application;
  await mkdir(place, { recursive: true, mode: 0o700 });
  const set = await planSet(application);
  step?.("planned");
  await writeSet(place, set);
  step?.("recorded");
  await openForExchange(set);
  const { told, made } = await exchangeAll(application, set);
  const copies = await linkAgain(application.links);
  const left = new Set(await changeModes(set, "after"));
  const untimed = new Set(await changeTimes(set, "after"));
  step?.("modes");
  await writeSet(place, { ...set, exchanges: made });
  await writeAttached(place, made);
  step?.("sealed");
  const others = modes.filter(({ path }) => left.has(path));
  const changed = modes.filter(({ path }) => !left.has(path));
  const timed = times.filter(({ path }) => !untimed.has(path));
  const words = (isDone: boolean) => told.flatMap((each) => (each.isDone === isDone ? [each.words] : []));
  return {
    done: [
      ...words(true),
      ...changed.map(({ path }) => `The mode of ${path} was changed.`),
      ...timed.map(({ path }) => `The time of ${path} was changed.`),
    ].map(asLine),
    conflicts: [
      ...conflicts,
      ...words(false),
      ...copies,
      ...others.map(({ path }) => modeStays(path)),
      ...[...untimed].map((path) => `The time of ${path} could not be changed.`),
    ].map(asLine),
    made: [...made, ...changed, ...timed].map(({ path }) => path),
  };
}

/** Words about paths, whose names may have line ends in them. */
function asLine(words: string): string {
  return escapeInvisible(words);
}

type Told = { readonly isDone: boolean; readonly words: string };

/**
 * Exchanges what comes, and then what only goes: nothing is deleted where something that comes could not be
 * made, since it may be what was moved. What is told stands in the order of the set.
 */
async function exchangeAll(
  { place, folder, exchanges, unmade, isUndo, step, tell }: Application,
  set: ChangeSet,
): Promise<{ readonly told: readonly Told[]; readonly made: SetEntry[] }> {
  const told: Told[] = [];
  const made: [index: number, entry: SetEntry][] = [];
  const all = [...set.exchanges.entries()];
  const comes = ([, { becomes }]: (typeof all)[number]): boolean => becomes !== null;
  const ordered = [...all.filter(comes), ...all.filter((each) => !comes(each))];
  let missing = unmade;
  const where = { place, folder };
  for await (const [[index, entry], copies, count] of withCopies(ordered, async ([, each]) => each, where)) {
    if (count !== null) tell?.(`Making what the command changed: ${count}.\n`);
    const { path, incoming, becomes } = entry;
    if (becomes === null && missing !== null) {
      told[index] = { isDone: false, words: `${path} stays as it is, since ${missing} could not be made.` };
      continue;
    }
    const seen = exchanges[index]?.seen;
    const aside = join(dirname(place), entry.aside ?? join(basename(place), String(index)));
    try {
      await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
      const { isCopied } = await exchange(
        { path, incoming, aside, copies, ...(seen !== undefined && { seen }) },
        step,
      );
      made.push([index, isCopied ? { ...entry, left: await fingerprintOf(path) } : entry]);
      const below = await namesBelow(becomes === null ? aside : path);
      const verb = verbOf(entry);
      const is = isUndo && verb === "made" ? "is there again" : `was ${verb}`;
      told[index] = { isDone: true, words: `${path} ${is}${below}.` };
    } catch (fault) {
      told[index] = { isDone: false, words: `${path} could not be ${verbOf(entry)}: ${whyNot(fault)}.` };
      if (becomes !== null) missing ??= path;
    }
    step?.("exchanged");
  }
  return { told, made: made.toSorted(([one], [other]) => one - other).map(([, entry]) => entry) };
}

/**
 * Why an exchange was not made, without the names of the places where the agent keeps things. Throws any
 * fault that is not of the file system.
 */
function whyNot(fault: unknown): string {
  if (fault instanceof NotExchanged) return fault.message;
  if (errorCode(fault) === "") throw fault;
  return fileErrorWords(fault) ?? `the file system says ${errorCode(fault)}. Check the disk, then try again`;
}

/** Files of a folder that are named beside it. */
const mostNames = 5;

/** Which files are in a folder that was made or taken away, in words; empty for what is none. */
async function namesBelow(place: string): Promise<string> {
  const names: string[] = [];
  let more = 0;
  for await (const { inside, status } of walkEntries(place)) {
    if (inside === "" && !status.isDirectory()) return "";
    if (status.isDirectory()) continue;
    if (names.length < mostNames) names.push(inside.replace(/^\//, ""));
    else more += 1;
  }
  if (names.length === 0) return "";
  return `, with ${names.join(", ")}${more === 0 ? "" : ` and ${more.toLocaleString("en")} more`} in it`;
}

function verbOf({ was, becomes }: SetEntry): string {
  if (becomes === null) return "deleted";
  return was === null ? "made" : "replaced";
}

async function planSet({ place, exchanges, modes, times }: Application): Promise<ChangeSet> {
  const set: ChangeSet = { version: 2, exchanges: [], modes: [], times: [] };
  for (const [index, { path, was, becomes, incoming, source, to }] of exchanges.entries()) {
    const aside = was === null ? null : (to ?? join(basename(place), String(index)));
    const left = incoming === null ? nothing : await fingerprintOf(incoming);
    set.exchanges.push({ path, was, becomes, incoming, aside, source, left });
  }
  for (const { path, was, time } of times) set.times.push({ path, before: was, after: time });
  for (const { path, mode } of modes) {
    const before = await statusOf(path);
    if (before !== null) set.modes.push({ path, before: Number(before.mode & 0o7777n), after: mode });
  }
  const known = new Set(modes.map(({ path }) => path));
  for (const folder of new Set(exchanges.map(({ path }) => dirname(path)))) {
    const status = known.has(folder) ? null : await statusOf(folder);
    if (status?.isDirectory() !== true || Number(status.uid) !== process.getuid?.()) continue;
    const mode = Number(status.mode & 0o7777n);
    if (isClosed(mode)) set.modes.push({ path: folder, before: mode, after: mode });
  }
  return set;
}
