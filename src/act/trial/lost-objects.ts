import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { afterwards, type Difference, type Exchange, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { repositoryOf } from "./lost-commits.ts";
import { idsIn, looseName, namesObjects, storesOf } from "./missing-objects.ts";
import { packIndexIds } from "./pack-index.ts";
import { type OverlayFolders, openHistory, openObjects } from "./repository-history.ts";

type Tried = Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders };

/**
 * How many objects a repository would lose that something leads to, and how many nothing leads to; null where
 * nobody can say.
 */
type LostObjects = {
  readonly repository: string;
  readonly named: number | null;
  readonly unnamed: number | null;
};

/** Of more objects nobody looks at each. */
const mostLookedAt = 50_000;

/**
 * The objects in files of repositories that a command changed or took away, where their contents are nowhere
 * in the repository afterwards: those to which a branch, a tag, a log or an index leads, and those that git
 * itself gives up after a while.
 */
export async function lostObjects(tried: Tried): Promise<readonly LostObjects[]> {
  const lost: LostObjects[] = [];
  for (const [repository, ids] of await touchedObjects(tried.exchanges)) {
    const gone = ids.size > mostLookedAt ? null : await goneOf(ids, repository, tried);
    const named = gone === null ? null : await countNamed(gone, repository, tried);
    const unnamed = gone === null || named === null ? null : gone.size - named;
    if (gone?.size !== 0) lost.push({ repository, named, unnamed });
  }
  return lost;
}

/** The objects in the files that were there and are not there with the same bytes, by repository. */
async function touchedObjects(exchanges: readonly Exchange[]): Promise<ReadonlyMap<string, Set<string>>> {
  const touched = new Map<string, Set<string>>();
  const at = afterwards(exchanges);
  for (const { path, was } of exchanges) {
    const repository = was === null ? null : await repositoryOf(path);
    if (repository === null || !isInside(join(repository, "objects"), path)) continue;
    const ids = touched.get(repository) ?? new Set<string>();
    for await (const { inside, status } of walkEntries(path)) {
      const file = join(path, inside);
      if (!status.isFile() || ids.size > mostLookedAt || (await isSame(file, at(file)))) continue;
      for (const id of await objectsIn(file)) ids.add(id);
    }
    if (ids.size > 0) touched.set(repository, ids);
  }
  return touched;
}

/**
 * Whether it is known which objects a file of a repository keeps, or the file is only about those of a pack.
 */
export async function holdsObjects(file: string): Promise<boolean> {
  if (
    isLoose.test(file) ||
    /\/objects\/(?:pack\/multi-pack-index|info\/(?:packs|commit-graph|commit-graphs\/.+))$/.test(file)
  )
    return true;
  const [, pack] = ofPack.exec(file) ?? [];
  return pack !== undefined && (await statusOf(`${pack}.idx`))?.isFile() === true;
}

const isLoose = /\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/;
/** What git makes again from a pack, and the pack. */
const ofPack = /^(.*\/pack\/pack-[^/]*)\.(?:pack|idx|rev|bitmap|mtimes)$/;

/** The objects that a file of a repository keeps: one of its own, or those of a pack, by its index. */
async function objectsIn(file: string): Promise<readonly string[]> {
  const [, start, rest] = isLoose.exec(file) ?? [];
  if (start !== undefined) return [`${start}${rest}`];
  const [, pack] = ofPack.exec(file) ?? [];
  const index = `${pack}.idx`;
  return pack === undefined || (await statusOf(index))?.isFile() !== true
    ? []
    : packIndexIds(await readFile(bytesOfPath(index)), basename(pack).length > 60 ? 32 : 20);
}

async function isSame(file: string, after: string | null): Promise<boolean> {
  if (after === file) return true;
  const [old, now] = [await statusOf(file), after === null ? null : await statusOf(after)];
  if (after === null || now?.isFile() !== true || old?.size !== now.size) return false;
  return (await digestOf(file)) === (await digestOf(after));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(bytesOfPath(path))) hash.update(Buffer.from(piece));
  return hash.digest("hex");
}

/** Those of some objects that are not there after a command. Null where that cannot be found out. */
async function goneOf(
  ids: ReadonlySet<string>,
  repository: string,
  { exchanges, overlay }: Tried,
): Promise<ReadonlySet<string> | null> {
  const beside = dirname(overlay.upper);
  const objects = await mkdtemp(join(beside, "objects-"));
  try {
    const others = await linkObjects(objects, { ids, repository, exchanges });
    const idLength = [...ids][0]?.length ?? 40;
    await using git = await openObjects({ objects, others, shallow: "/dev/null", idLength, beside });
    const intact = await git.intact([...ids]);
    return intact && ids.difference(intact);
  } finally {
    await rm(objects, { recursive: true });
  }
}

type After = Pick<Tried, "exchanges"> & { readonly ids: ReadonlySet<string>; readonly repository: string };

/**
 * Links into a folder all packs of a repository, and objects outside of packs, as they are after a command;
 * gives the folders of other repositories that it borrows from.
 */
async function linkObjects(
  objects: string,
  { ids, repository, exchanges }: After,
): Promise<readonly string[]> {
  const [own = "", ...others] = await storesOf(join(repository, "objects"));
  const at = afterwards(exchanges);
  const names = new Set([...ids].map(looseName));
  const packs = join(own, "pack");
  for (const { path } of exchanges) if (dirname(path) === packs) names.add(join("pack", basename(path)));
  for (const folder of new Set([packs, at(packs)]))
    for (const name of folder === null ? [] : await namesIfThere(folder)) names.add(join("pack", name));
  for (const name of names) {
    const place = at(join(own, name));
    if (place === null || (await statusOf(place))?.isFile() !== true) continue;
    await mkdir(dirname(join(objects, name)), { recursive: true });
    await symlink(bytesOfPath(place), bytesOfPath(join(objects, name)));
  }
  return others;
}

/**
 * To how many of some objects names of a repository led before a command. Null where that cannot be found
 * out.
 */
async function countNamed(
  gone: ReadonlySet<string>,
  repository: string,
  { overlay }: Tried,
): Promise<number | null> {
  if (gone.size === 0) return 0;
  const named = new Set<string>();
  for await (const { inside, status } of walkEntries(repository))
    if (status.isFile() && namesObjects(repository, join(repository, inside)))
      for (const id of await idsIn(join(repository, inside))) named.add(id);
  await using git = await openHistory(repository, [...gone][0]?.length ?? 40, overlay);
  const all = ["rev-list", "--objects", "--no-object-names", "--ignore-missing", "--stdin"];
  const reached = await git.run(all, [...named]);
  return reached === null ? null : gone.intersection(new Set(reached.split("\n"))).size;
}
