/** How many items are worked on side by side. More would hold other work back. */
const batchSize = 32;

/** Applies a function to all items, some of them side by side. Gives the results in the order of the items. */
export async function* inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  for (let at = 0; at < items.length; at += batchSize) {
    yield* await Promise.all(items.slice(at, at + batchSize).map(work));
  }
}
