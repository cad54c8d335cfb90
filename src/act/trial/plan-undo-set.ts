import type { BigIntStats } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { isRepositoryData } from "../../text/later/executed-later.ts";
import { attachedTo } from "./attached.ts";
import { type Exchange, type ModeChange, statusOf } from "./difference.ts";
import { fingerprintOf, nothing, walkEntries } from "./fingerprint.ts";
import { inSeconds, type TimeChange } from "./folder-times.ts";
import { missingObject } from "./missing-objects.ts";
import { type ChangeSet, readAttached, readSet, type SetEntry, timeOfSet } from "./set-files.ts";

/** An exchange, and where what it moves belongs. */
export type Planned = Exchange & {
  readonly source: string | null;
  /** Where what is displaced goes, below the folder of all sets; null for a place of the new set. */
  readonly to: string | null;
  /** What was at the path when it was compared. */
  readonly seen: BigIntStats | null;
};

type Exchanges = {
  readonly exchanges: readonly Planned[];
  readonly conflicts: readonly string[];
  /** What the set deleted and what cannot come back, the first of it; null for nothing. */
  readonly unmade: string | null;
};

/** What an undo of a set does. */
export type UndoSetPlan = Exchanges & {
  readonly modes: readonly ModeChange[];
  readonly times: readonly TimeChange[];
};

/** What is planned for one entry of a set, and the repository that it belongs to. */
type Judged = {
  readonly path: string;
  readonly repository: string | null;
  readonly planned: readonly Planned[];
  readonly problem: string | null;
  /** Whether the set deleted it. */
  readonly wasDeleted?: boolean;
  /** Whether the problem is that git removed an object which the path would name. */
  readonly isGone?: boolean;
};

/**
 * Plans to take back what a set changed, last change first. What somebody changed since stays. In a
 * repository of git objects stay, since others may use them by now and nothing obeys them. Where `HEAD`, a
 * branch or a log of it moved on, all else of it stays as well; so does an index that was committed since.
 * `stays`: what is left as it is in any case, each path with the reason. `earlier`: what is taken back
 * before it. Changes nothing.
 */
export async function planUndoSet(
  set: string,
  { stays = new Map(), earlier = [] }: PlanOptions = {},
): Promise<UndoSetPlan> {
  const changes = await readSet(set);
  if (changes === null) {
    const conflicts = ["What the command changed is no longer kept, so it stays as it is."];
    return { exchanges: [], modes: [], times: [], conflicts, unmade: null };
  }
  const { exchanges, conflicts, unmade } = await planExchanges(changes, { set, stays, earlier });
  const modes: ModeChange[] = [];
  const modesStay: string[] = [];
  for (const { path, before, after } of changes.modes) {
    const status = await statusOf(path);
    const now = status === null ? null : Number(status.mode & 0o7777n);
    if (now === after) modes.push({ path, was: after, mode: before });
    else if (now !== before) modesStay.push(modeStays(path));
  }
  const times: TimeChange[] = [];
  for (const { path, before, after } of changes.times) {
    const status = await statusOf(path);
    // Where it has another time, something came or went in it since.
    if (status !== null && Math.abs(inSeconds(status) - after) < 0.001)
      times.push({ path, was: after, time: before });
  }
  return { exchanges, modes, times, conflicts: [...conflicts, ...modesStay], unmade };
}

type PlanOptions = {
  readonly stays?: ReadonlyMap<string, string>;
  readonly earlier?: readonly Planned[];
};

/**
 * What of plans cannot come back, since the folder that it was in is gone and none of them brings it back:
 * each with the reason.
 */
export async function findHomeless(plans: readonly UndoSetPlan[]): Promise<readonly string[]> {
  const coming = plans.flatMap(({ exchanges }) => exchanges.filter(({ incoming }) => incoming !== null));
  const homeless: string[] = [];
  for (const { path } of coming) {
    const folder = dirname(path);
    const isThere =
      (await statusOf(folder))?.isDirectory() === true || coming.some((each) => isInside(each.path, folder));
    if (!isThere) homeless.push(`${path} cannot be there again: the folder ${folder} is gone.`);
  }
  return homeless;
}

