import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import type { OverlayMark } from "../sandbox/extended-attributes.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { findAttributeChanges, type OverlayAttributes, readBothAttributes } from "./attribute-changes.ts";
import { givenTime, type TimeChange } from "./folder-times.ts";
import { findGivenAccess, type GivenAccess } from "./given-access.ts";
import { giveModesOfMoved } from "./given-modes.ts";
import { measureChanges, TooLarge, type trialSize } from "./measure.ts";
import { giveOwnersOfMoved } from "./moved-owners.ts";
import { octal } from "./opened-rights.ts";
import { isSameEntry } from "./same-entry.ts";

/** What is at a path. */
export type EntryKind = "file" | "folder" | "link" | "pipe" | "socket";

/** One exchange that makes the folder like its overlay: what is at `path` goes, and what is at `incoming` takes its place. */
export type Exchange = {
  /** Absolute. */
  readonly path: string;
  readonly was: EntryKind | null;
  /** A path of the overlay's own; null where nothing takes the place. */
  readonly incoming: string | null;
  readonly becomes: EntryKind | null;
};

/** Other permission bits of a folder that stays. */
export type ModeChange = { readonly path: string; readonly was: number; readonly mode: number };

/** Paths that a command made names of one file. The first one is of a file that stays, if any is. */
export type SameFile = readonly [first: string, ...others: string[]];

/** What a command changed in an overlay. */
export type Difference = {
  readonly exchanges: readonly Exchange[];
  readonly modes: readonly ModeChange[];
  readonly times: readonly TimeChange[];
  /** Files with several names, which the exchanges alone would make copies of each other. */
  readonly links: readonly SameFile[];
  /** What is attached to all that was changed. */
  readonly attributes: OverlayAttributes;
  /** What the overlay noted for itself there, by its own paths. */
  readonly marks: readonly OverlayMark[];
  /** Devices, which are never kept. */
  readonly special: readonly string[];
  /** What was moved and keeps its owner, whatever the program that moved it said. */
  readonly owned: readonly string[];
  /** What files, and folders that were made, give others by lists of access that they did not have. */
  readonly access: GivenAccess;
  /**
   * Permissions by which files would run with the rights of their owner or group: these bits are not kept.
   */
  readonly privileged: ReadonlyMap<string, number>;
  /**
   * What lists of access and attributes folders that stay get, and how files that come are closed to their
   * owner: no exchange gives them that, as the end of a sentence, by their paths.
   */
  readonly unheld: ReadonlyMap<string, string>;
};

/** A difference of more exchanges is not kept. */
const mostExchanges = 250_000;

type Walk = {
  readonly overlay: Overlay;
  readonly exchanges: Exchange[];
  readonly modes: ModeChange[];
  readonly times: TimeChange[];
  readonly special: string[];
  /** Folders that are in both. */
  readonly folders: string[];
  /** What was copied and is as it was, by its path: its exchange, were there one, and its number outside. */
  readonly same: Map<string, { readonly exchange: Exchange; readonly ino: bigint }>;
};

/** Compares an overlay with its folder, and finds the fewest exchanges that make the folder like it. Throws `TooLarge`, also beyond the size that is given. */
export async function findDifference(overlay: Overlay, size = anySize): Promise<Difference> {
  const { linked, privileged } = await measureChanges(overlay, size);
  const found = { exchanges: [], modes: [], times: [], special: [] };
  const walk: Walk = { overlay, ...found, folders: [], same: new Map() };
  const waiting = [""];
  for (const inside of waiting) pushAll(waiting, await compareFolder(walk, inside));
  const { folders, same } = walk;
  const inBoth = [...folders, ...same.keys()];
  const attributes = await readBothAttributes(overlay, inBoth);
  const changed = findAttributeChanges(overlay.folder, attributes, inBoth);
  const access = await findGivenAccess(overlay, attributes.after);
  for (const [path, { exchange }] of same) {
    if (!changed.has(path) && !access.has(path)) continue;
    same.delete(path);
    add(walk, exchange);
  }
  const links = linked.map((paths) => linksOf(walk, paths));
  await giveModesOfMoved(walk.exchanges);
  const owned = await giveOwnersOfMoved(walk.exchanges, overlay.begun);
  const { exchanges, modes, times, special } = walk;
  const unheld = new Map([
    ...folders.flatMap((path) => {
      const given = access.get(path);
      const gets = given === undefined ? changed.get(path) : `a list of access (${given})`;
      return gets === undefined ? [] : [[path, `gets ${gets}`] as const];
    }),
    ...[...closedBeside(walk)].map(
      ([path, mode]) => [path, `gets the permissions ${octal(mode & 0o1777)}`] as const,
    ),
  ]);
  const accessOfMade = new Map([...access].filter(([path]) => !unheld.has(path)));
  const { after, marks } = attributes;
  const attached = { attributes: after, marks, access: accessOfMade, unheld };
  return { exchanges, modes, times, links, special, owned, privileged, ...attached };
}

