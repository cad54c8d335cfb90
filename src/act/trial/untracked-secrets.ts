import { basename, dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { checkedOut, filesOfIndex, largestRead, type Place, textIn, workTreeOf } from "./checked-out.ts";
import { afterwards, type Difference, type Exchange } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { TooLarge } from "./measure.ts";
import { holdsObject, idsIn } from "./missing-objects.ts";
import { type OverlayFolders, openHistory } from "./repository-history.ts";

/** Which files count. */
export type SecretsOfLine = {
  readonly isSecretPath: (path: string) => boolean;
  /** Whether the words of the line name a secret file, or a secret folder that it is in. */
  readonly isNamed: (path: string) => boolean;
};

/**
 * The secret files that are there and that a line took out of the index of their repository, though its
 * words do not name them: commands do not see them, so that git takes them for gone where it makes an index
 * anew. Where the line only went to another commit that was there before, those that this commit has. Throws
 * `TooLarge`.
 */
export async function untrackedSecrets(
  { exchanges, overlay }: Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders },
  { isSecretPath, isNamed }: SecretsOfLine,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, was } of exchanges) {
    if (basename(path) !== "index" || was !== "file") continue;
    const before = await namesIn(dirname(path), (each) => each);
    const after = await namesIn(dirname(path), afterwards(exchanges));
    if (before === null) continue;
    if (after === null) throw new TooLarge(`${path} cannot be read any more`);
    const root = await workTreeOf(dirname(path));
    const lost: string[] = [];
    for (const name of before) {
      const file = join(root, name);
      const isLost = !after.has(name) && isSecretPath(file) && !isNamed(file);
      if (isLost && (await entryIfThere(file)) !== null) lost.push(file);
    }
    if (lost.length === 0) continue;
    const there = await wentElsewhere(dirname(path), exchanges);
    const kept = there === null ? null : await namesInCommit(there, overlay);
    pushAll(found, kept === null ? lost : lost.filter((file) => kept.has(relative(root, file))));
  }
  return found;
}

async function namesIn(own: string, at: Place["at"]): Promise<ReadonlySet<string> | null> {
  const files = await filesOfIndex(own, at);
  return files && new Set(files.map(({ name }) => name));
}

/** The names of the files in a commit; null where they cannot be read. */
async function namesInCommit(
  { repository, commit }: Elsewhere,
  overlay: OverlayFolders,
): Promise<ReadonlySet<string> | null> {
  await using history = await openHistory(repository, commit.length, overlay);
  const said = await history.run(["ls-tree", "-r", "-z", "--name-only", commit]);
  return said === null ? null : new Set(said.split("\0"));
}

/** A commit of a repository. */
type Elsewhere = { readonly repository: string; readonly commit: string };

/**
 * The commit that a line checked out, where that is another one and the line made none of the commits that
 * the repository names since; else null. `own` is the folder of the index.
 */
async function wentElsewhere(own: string, exchanges: readonly Exchange[]): Promise<Elsewhere | null> {
  const shared = await textIn(join(own, "commondir"));
  const repository = shared === null ? own : resolve(own, shared.trim());
  const before = await checkedOut({ own, repository, at: (path) => path });
  const commit = await checkedOut({ own, repository, at: afterwards(exchanges) });
  if (commit === null || commit === before) return null;
  for (const { path, incoming } of exchanges) {
    if (incoming === null || !isInside(repository, path)) continue;
    for await (const { inside, status } of namesRefs(relative(repository, path))
      ? walkEntries(incoming)
      : []) {
      if (!status.isFile()) continue;
      if (status.size > largestRead) throw new TooLarge(`${path} has more than ${largestRead} bytes`);
      for (const id of await idsIn(join(incoming, inside)))
        if (!(await holdsObject(repository, id))) return null;
    }
  }
  return { repository, commit };
}

/** Whether a path of a repository is a branch or another name of a commit, or a folder of such names. */
function namesRefs(inside: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?(?:HEAD|packed-refs|refs(?:\/.+)?)$/.test(inside);
}

const mostShown = 5;

/** Why nothing is kept of a line that took secret files out of an index; null for none. */
export function refuseUntracked(files: readonly string[]): string | null {
  if (files.length === 0) return null;
  const more = files.length > mostShown ? ` and ${files.length - mostShown} more` : "";
  return `It would have taken ${files.slice(0, mostShown).join(", ")}${more} out of the repository, which the command did not name: commands do not see secret files, so that git takes them for gone where it lists a folder anew. Nothing that it changed was kept. Add the files that are meant by their names (git add FILE); to stop tracking a secret file, name it: git rm --cached FILE.`;
}
