import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { bytesOfPath } from "../files/byte-names.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { type Difference, type Exchange, namesIn, statusOf } from "./difference.ts";
import { exchange } from "./exchange.ts";
import { changedAfter, fingerprintOf, nothing } from "./fingerprint.ts";

const kind = z.enum(["file", "folder", "link"]).nullable();
const manifest = z.strictObject({
  version: z.literal(1),
  exchanges: z.array(
    z.strictObject({
      path: z.string(),
      was: kind,
      becomes: kind,
      /** Where what was there is kept, below the folder of all sets; null where nothing was. */
      aside: z.string().nullable(),
      /** Where an undo took what it put there; it goes back to that place when the undo is undone. */
      source: z.string().nullable(),
      /** The fingerprint of what was left at the path; null until that is known. */
      left: z.string().nullable(),
    }),
  ),
  modes: z.array(z.strictObject({ path: z.string(), before: z.number(), after: z.number() })),
});

/** What one command, or the undo of one, changed: what it displaced lies beside this list. */
export type ChangeSet = z.infer<typeof manifest>;

/** What was done, and the paths that were left as they are, each with the reason. */
export type SetResult = { readonly done: readonly string[]; readonly conflicts: readonly string[] };

const manifestName = "changes.json";

/**
 * Makes a folder like the overlay that was compared with it. What it displaces goes into `place`, from where `undoSet` brings it back. What somebody changed
 * since the overlay began stays as it is, and is a conflict.
 */
export async function keepDifference(
  difference: Difference,
  { place, begun }: { readonly place: string; readonly begun: bigint },
): Promise<SetResult> {
  const conflicts: string[] = [];
  const exchanges: Planned[] = [];
  for (const { path, was, incoming, becomes } of difference.exchanges) {
    const changed = was === null ? await appeared(path) : await changedAfter(path, begun);
    if (changed === null) exchanges.push({ path, was, incoming, becomes, source: null, to: null });
    else
      conflicts.push(`${changed} was changed by somebody else while the command ran, so it stays as it is.`);
  }
  return apply({ place, exchanges, modes: difference.modes, conflicts });
}

async function appeared(path: string): Promise<string | null> {
  return (await statusOf(path)) === null ? null : path;
}

/** Takes back what a set changed, path by path, and keeps what it displaces in `place`, as a set of its own. */
export async function undoSet(set: string, place: string): Promise<SetResult> {
  const changes = await readSet(set);
  if (changes === null)
    return { done: [], conflicts: ["What the command changed is no longer kept, so it stays as it is."] };
  const conflicts: string[] = [];
  const exchanges: Planned[] = [];
  const sets = dirname(set);
  for (const { path, was, becomes, aside, source, left } of changes.exchanges.toReversed()) {
    const kept = aside === null ? null : join(sets, aside);
    if (kept !== null && (await statusOf(kept)) === null) continue;
    const now = await fingerprintOf(path);
    if (now === (left ?? nothing))
      exchanges.push({ path, was: becomes, incoming: kept, becomes: was, source: aside, to: source });
    else conflicts.push(`${path} was changed by somebody else since, so it was left as it is.`);
  }
  const modes: { path: string; mode: number }[] = [];
  for (const { path, before, after } of changes.modes) {
    const status = await statusOf(path);
    if (status !== null && Number(status.mode & 0o7777n) === after) modes.push({ path, mode: before });
  }
  return apply({ place, exchanges, modes, conflicts });
}

type Planned = Exchange & {
  readonly source: string | null;
  /** Where what is displaced goes, below the folder of all sets; null for a place of the new set. */
  readonly to: string | null;
};

type Application = {
  readonly place: string;
  readonly exchanges: readonly Planned[];
  readonly modes: Difference["modes"];
  readonly conflicts: string[];
};

/** Exchanges path by path. The list is on the disk before the first, so that an undo knows what a kill left. */
async function apply({ place, exchanges, modes, conflicts }: Application): Promise<SetResult> {
  await mkdir(place, { recursive: true, mode: 0o700 });
  const set: ChangeSet = { version: 1, exchanges: [], modes: [] };
  for (const [index, { path, was, becomes, source, to }] of exchanges.entries()) {
    const aside = was === null ? null : (to ?? join(basename(place), String(index)));
    set.exchanges.push({ path, was, becomes, aside, source, left: null });
  }
  for (const { path, mode } of modes) {
    const before = await statusOf(path);
    if (before !== null) set.modes.push({ path, before: Number(before.mode & 0o7777n), after: mode });
  }
  await writeSet(place, set);
  const done: string[] = [];
  for (const [index, { path, incoming, becomes }] of exchanges.entries()) {
    const entry = set.exchanges[index];
    if (entry === undefined) continue;
    try {
      const aside = join(dirname(place), entry.aside ?? join(basename(place), String(index)));
      await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
      await exchange({ path, incoming, aside });
      done.push(
        becomes === null
          ? `${path} was deleted.`
          : entry.was === null
            ? `${path} was made.`
            : `${path} was replaced.`,
      );
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      conflicts.push(`${path} could not be changed: ${fault.message}.`);
    }
  }
  for (const { path, after } of set.modes) await chmod(bytesOfPath(path), after);
  await writeSet(place, await withFingerprints(set));
  return { done, conflicts };
}

/** Notes anew what is at the paths of a set, after more was changed there that belongs to it. */
export async function sealSet(place: string): Promise<void> {
  const set = await readSet(place);
  if (set !== null) await writeSet(place, await withFingerprints(set));
}

async function withFingerprints(set: ChangeSet): Promise<ChangeSet> {
  for (const entry of set.exchanges) entry.left = await fingerprintOf(entry.path);
  return set;
}

/** The list of a set; null where it is gone or cannot be read. */
export async function readSet(place: string): Promise<ChangeSet | null> {
  const text = await readFile(join(place, manifestName), "utf8").catch(() => null);
  const parsed = text === null ? null : manifest.safeParse(JSON.parse(text));
  return parsed?.success === true ? parsed.data : null;
}

async function writeSet(place: string, set: ChangeSet): Promise<void> {
  const draft = join(place, `${manifestName}.new`);
  await writeFile(draft, JSON.stringify(set), { mode: 0o600, flush: true });
  await rename(draft, join(place, manifestName));
}

/** Sets that are kept, and bytes in them, at most. The oldest go first. */
const limits = { sets: 1_000, bytes: 4_000_000_000 };

/** Removes the oldest sets beyond the limits, and overlays that a killed process left. Called while no command runs. */
export async function pruneSets(folder: string, most = limits): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const sets: { path: string; at: number; bytes: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (name.startsWith("overlay-") || name.startsWith("probe-")) await removeTree(path);
    else sets.push({ path, at: (await stat(path)).mtimeMs, bytes: await bytesIn(path) });
  }
  sets.sort((left, right) => right.at - left.at);
  let bytes = 0;
  for (const [index, set] of sets.entries()) {
    bytes += set.bytes;
    if (index >= most.sets || bytes > most.bytes) await removeTree(set.path);
  }
}

async function bytesIn(path: string): Promise<number> {
  let bytes = 0;
  const paths = [path];
  for (const each of paths) {
    const status = await statusOf(each);
    if (status?.isFile() === true) bytes += Number(status.blocks) * 512;
    if (status?.isDirectory() === true) for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
  }
  return bytes;
}
