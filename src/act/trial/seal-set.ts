import type { Renaming } from "../../signal/kept-guard.ts";
import { isInside } from "../../text/is-inside.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type ChangeSet, readSet, type SetEntry, writeAttached, writeSet } from "./set-files.ts";

/**
 * Notes anew what is at the paths of a set, after more was changed there that belongs to it: what got another
 * name is in the set by that name, so that an undo finds it.
 */
export async function sealSet(place: string, renamed: readonly Renaming[]): Promise<void> {
  const set = await readSet(place);
  if (set === null) return;
  const { exchanges, modes, times } = renamed.reduce(withName, set);
  for (const entry of exchanges) entry.left = await fingerprintOf(entry.path);
  await writeSet(place, { ...set, exchanges, modes, times });
  await writeAttached(place, exchanges);
}

function withName(set: ChangeSet, renaming: Renaming): ChangeSet {
  return {
    ...set,
    exchanges: set.exchanges.flatMap((entry) => entriesAfter(entry, renaming)),
    modes: set.modes.map((mode) => ({ ...mode, path: nameAfter(mode.path, renaming) })),
    times: set.times.map((time) => ({ ...time, path: nameAfter(time.path, renaming) })),
  };
}

/**
 * What took the place of something else and then got another name: the old is gone, and the new is beside
 * it.
 */
function entriesAfter(entry: SetEntry, renaming: Renaming): readonly SetEntry[] {
  if (entry.path !== renaming.from || entry.was === null || entry.becomes === null)
    return [{ ...entry, path: nameAfter(entry.path, renaming) }];
  const { becomes, incoming } = entry;
  return [
    { ...entry, becomes: null, incoming: null },
    { path: renaming.to, was: null, becomes, incoming, aside: null, source: null, left: null },
  ];
}

function nameAfter(path: string, { from, to }: Renaming): string {
  return isInside(from, path) ? `${to}${path.slice(from.length)}` : path;
}
