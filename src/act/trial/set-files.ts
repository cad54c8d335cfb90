import { randomUUID } from "node:crypto";
import { chmod, lutimes, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { attachedTo } from "./attached.ts";
import { statusOf } from "./difference.ts";

const kind = z.enum(["file", "folder", "link", "pipe", "socket"]).nullable();
const exchangeOfVersion1 = z.strictObject({
  path: z.string(),
  was: kind,
  becomes: kind,
  /** Where what was there is kept, below the folder of all sets; null where nothing was. */
  aside: z.string().nullable(),
  /** Where an undo took what it put there; it goes back to that place when the undo is undone. */
  source: z.string().nullable(),
  /** The fingerprint of what was left at the path; null until that is known. */
  left: z.string().nullable(),
});
const modes = z.array(z.strictObject({ path: z.string(), before: z.number(), after: z.number() }));
const version1 = z.strictObject({ version: z.literal(1), exchanges: z.array(exchangeOfVersion1), modes });
const version2 = z.strictObject({
  version: z.literal(2),
  exchanges: z.array(
    exchangeOfVersion1.extend({
      /** Where what takes the place lay before, absolute; null where nothing does. */
      incoming: z.string().nullable(),
    }),
  ),
  modes,
  /** Times of folders, in seconds. */
  times: z.array(z.strictObject({ path: z.string(), before: z.number(), after: z.number() })).default([]),
});

/** What one command, or the undo of one, changed: what it displaced lies beside this list. */
export type ChangeSet = z.infer<typeof version2>;
/** One exchange of a set. */
export type SetEntry = ChangeSet["exchanges"][number];

/** A name for a set of a line of commands, or of the undo of one. */
export function nameSet(line: string): string {
  return `${line}.${randomUUID()}`;
}

/** The line that a set belongs to: what it changed in several folders is taken back together. */
export function lineOfSet(set: string): string {
  return set.replace(/\..*/, "");
}

const manifestName = "changes.json";

/** The list of a set, also of one that an older version wrote; null where it is gone or cannot be read. */
export async function readSet(place: string): Promise<ChangeSet | null> {
  const text = await readFile(join(place, manifestName), "utf8").catch(() => null);
  if (text === null) return null;
  const parsed = z.union([version2, version1]).safeParse(JSON.parse(text));
  if (!parsed.success) return null;
  if (parsed.data.version === 2) return parsed.data;
  const exchanges = parsed.data.exchanges.map((entry) => ({ ...entry, incoming: null }));
  return { ...parsed.data, version: 2, exchanges, times: [] };
}

/** When a set was kept, in nanoseconds. Throws where there is none. */
export async function timeOfSet(place: string): Promise<bigint> {
  return (await stat(join(place, manifestName), { bigint: true })).mtimeNs;
}

/** Whether the mode of a folder keeps its owner from exchanging what is in it. */
export function isClosed(mode: number): boolean {
  return (mode & 0o300) !== 0o300;
}

/** Opens the folders whose modes are in a set and would keep its exchanges from being made, until `changeModes`. */
export async function openForExchange({ modes }: ChangeSet): Promise<void> {
  for (const { path, before, after } of modes) {
    const now = await modeOf(path);
    if (now !== null && (now === before || now === after) && isClosed(now))
      await chmod(bytesOfPath(path), before | 0o700);
  }
}

/**
 * Gives the folders of a set their modes from before or after it. What has another mode by now stays; gives
 * the paths of these.
 */
export async function changeModes({ modes }: ChangeSet, to: "before" | "after"): Promise<readonly string[]> {
  const left: string[] = [];
  // The innermost first: behind a closed folder nothing can be changed.
  for (const mode of modes.toReversed()) {
    const now = await modeOf(mode.path);
    if (now !== null && [mode.before, mode.after, mode.before | 0o700].includes(now))
      await chmod(bytesOfPath(mode.path), mode[to]);
    else left.push(mode.path);
  }
  return left;
}

/**
 * Gives the folders of a set their times from before or after it; gives the paths of those that take none.
 */
export async function changeTimes({ times }: ChangeSet, to: "before" | "after"): Promise<readonly string[]> {
  const left: string[] = [];
  for (const time of times) {
    const status = await statusOf(time.path);
    try {
      if (status !== null) await lutimes(bytesOfPath(time.path), Number(status.atimeNs) / 1e9, time[to]);
    } catch (fault) {
      if (errorCode(fault) === "") throw fault;
      left.push(time.path);
    }
  }
  return left;
}

async function modeOf(path: string): Promise<number | null> {
  const status = await statusOf(path);
  return status === null ? null : Number(status.mode & 0o7777n);
}

/** Replaces the list of a set at once. */
export async function writeSet(place: string, set: ChangeSet): Promise<void> {
  // A version that knows no times of folders reads what has none.
  const { times, ...others } = set;
  await replaceFile(join(place, manifestName), JSON.stringify(times.length === 0 ? others : set));
}

/** Beside the list of a set, which a version that knows nothing of it reads as it is. */
const attachedName = "attached.json";
const attached = z.record(z.string(), z.string());

/** Notes what is attached to the paths of a set once it was kept. */
export async function writeAttached(place: string, exchanges: readonly SetEntry[]): Promise<void> {
  const paths = exchanges.flatMap(({ path, becomes }) => (becomes === null ? [] : [path]));
  const found = await attachedTo(paths);
  const file = join(place, attachedName);
  if (found === null) await rm(file, { force: true });
  else await replaceFile(file, JSON.stringify(Object.fromEntries(found)));
}

/**
 * What was attached to the paths of a set when it was kept, as `attachedTo` says it; none where that is not
 * known.
 */
export async function readAttached(place: string): Promise<ReadonlyMap<string, string>> {
  const file = join(place, attachedName);
  if ((await statusOf(file)) === null) return new Map();
  return new Map(Object.entries(attached.parse(parseJson(await readFile(file, "utf8")))));
}

const unfinished = z.strictObject({
  version: z.literal(1),
  what: z.enum(["keep", "undo"]),
  folder: z.string(),
});

/** What is under way with a set, and in which folder. */
export type Unfinished = Pick<z.infer<typeof unfinished>, "what" | "folder">;

/** The name that says, in the folder of all sets, that a set is under way. */
const markerPrefix = "unfinished-";

/** Notes on the disk that a set is under way, until `endSet`. */
export async function beginSet(place: string, { what, folder }: Unfinished): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 });
  await replaceFile(markerOf(place), JSON.stringify({ version: 1, what, folder }));
}

/** Notes that a set is whole, and that what remembers it knows that. */
export async function endSet(place: string): Promise<void> {
  await rm(markerOf(place), { force: true });
}

/** The name of the set that is under way, by a name in the folder of all sets; null for any other name. */
export function unfinishedSet(name: string): string | null {
  return name.startsWith(markerPrefix) && !name.endsWith(draftEnding)
    ? name.slice(markerPrefix.length)
    : null;
}

/** What is under way with a set. */
export async function readUnfinished(place: string): Promise<Unfinished> {
  return unfinished.parse(JSON.parse(await readFile(markerOf(place), "utf8")));
}

function markerOf(place: string): string {
  return join(dirname(place), `${markerPrefix}${basename(place)}`);
}

const draftEnding = ".new";

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}${draftEnding}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, path);
}
