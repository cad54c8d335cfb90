import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { createInflate } from "node:zlib";
import type { WritePath } from "../../signal/effect.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { afterwards, type Difference, statusOf } from "./difference.ts";
import type { DifferenceJudging } from "./difference-effects.ts";
import { walkEntries } from "./fingerprint.ts";
import { repositoryOf } from "./lost-commits.ts";
import { storesOf } from "./missing-objects.ts";
import type { At } from "./new-in-git.ts";
import { openObjects } from "./repository-history.ts";

type Judging = Pick<DifferenceJudging, "overlay" | "label"> & {
  /** What was found of packs and lists before, by the bytes that were looked at. */
  readonly verified: Map<string, boolean | null>;
  /** Milliseconds that looking at packs and lists takes at most. */
  readonly longest: number;
};

/** Bytes. Of objects outside of packs no more are unpacked. */
const mostUnpacked = 2_000_000_000;

/**
 * The effects of files with objects that a command put into a repository, and of lists over them, where they
 * are not what their names say: git would take other contents for what a branch leads to. Where that cannot
 * be found out, they count too, and say so.
 */
export async function forgedObjects(
  { exchanges }: Pick<Difference, "exchanges">,
  judging: Judging,
): Promise<readonly WritePath[]> {
  const added: string[] = [];
  const look = { at: afterwards(exchanges), added, judging, until: performance.now() + judging.longest };
  const budget = { left: mostUnpacked };
  const [packs, lists] = [new Set<string>(), new Set<string>()];
  const found = new Map<string, boolean | null>();
  for await (const { objects, name, place } of newFilesIn(exchanges)) {
    const file = join(objects, name);
    added.push(file);
    if (isPack.test(name)) packs.add(join(objects, name.replace(isPack, "")));
    else if (isList.test(name)) lists.add(file);
    else if (isLoose.test(name)) found.set(file, await isItsName(place, name, budget));
  }
  for (const pack of packs) found.set(`${pack}.pack`, await isWhole(pack, look));
  for (const list of lists) found.set(list, await isTrue(list, look));
  const suspect = [...found].filter(([, isRight]) => isRight !== true);
  return suspect.map(([target, isRight]) => ({
    kind: "write-path",
    target,
    change: "replace",
    label: judging.label,
    reversal: "undoable",
    repositoryData: true,
    executedLater: isRight === null ? unknown : forged,
  }));
}

const forged = "it is not what its name says, and git would take it for files of other commits";
const unknown = "it could not be looked through in full, and git takes it for what its name says";

type NewFile = { readonly objects: string; readonly name: string; readonly place: string };

/** The files that come into folders with objects: the folder, their names in it, and where they lie. */
async function* newFilesIn(exchanges: Difference["exchanges"]): AsyncGenerator<NewFile> {
  for (const { path, incoming } of exchanges) {
    const repository = incoming === null ? null : await repositoryOf(path);
    if (incoming === null || repository === null) continue;
    const objects = join(repository, "objects");
    for await (const { inside, status } of walkEntries(incoming)) {
      const name = relative(objects, join(path, inside));
      if (status.isFile()) yield { objects, name, place: join(incoming, inside) };
    }
  }
}

const isPack = /(?<=^pack\/pack-[^/]*)\.(?:pack|idx)$/;
const isLoose = /^[0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const isList = /^(?:pack\/multi-pack-index|info\/commit-graph|info\/commit-graphs\/.+)$/;

/** Whether an object outside of packs has its name by what it holds; null where it holds too much. */
async function isItsName(place: string, name: string, budget: { left: number }): Promise<boolean | null> {
  const hash = createHash(name.length > 60 ? "sha256" : "sha1");
  const source = createReadStream(bytesOfPath(place));
  const unpacked = source.pipe(createInflate());
  const pieces: AsyncIterable<Uint8Array> = unpacked;
  source.once("error", (fault) => unpacked.destroy(fault));
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      budget.left -= piece.length;
      if (budget.left < 0) return null;
    }
  } catch (fault) {
    // What is no compressed data is no object.
    if (fault instanceof Error && "code" in fault && `${fault.code}`.startsWith("Z_")) return false;
    throw fault;
  } finally {
    source.destroy();
  }
  return hash.digest("hex") === name.replace("/", "");
}