/** What is said of a folder whose mode is not changed. */
export function modeStays(path: string): string {
  return `The mode of ${path} was changed by somebody else, so it stays as it is.`;
}

async function planExchanges(
  { exchanges }: ChangeSet,
  { set, stays, earlier }: Required<PlanOptions> & { readonly set: string },
): Promise<Exchanges> {
  const [sets, time] = [dirname(set), await timeOfSet(set)];
  const attached = await attachedSince(set);
  const repositories = new Repositories();
  const judged: Judged[] = [];
  for (const entry of exchanges.toReversed()) {
    const repository = await repositories.of(entry.path);
    const wasDeleted = entry.was !== null && entry.becomes === null;
    const withheld = stays.get(entry.path);
    if (withheld !== undefined) {
      judged.push({ path: entry.path, repository, wasDeleted, planned: [], problem: withheld });
      continue;
    }
    if (repository !== null && isOfObjects(repository, entry.path)) {
      if (entry.was === null) continue;
      const missing = await missingObjects(entry, sets);
      if (missing !== null) {
        judged.push({ path: entry.path, repository: null, planned: missing, problem: null });
        continue;
      }
    }
    const isCommitted = isIndex(repository, entry.path) && (await wroteSince(logBeside(entry.path), time));
    const found = isCommitted ? committed(entry.path) : await judge(entry, { sets, attached });
    judged.push({ path: entry.path, repository, wasDeleted, ...found });
  }
  return together(await withObjects(judged, earlier));
}

/** The log of the commits that were checked out in the work tree of an index. */
const logBeside = (index: string): string => join(dirname(index), "logs", "HEAD");

async function wroteSince(path: string, time: bigint): Promise<boolean> {
  return ((await statusOf(path))?.mtimeNs ?? 0n) > time;
}

/** An index from before a commit would stage the opposite of that commit. */
function committed(index: string): Pick<Judged, "planned" | "problem"> {
  return { planned: [], problem: `${index} was committed since, so it was left as it is.` };
}

/** Nothing that is planned names an object that git removed: a repository with such a name is broken. */
async function withObjects(
  judged: readonly Judged[],
  earlier: readonly Planned[],
): Promise<readonly Judged[]> {
  const coming = (planned: readonly Planned[]) =>
    planned.flatMap(({ path, incoming }) => (incoming === null ? [] : [{ path, incoming }]));
  const objects = coming([...earlier, ...judged.flatMap(({ planned }) => planned)]).filter(({ path }) =>
    /\/objects(?:\/|$)/.test(path),
  );
  const checked: Judged[] = [];
  for (const each of judged) {
    const { repository, path } = each;
    const [one] = coming(each.planned);
    const isObject = repository === null || isOfObjects(repository, path);
    const id = isObject || one === undefined ? null : await missingObject(one, { repository, objects });
    const problem = `${path} would name ${id?.slice(0, 10)} again, which git has removed from the repository since, so it was left as it is.`;
    checked.push(id === null ? each : { ...each, planned: [], problem, isGone: true });
  }
  return checked;
}

/** The paths of a set to which something else is attached by now than when the set was kept. */
async function attachedSince(set: string): Promise<ReadonlySet<string>> {
  const before = await readAttached(set);
  const there: string[] = [];
  for (const path of before.keys()) if ((await statusOf(path)) !== null) there.push(path);
  const all = await attachedTo(there);
  const changed = new Set<string>();
  for (const path of there) {
    // Where one of them cannot be read, that says nothing of the others.
    const now = all ?? (await attachedTo([path]));
    if (now?.get(path) !== before.get(path)) changed.add(path);
  }
  return changed;
}

