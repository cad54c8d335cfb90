/** A source of numbers that is the same for the same seed (mulberry32 over an FNV-1a hash). */
export type SeededRandom = {
  /** A whole number from 0 up to and without `limit`. */
  readonly below: (limit: number) => number;
  /** One of the items; undefined of none. */
  readonly pick: <T>(items: readonly T[]) => T | undefined;
};

/** Opens a source of numbers for a seed. */
export function seededRandom(seed: string): SeededRandom {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] };
}
