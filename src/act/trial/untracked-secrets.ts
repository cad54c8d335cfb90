import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import type { Difference } from "./difference.ts";
import { indexNames } from "./index-entries.ts";
import { textOf } from "./text-of.ts";

/** Which files count. */
export type SecretsOfLine = {
  readonly isSecretPath: (path: string) => boolean;
  /** Whether the words of the line name a secret file, or a secret folder that it is in. */
  readonly isNamed: (path: string) => boolean;
};

/**
 * The secret files that are there and that a line took out of the index of their repository, though its
 * words do not name them: commands do not see them, so that git takes them for gone where it makes an index
 * anew. None where the line only went to another commit that was there before.
 */
export async function untrackedSecrets(
  { exchanges }: Pick<Difference, "exchanges">,
  { isSecretPath, isNamed }: SecretsOfLine,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, was, incoming } of exchanges) {
    if (basename(path) !== "index" || was !== "file") continue;
    const before = await namesOf(path);
    const after = incoming === null ? new Set<string>() : await namesOf(incoming);
    if (before === null || after === null) continue;
    const root = workTreeOf(dirname(path));
    for (const name of before) {
      const file = join(root, name);
      if (!after.has(name) && isSecretPath(file) && !isNamed(file) && (await isThere(file))) found.push(file);
    }
  }
  return found.length === 0 || wentElsewhere(exchanges) ? [] : found;
}

async function namesOf(path: string): Promise<ReadonlySet<string> | null> {
  return indexNames(await readFile(bytesOfPath(path)));
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(bytesOfPath(path)).catch(() => null)) !== null;
}

/** The folder whose files an index lists, by the folder that the index is in. */
function workTreeOf(own: string): string {
  const linked = textOf(join(own, "gitdir"))?.trim();
  if (linked !== undefined) return dirname(resolve(own, linked));
  const [, named] = /(?<=^|\n)\s*worktree = ([^\n]+)/.exec(textOf(join(own, "config")) ?? "") ?? [];
  return named === undefined ? dirname(own) : resolve(own, named);
}

/**
 * Whether a line changed which commit is checked out, and made none of the commits that its branches lead
 * to.
 */
function wentElsewhere(exchanges: Difference["exchanges"]): boolean {
  const heads = exchanges.filter(
    ({ path }) => /\/(?:HEAD|refs\/heads\/.+)$/.test(path) && !path.includes("/logs/"),
  );
  const tips = heads.map(({ incoming }) => (incoming === null ? "" : (textOf(incoming)?.trim() ?? "")));
  return tips.length > 0 && !tips.some((tip) => isMade(exchanges, tip));
}

/** Whether an object, by its ID, is new in a repository. */
function isMade(exchanges: Difference["exchanges"], id: string): boolean {
  const [folder, file] = [`/objects/${id.slice(0, 2)}`, id.slice(2)];
  return exchanges.some(
    ({ path, incoming }) =>
      incoming !== null &&
      (path.endsWith(`${folder}/${file}`) ||
        (path.endsWith(folder) && textOf(join(incoming, file)) !== null)),
  );
}

const mostShown = 5;

/** Why nothing is kept of a line that took secret files out of an index; null for none. */
export function refuseUntracked(files: readonly string[]): string | null {
  if (files.length === 0) return null;
  const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : "";
  return `It would have taken ${files.slice(0, mostShown).join(", ")}${more} out of the repository, which the command did not name: commands do not see secret files, so that git takes them for gone where it lists a folder anew. Nothing that it changed was kept. Add the files that are meant by their names (git add FILE); to stop tracking a secret file, name it: git rm --cached FILE.`;
}
