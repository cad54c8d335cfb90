import type { Label } from "../signal/label.ts";

const ranks: Readonly<Record<Label["integrity"], number>> = { user: 0, agent: 1, untrusted: 2 };

/** The rank of a label when several nodes have one `:ID:`; the lowest rank gets it, so that a foreign text cannot take an ID from the owner's. */
export function integrityRank({ integrity }: Label): number {
  return ranks[integrity];
}

/** Decides which node of a file gets an `:ID:`. Nodes are named by their index in the outline; the file itself is -1. */
export type IdClaims = {
  /** True if the node gets the ID: it is reserved for this node, or it is not reserved and no node claimed it before. */
  readonly claim: (id: string, index: number, label: Label) => boolean;
  /** New claims with each ID reserved for the most trusted node that claimed it; null if those nodes got their IDs anyway. */
  readonly reassigned: () => IdClaims | null;
};

/** Makes the claims of one file, with IDs reserved for some of its nodes. */
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
