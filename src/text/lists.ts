/**
 * Adds all items to the end of a list, however many there are: `push(...items)` throws beyond some 120,000,
 * as does any call that is given a list as its arguments.
 */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The greatest of some numbers; -Infinity where there are none. */
export function greatest(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The least of some numbers; Infinity where there are none. */
export function least(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}