/** What is closed to its owner and comes with an exchange, which moves it as it was opened to be read. */
function closedBeside({ overlay, exchanges }: Walk): ReadonlyMap<string, number> {
  const comes = (path: string): boolean => exchanges.some((exchange) => isInside(exchange.path, path));
  return new Map([...overlay.closed].filter(([path]) => comes(path)));
}

/** Whether nothing is to be changed. */
export function isEmptyDifference({ exchanges, modes, times }: Difference): boolean {
  return exchanges.length + modes.length + times.length === 0;
}

const anySize: typeof trialSize = { entries: Infinity, bytes: Infinity };

/** Compares one folder that is in the overlay and outside of it; gives the folders below that are in both. `inside` begins with a slash, or is empty for the whole. */
async function compareFolder(walk: Walk, inside: string): Promise<readonly string[]> {
  const path = `${walk.overlay.folder}${inside}`;
  const upper = `${walk.overlay.upper}${inside}`;
  const changed = (await untouchedNames(walk, path, upper)) ?? (await compareNames(walk, path, upper));
  const deeper: string[] = [];
  for (const name of changed) if (await compareEntry(walk, inside, name)) deeper.push(`${inside}/${name}`);
  return deeper;
}

/** The names in a folder that was copied and in which none came or went since; null for any other. */
async function untouchedNames({ overlay }: Walk, path: string, upper: string) {
  const names = overlay.copied?.namesIn(path) ?? null;
  const now = names === null ? null : await statusOf(upper);
  return now !== null && overlay.copied?.isUntouched(path, now) === true ? names : null;
}

/** Compares a folder itself, and notes what was deleted in it; gives the names that were changed or made. */
async function compareNames(walk: Walk, path: string, upper: string): Promise<readonly string[]> {
  const { overlay } = walk;
  await compareStatus(walk, path, upper);
  const [before, changed, after] = await Promise.all([
    namesBefore(overlay, path),
    namesIn(upper),
    namesSeen(overlay, path),
  ]);
  const left = new Set(after);
  for (const name of before) {
    if (left.has(name) || overlay.isSeen?.(join(path, name)) === false) continue;
    const old = await statusOf(join(path, name));
    const was = old === null ? null : kindOf(old);
    if (was !== null) add(walk, { path: join(path, name), was, incoming: null, becomes: null });
  }
  return changed.filter((name) => left.has(name));
}

/** Compares one entry that was changed or made. True for a folder that is in both. */
async function compareEntry(walk: Walk, inside: string, name: string): Promise<boolean> {
  const { overlay } = walk;
  const path = `${overlay.folder}${inside}/${name}`;
  const incoming = `${overlay.upper}${inside}/${name}`;
  const now = await statusOf(incoming);
  const becomes = now === null ? null : kindOf(now);
  if (now === null || becomes === null) {
    walk.special.push(path);
    return false;
  }
  if (becomes === "folder" && overlay.copied?.isCopy(path, now) === true) return true;
  const isUntouched = overlay.copied?.isUntouched(path, now) === true;
  if (isUntouched && now.nlink === 1n) return false;
  const old = await statusOf(path);
  const was = old === null ? null : kindOf(old);
  if (old !== null && was === "folder" && becomes === "folder") {
    if (!(await isReplaced(overlay, path, incoming))) return true;
  } else if (old !== null && was === becomes) {
    if (isUntouched || (await isSameEntry({ path, old }, { path: incoming, now }))) {
      walk.same.set(path, { exchange: { path, was, incoming, becomes }, ino: old.ino });
      return false;
    }
  }
  if (!isUntouched) add(walk, { path, was, incoming, becomes });
  return false;
}

