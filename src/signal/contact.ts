/**
 * An address or account with the names that it goes by, and the entry that it was read from: only the values
 * of one entry belong to one person. `past`: one of no entry, which the owner only used before; it goes by
 * its whole name alone.
 */
export type Contact = {
  readonly names: readonly string[];
  readonly value: string;
  readonly entry?: string;
  readonly past?: true;
};
