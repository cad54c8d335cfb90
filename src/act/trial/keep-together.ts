import type { Overlay } from "../sandbox/overlay.ts";
import { type KeptChanges, nothingKept } from "./command-overlays.ts";
import type { Difference, Exchange } from "./difference.ts";
import { changedByOthers } from "./torn-commit.ts";

/** What a line changed in one folder, or in a part of one, and the copy that it did that in. */
export type ChangedPart = readonly [copy: Overlay, difference: Difference];

type KeepPart = (...part: ChangedPart) => Promise<KeptChanges>;

/**
 * Keeps what a line changed in several folders. What one of them loses may be what another one gets: so
 * nothing is kept where somebody else changed any of it, all that is made is kept before anything is deleted,
 * and it ends with the first of it that cannot be kept.
 */
export async function keepTogether(parts: readonly ChangedPart[], keep: KeepPart): Promise<KeptChanges> {
  const isOne = parts.filter(([, { exchanges }]) => exchanges.length > 0).length < 2;
  const conflicts = isOne ? [] : await findConflicts(parts);
  if (conflicts.length > 0) return { ...nothingKept, conflicts };
  const kept: KeptChanges[] = [];
  for (const part of isOne ? parts : makesFirst(parts)) {
    const one = await keep(...part);
    kept.push(one);
    if (one.conflicts.length > 0) break;
  }
  return joined(kept);
}

async function findConflicts(parts: readonly ChangedPart[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [{ begun }, { exchanges }] of parts)
    for (const exchange of exchanges) {
      const path = await changedByOthers(exchange, begun);
      if (path !== null) changed.push(path);
    }
  return changed.map(
    (path) =>
      `${path} was changed by somebody else after the command began. What the command changed in several folders is kept whole or not at all, so nothing that it did was kept, and nothing was deleted. Run it again.`,
  );
}

const makes = ({ becomes }: Exchange): boolean => becomes !== null;

/** A part that makes and deletes is two of them. */
function makesFirst(parts: readonly ChangedPart[]): readonly ChangedPart[] {
  const first: ChangedPart[] = [];
  const last: ChangedPart[] = [];
  for (const [copy, difference] of parts) {
    const made = difference.exchanges.filter(makes);
    const deleted = difference.exchanges.filter((each) => !makes(each));
    if (deleted.length === 0) first.push([copy, difference]);
    else if (made.length === 0) last.push([copy, difference]);
    else {
      first.push([copy, { ...difference, exchanges: made }]);
      last.push([copy, deletionsOf(difference, deleted)]);
    }
  }
  return [...first, ...last];
}

/**
 * What only goes. All else is kept and told with what is made; times again, since each name that goes changes
 * them.
 */
function deletionsOf(difference: Difference, exchanges: readonly Exchange[]): Difference {
  const told = { special: [], owned: [], privileged: new Map(), unheld: new Map() };
  return { ...difference, ...told, exchanges, modes: [], links: [] };
}

function joined(kept: readonly KeptChanges[]): KeptChanges {
  return {
    done: kept.flatMap(({ done }) => done),
    made: kept.flatMap(({ made }) => made),
    conflicts: kept.flatMap(({ conflicts }) => conflicts),
    notes: kept.flatMap(({ notes }) => notes),
    seal: async (renamed) => {
      for (const { seal } of kept) await seal(renamed);
    },
  };
}