async function judge(
  { path, was, becomes, aside, source, left }: SetEntry,
  { sets, attached }: { readonly sets: string; readonly attached: ReadonlySet<string> },
): Promise<Pick<Judged, "planned" | "problem">> {
  const kept = aside === null ? null : join(sets, aside);
  if (kept !== null && (await statusOf(kept)) === null)
    return {
      planned: [],
      problem: `${path}: what was there before is no longer kept, so it stays as it is.`,
    };
  const seen = await statusOf(path);
  if ((await fingerprintOf(path)) !== (left ?? nothing)) {
    const what = seen === null ? "deleted" : "changed";
    return { planned: [], problem: `${path} was ${what} by somebody else since, so it was left as it is.` };
  }
  if (attached.has(path)) {
    const problem = `The owner, the list of access or the extended attributes of ${path} were changed by somebody else since, so it was left as it is.`;
    return { planned: [], problem };
  }
  const planned = { path, was: becomes, incoming: kept, becomes: was, source: aside, to: source, seen };
  return { planned: [planned], problem: null };
}

/** Of a repository in which a branch or its log cannot go back, nothing does, and one line says so. */
function together(judged: readonly Judged[]): Exchanges {
  const stays = new Map<string, string>();
  for (const { path, repository, problem, isGone } of judged)
    if (repository !== null && problem !== null && !stays.has(repository) && isPosition(repository, path))
      stays.set(
        repository,
        isGone === true
          ? `${problem} So nothing in ${repository} was changed. To have such a commit again, make it anew.`
          : `${problem} So all that the command changed in ${repository} stays, commits too. To take a commit back, use git revert; git reset moves the branch.`,
      );
  const conflicts = [...stays.values()];
  const rest = judged.filter(({ repository }) => repository === null || !stays.has(repository));
  for (const { path, repository, problem } of rest)
    if (problem !== null) conflicts.push(isIndex(repository, path) ? `${problem} ${fitAgain}` : problem);
  const lacks = rest.find(({ wasDeleted, problem }) => wasDeleted === true && problem !== null);
  return { exchanges: rest.flatMap(({ planned }) => planned), conflicts, unmade: lacks?.path ?? null };
}

const fitAgain = "git reset makes it fit the branch again, and leaves your files alone.";

/** Whether a path says which commit is checked out, or was. */
function isPosition(repository: string, path: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?(?:HEAD|packed-refs|(?:refs|logs)(?:\/.+)?)$/.test(
    relative(repository, path),
  );
}

function isIndex(repository: string | null, path: string): boolean {
  return (
    repository !== null &&
    basename(path) === "index" &&
    isRepositoryData(`/.git/${relative(repository, path)}`)
  );
}

/** Names of files that git keeps in the folders of its objects. */
const namesOfObjects = ["0".repeat(38), "pack-0.pack", "packs", "graph"];

/** Whether a path below a repository is one of its objects, or a folder for such. */
export function isOfObjects(repository: string, path: string): boolean {
  const inside = relative(repository, path);
  return (
    inside.startsWith("objects/") &&
    ["", ...namesOfObjects.map((name) => `/${name}`)].some((end) => isRepositoryData(`/.git/${inside}${end}`))
  );
}

/**
 * What of a folder of objects is there no more and comes back, file by file; null where the folder can come
 * back as a whole, or is a file.
 */
async function missingObjects({ path, was, aside }: SetEntry, sets: string): Promise<Planned[] | null> {
  if (was !== "folder" || aside === null || (await statusOf(path))?.isDirectory() !== true) return null;
  const planned: Planned[] = [];
  for await (const { inside, status } of walkEntries(join(sets, aside))) {
    const target = join(path, inside);
    if (!status.isFile() || (await statusOf(target)) !== null) continue;
    const source = join(aside, inside);
    const incoming = join(sets, source);
    planned.push({ path: target, was: null, incoming, becomes: "file", source, to: null, seen: null });
  }
  return planned;
}

/** Finds the repository around a path, as git does: a folder with `HEAD`, objects and refs. */
export class Repositories {
  readonly #known = new Map<string, boolean>();

  /** Null outside of all; a path that is a repository itself is not in it. */
  async of(path: string): Promise<string | null> {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const is = this.#known.get(folder) ?? (await isRepository(folder));
      this.#known.set(folder, is);
      if (is) return folder;
    }
    return null;
  }
}

async function isRepository(folder: string): Promise<boolean> {
  for (const name of ["HEAD", "objects", "refs"])
    if ((await statusOf(join(folder, name))) === null) return false;
  return true;
}
