import type { DeletePath, ReadPath, WritePath } from "../../signal/effect.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { type OtherNames, obeyedName } from "./later-names.ts";
import { followLinks } from "./real-path.ts";

export type PathEffect = ReadPath | WritePath | DeletePath;

/**
 * An effect on a real path, with one more for each name on the way to it that says more: a link of a folder
 * of keys may lead to one of an ordinary name. No action may have that of a secret name. `written` is what
 * was typed, as an absolute path.
 */
export async function underTypedNames<Kind extends PathEffect>(
  effect: Kind,
  written: string,
  isSecretPath: (path: string) => boolean,
): Promise<readonly Kind[]> {
  const { kind, target } = effect;
  const isLater = (path: string): boolean => kind === "delete-path" && executedLaterRule(path) !== null;
  const names = await namesOnTheWay(written, target);
  const telling = names.filter(
    (name) => (isSecretPath(name) && !isSecretPath(target)) || (isLater(name) && !isLater(target)),
  );
  return [effect, ...[...new Set(telling)].map((name) => ({ ...effect, target: name }))];
}

/**
 * Says what executes or obeys a file later by another name than its own: one on the way to it, or any that
 * `OtherNames` finds; null if nothing is found.
 */
export async function laterByNames(
  real: string,
  { written, others, byInode }: { written: string; others: OtherNames; byInode: boolean },
): Promise<string | null> {
  if (executedLaterRule(real) !== null) return null;
  for (const name of await namesOnTheWay(written, real)) {
    const why = await obeyedName(name, real);
    if (why !== null) return `it is ${name}: ${why}`;
  }
  return others.laterBy(real, { byInode });
}

/**
 * The names that a path has at each link on the way to where it leads. A link that is meant itself is not
 * followed.
 */
async function namesOnTheWay(written: string, real: string): Promise<readonly string[]> {
  if (written === real) return [];
  const { links } = await followLinks(written);
  const end = links.findIndex(({ path }) => path === real);
  return links.slice(0, end === -1 ? links.length : end).map(({ named }) => named);
}
