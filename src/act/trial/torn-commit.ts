import type { Overlay } from "../sandbox/overlay.ts";
import { type Difference, type Exchange, statusOf } from "./difference.ts";
import { changedAfter } from "./fingerprint.ts";
import { isOfObjects, Repositories } from "./plan-undo-set.ts";
import { isNamedByContents } from "./same-entry.ts";

/**
 * What somebody else changed at or below the path of an exchange since an overlay began; null for nothing.
 */
export async function changedByOthers({ path, was }: Exchange, begun: bigint): Promise<string | null> {
  if (was !== null) return await changedAfter(path, begun);
  return (await statusOf(path)) === null ? null : path;
}

/**
 * What is to be kept of a difference, or why nothing is. What a command changed in a repository belongs
 * together: a commit is an index, a branch and its log, and a stash is what it took from the work tree too.
 * Objects alone do nothing, and one that somebody else wrote meanwhile is the same.
 */
export async function withoutTornCommit(
  difference: Difference,
  { begun }: Pick<Overlay, "begun">,
): Promise<Difference | string> {
  const repositories = new Repositories();
  const changes = new Map<string, Exchange[]>();
  const exchanges: Exchange[] = [];
  for (const exchange of difference.exchanges) {
    const repository = await repositories.of(exchange.path);
    if (repository !== null && (await isObjectThere(exchange))) continue;
    exchanges.push(exchange);
    if (repository === null) continue;
    const others = changes.get(repository);
    if (others === undefined) changes.set(repository, [exchange]);
    else others.push(exchange);
  }
  for (const [repository, all] of changes) {
    const torn = await whyTorn(repository, all, begun);
    if (torn !== null) return torn;
  }
  return { ...difference, exchanges };
}

async function isObjectThere({ path, was, becomes }: Exchange): Promise<boolean> {
  const isNewFile = was === null && becomes === "file";
  return isNewFile && isNamedByContents(path) && (await statusOf(path))?.isFile() === true;
}

async function whyTorn(
  repository: string,
  changes: readonly Exchange[],
  begun: bigint,
): Promise<string | null> {
  for (const change of changes) {
    const changed = await changedByOthers(change, begun);
    if (changed === null) continue;
    if (changes.some((each) => each !== change && !isOfObjects(repository, each.path)))
      return `${changed} was changed by somebody else after the command began. What the command changed in ${repository} is kept whole or not at all, so nothing that it did was kept. Run it again.`;
  }
  return null;
}
