import type { Label } from "../../../signal/label.ts";

const ranks: Readonly<Record<Label["integrity"], number>> = { user: 0, agent: 1, untrusted: 2 };

/** The lower, the earlier a node with this label gets an `:ID:` that several have: a text from elsewhere takes none from the owner's. */
export function integrityRank({ integrity }: Label): number {
  return ranks[integrity];
}

/** Who has which `:ID:` in a file: nodes by their place in its outline, the file itself being -1. */
export type IdClaims = {
  /** True where a node is the one that gets an id: the first that asks, but for what is reserved. */
  readonly claim: (id: string, index: number, label: Label) => boolean;
  /** The same ids, each reserved for the most trusted that asked; null where these had them anyway. */
  readonly reassigned: () => IdClaims | null;
};

/** Claims of one file, in which ids may be reserved for some of its nodes. */
export function makeIdClaims(reserved: ReadonlyMap<string, number> = new Map()): IdClaims {
  const best = new Map<string, { readonly index: number; readonly rank: number }>();
  let isBetter = false;
  return {
    claim(id, index, label) {
      const rank = integrityRank(label);
      const known = best.get(id);
      if (known === undefined || rank < known.rank) best.set(id, { index, rank });
      if (known !== undefined && rank < known.rank) isBetter = true;
      const owner = reserved.get(id);
      return owner === undefined ? known === undefined : owner === index;
    },
    reassigned: () =>
      isBetter && reserved.size === 0
        ? makeIdClaims(new Map([...best].map(([id, { index }]) => [id, index])))
        : null,
  };
}
