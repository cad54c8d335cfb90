/** Keeps trees, by what they were read under, while their further pages may be asked for. */
export type TreeKeeper<Tree> = {
  /** The tree that was read under this, which is kept on; undefined where none is kept. */
  readonly find: (under: string) => Tree | undefined;
  readonly keep: (under: string, tree: Tree) => void;
  readonly drop: (under: string) => void;
};

/** Milliseconds that a tree waits for its next page. */
const keptFor = 60_000;

/**
 * Keeps the trees that were asked for last, with so many characters in all, and lets each go after a
 * minute.
 */
export function makeTreeKeeper<Tree extends { readonly length: number }>(most: number): TreeKeeper<Tree> {
  // The one that was asked for last is at the end.
  const kept = new Map<string, { readonly tree: Tree; readonly timer: NodeJS.Timeout }>();
  const drop = (under: string): void => {
    clearTimeout(kept.get(under)?.timer);
    kept.delete(under);
  };
  const keep = (under: string, tree: Tree): void => {
    drop(under);
    kept.set(under, { tree, timer: setTimeout(() => drop(under), keptFor).unref() });
    let size = 0;
    for (const [each, one] of [...kept].toReversed()) {
      size += one.tree.length;
      if (each !== under && size > most) drop(each);
    }
  };
  const find = (under: string): Tree | undefined => {
    const tree = kept.get(under)?.tree;
    if (tree !== undefined) keep(under, tree);
    return tree;
  };
  return { find, keep, drop };
}