/**
 * How packs and lists are looked at. `added`: the files that come. Of what is not looked through until then
 * nobody knows: that is null.
 */
type Look = {
  readonly at: At;
  readonly added: readonly string[];
  readonly judging: Judging;
  readonly until: number;
};

/** Whether each object of a pack is what the index of the pack says, as git finds it. */
async function isWhole(pack: string, look: Look): Promise<boolean | null> {
  const files = [`${pack}.pack`, `${pack}.idx`];
  // git looks into no pack without an index.
  if ((await placeOf(`${pack}.idx`, look.at)) === null) return true;
  const args = (objects: string) => ["verify-pack", join(objects, "pack", `${basename(pack)}.idx`)];
  return verifies({ objects: dirname(dirname(pack)), files, args, isLong: basename(pack).length > 60 }, look);
}

/** Whether a list over packs or commits says what they say, as git finds it. */
async function isTrue(list: string, look: Look): Promise<boolean | null> {
  const objects = list.replace(/\/(?:pack\/multi-pack-index|info\/commit-graphs?(?:\/.+)?)$/, "");
  const folders = ["pack", "info", "info/commit-graphs"].map((name) => join(objects, name));
  const files = look.added.filter((file) => folders.includes(dirname(file)));
  for (const folder of folders)
    for (const place of new Set([folder, look.at(folder)]))
      for (const name of place === null ? [] : await namesIfThere(place)) files.push(join(folder, name));
  const command = basename(list) === "multi-pack-index" ? "multi-pack-index" : "commit-graph";
  const isLong = files.some((file) => /\/pack-[0-9a-f]{64}\.idx$/.test(file));
  return verifies({ objects, files, args: () => [command, "verify"], isLong }, look);
}

type Check = {
  readonly objects: string;
  readonly files: readonly string[];
  readonly args: (objects: string) => readonly string[];
  readonly isLong: boolean;
};

/** Whether git says yes to files of a folder of objects, as they are after a command. */
async function verifies(check: Check, look: Look): Promise<boolean | null> {
  const { verified } = look.judging;
  const places = new Map<string, string>();
  const bytes = [...check.args("")];
  for (const file of check.files) {
    const place = await placeOf(file, look.at);
    const status = place === null ? null : await statusOf(place);
    if (place === null || status === null) continue;
    places.set(file, place);
    bytes.push(`${place} ${status.dev} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`);
  }
  const key = bytes.join("\n");
  const known = verified.get(key);
  if (known !== undefined) return known;
  const found = await verifyNow(check, places, look);
  verified.set(key, found);
  return found;
}

async function verifyNow(
  { objects, args, isLong }: Check,
  places: ReadonlyMap<string, string>,
  { judging: { overlay }, until }: Look,
): Promise<boolean | null> {
  const beside = dirname(overlay.upper);
  const folder = await mkdtemp(join(beside, "verified-"));
  try {
    for (const [file, place] of places) {
      const link = join(folder, relative(objects, file));
      await mkdir(dirname(link), { recursive: true });
      await symlink(bytesOfPath(place), bytesOfPath(link));
    }
    const others = [...(await storesOf(objects)), join(overlay.upper, relative(overlay.folder, objects))];
    const from = { objects: folder, others, shallow: "/dev/null", idLength: isLong ? 64 : 40, beside };
    await using git = await openObjects(from);
    return await git.verify(args(folder), until - performance.now());
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Where a file lies after a command; null where none is there. */
async function placeOf(file: string, at: At): Promise<string | null> {
  const place = at(file);
  return place !== null && (await statusOf(place))?.isFile() === true ? place : null;
}
