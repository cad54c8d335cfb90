import type { Effect } from "../signal/effect.ts";
import { isRepositoryData } from "../text/later/executed-later.ts";

const repository = /\/\.git(?:\/|$)/;

/**
 * Effects in the order in which a person reads them: what changes their own files and anything else, then
 * what changes a repository's own folder, then what only reads. A repository's data (objects, index, logs)
 * that can be undone is one effect on its folder.
 */
export function arrangeEffects(effects: readonly Effect[]): readonly Effect[] {
  const [data, named] = partition(effects, isFolded);
  const folders = new Map(
    data.map((effect): readonly [string, Effect] => {
      const target = effect.target.slice(0, `${effect.target}/`.lastIndexOf("/.git/") + "/.git".length);
      const { label, reversal } = effect;
      return [target, { kind: "write-path", target, change: "replace", tree: true, label, reversal }];
    }),
  );
  const [reads, changes] = partition(named, ({ kind }) => kind === "read-path");
  const [inRepository, own] = partition(changes, ({ target }) => repository.test(target));
  const sorted = inRepository.toSorted((one, other) => (one.target < other.target ? -1 : 1));
  // Several programs of a line may read the same; a person reads it once.
  const each = new Map(
    reads.map((effect) => [JSON.stringify({ ...effect, label: null }), effect] as const),
  ).values();
  return [...own, ...sorted, ...folders.values(), ...each];
}

function isFolded(effect: Effect): boolean {
  const { kind, target, reversal } = effect;
  if (kind !== "write-path" || effect.executedLater !== undefined) return false;
  const isWhole = effect.tree === true && effect.repositoryData === true && target.endsWith("/.git");
  return reversal === "undoable" && (isWhole || isRepositoryData(target));
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
