import type { WritePath } from "../../signal/effect.ts";

/** A change of a file of git's own by which nothing is other for git than it was. */
export function asRepositoryData(effect: WritePath): WritePath {
  return { ...effect, repositoryData: true };
}

/** The data of repositories: of more than so many files, the folders in which git keeps them. */
export function foldRepositoryData(data: readonly WritePath[], most: number): readonly WritePath[] {
  if (data.length <= most) return data;
  const [first] = data;
  const folders = new Set(data.map(({ target }) => /^.*\/\.git(?=\/)/i.exec(target)?.[0] ?? target));
  return first === undefined
    ? []
    : [...folders].map((target) => ({ ...first, target, change: "replace", tree: true }));
}