/** A folder that was deleted and made again hides what the old one held, without a mark for each name. */
async function isReplaced(overlay: Overlay, path: string, upper: string): Promise<boolean> {
  const [before, marked, after] = await Promise.all([
    namesBefore(overlay, path),
    namesIn(upper),
    namesSeen(overlay, path),
  ]);
  const known = new Set([...marked, ...after]);
  return before.some((name) => !known.has(name));
}

/**
 * The paths of one file, first that of one that stays as it is. What else was as it is, and is to become the
 * same file, is exchanged.
 */
function linksOf(walk: Walk, paths: readonly string[]): SameFile {
  const staying = paths.filter((path) => walk.same.has(path));
  const [first = paths[0] ?? ""] = staying;
  const ino = walk.same.get(first)?.ino;
  for (const path of staying) {
    const own = walk.same.get(path);
    if (own !== undefined && own.ino !== ino) add(walk, own.exchange);
  }
  return [first, ...paths.filter((path) => path !== first)];
}

async function compareStatus(
  { overlay, folders, modes, times }: Walk,
  path: string,
  upper: string,
): Promise<void> {
  const [now, old] = await Promise.all([statusOf(upper), statusOf(path)]);
  if (now === null || old === null) return;
  folders.push(path);
  const mode = overlay.closed.get(path) ?? Number(now.mode & 0o7777n);
  const was = Number(old.mode & 0o7777n);
  if (mode !== was) modes.push({ path, was, mode });
  const time = givenTime(path, { old, now, begun: overlay.begun });
  if (time !== null) times.push(time);
}

function add({ exchanges }: Walk, exchange: Exchange): void {
  exchanges.push(exchange);
  if (exchanges.length > mostExchanges)
    throw new TooLarge(`more than ${mostExchanges} files and folders were changed`);
}

/**
 * Where a path lies once a command's exchanges are made: in its overlay, or where it is; null where it is
 * gone.
 */
export function afterwards(exchanges: readonly Exchange[]): (path: string) => string | null {
  return (path) => {
    const exchange = exchanges.find((each) => isInside(each.path, path));
    if (exchange === undefined) return path;
    return exchange.incoming === null ? null : join(exchange.incoming, relative(exchange.path, path));
  };
}

/** The names that a folder had before the command: one that was copied may have got others meanwhile. */
async function namesBefore({ copied }: Overlay, path: string): Promise<readonly string[]> {
  return copied?.namesIn(path) ?? (await namesIn(path));
}

/** The names that the overlay shows in a folder. */
async function namesSeen(overlay: Overlay, path: string): Promise<readonly string[]> {
  await using folder = await overlay.openFolder(path);
  return await namesIn(folder.at());
}

/** The names in a folder, in order. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(bytesOfPath(folder), { encoding: "buffer" })).map(textOfName).sort();
}

/** The status of an entry itself; null where there is none. */
export async function statusOf(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(bytesOfPath(path), { bigint: true });
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && (fault.code === "ENOENT" || fault.code === "ENOTDIR"))
      return null;
    throw fault;
  }
}

/** Null for a device. */
export function kindOf(status: BigIntStats): EntryKind | null {
  if (status.isFile()) return "file";
  if (status.isDirectory()) return "folder";
  if (status.isFIFO()) return "pipe";
  if (status.isSocket()) return "socket";
  return status.isSymbolicLink() ? "link" : null;
}
