import { dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { afterwards, type Difference, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { parentsOfMade } from "./made-commit.ts";
import { type History, type OverlayFolders, openHistory } from "./repository-history.ts";
import { textOf } from "./text-of.ts";

/** What a command changed. */
type Tried = Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders };

/**
 * The commits that no branch or tag of its repository leads to any more, once `branch` (a file of the
 * repository, or the `HEAD` of a detached work tree) is what the command made of it. A commit that stands
 * there with the same change, as after a rebase, is not lost; nor is the last one where another takes its
 * place that changes all the same files, as after an amend. Null where that cannot be found out.
 */
export async function lostCommits(branch: string, tried: Tried): Promise<readonly string[] | null> {
  const repository = await repositoryOf(branch);
  if (repository === null) return null;
  const name = relative(repository, branch);
  const [before, after] = [await refsOf(repository), await refsOf(repository, tried)];
  if (before === null || after === null) return null;
  const old = idIn(textOf(branch)) ?? before.get(name);
  const at = afterwards(tried.exchanges);
  const now = after.get(name) ?? idIn(textOf(at(branch) ?? ""));
  if (old === undefined || old === now) return [];
  if (now === undefined) return null;
  if ((await parentsOfMade(now, repository, at))?.includes(old) === true) return [];
  const others = [...after].flatMap(([other, id]) => (other === name ? [] : [`^${id}`]));
  await using git = await openHistory(repository, old.length, tried.overlay);
  const gone = await git.run(["rev-list", "--count", "--stdin"], [old, `^${now}`, ...others]);
  if (gone === null || gone === "0\n") return gone && [];
  const sides = await git.run(
    ["log", "--left-right", "--cherry-pick", "-z", "--format=%m%H %h %s", "--stdin"],
    [`${now}...${old}`, ...others],
  );
  if (sides === null) return null;
  const lost = sides.split("\0").flatMap((line) => (line.startsWith(">") ? [line.slice(1)] : []));
  const [id = "", ...more] = lost.map((line) => line.split(" ", 1)[0] ?? "");
  const isAmended = more.length === 0 && sides.includes("<") && (await holdsChange(git, id, now));
  return isAmended ? [] : lost.map((line) => line.slice(line.indexOf(" ") + 1));
}

/** Whether a commit changes every file that another one changed, seen from the parent of that one. */
async function holdsChange(git: History, lost: string, now: string): Promise<boolean> {
  const parent = (await git.run(["log", "-1", "--format=%P", lost]))?.trim().split(" ", 1)[0];
  const start = parent === "" || parent === undefined ? emptyTrees.get(lost.length) : parent;
  const names = async (commit: string): Promise<readonly string[] | undefined> =>
    (await git.run(["diff-tree", "-r", "-z", "--name-only", `${start}`, commit]))?.split("\0");
  const [was, is] = [await names(lost), new Set(await names(now))];
  return was?.every((file) => is.has(file)) === true;
}

/** The tree without files, which git knows without keeping it, by the length of names of objects. */
export const emptyTrees: ReadonlyMap<number, string> = new Map(
  [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
  ].map((id) => [id.length, id]),
);

/** The repository that a file belongs to: the nearest folder above it with objects. */
export async function repositoryOf(file: string): Promise<string | null> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if ((await statusOf(join(folder, "objects")))?.isDirectory() === true) return folder;
  return null;
}

/** A repository with more branches and tags is not looked through. */
const mostRefs = 5_000;

/**
 * The branches and tags of a repository with the objects that they name, also those of other repositories
 * that it knows; as they would be after a command, where one is given. Null where they are too many.
 */
export async function refsOf(repository: string, tried?: Tried): Promise<ReadonlyMap<string, string> | null> {
  return readRefs(repository, { tried, keeps: /^refs\/(?:heads|tags|remotes)\/./, read: idIn });
}

/** What every ref of a repository holds, as `refsOf` reads branches and tags. */
export async function allRefsOf(
  repository: string,
  tried?: Tried,
): Promise<ReadonlyMap<string, string> | null> {
  return readRefs(repository, { tried, keeps: /^refs\/./, read: (held) => held?.trimEnd() });
}

type ReadingRefs = {
  readonly tried: Tried | undefined;
  readonly keeps: RegExp;
  /** What a ref names by its file; undefined where the file does not count. */
  readonly read: (held: string | null) => string | undefined;
};

async function readRefs(
  repository: string,
  { tried, keeps, read }: ReadingRefs,
): Promise<ReadonlyMap<string, string> | null> {
  const exchanges = (tried?.exchanges ?? []).filter(
    ({ path }) => isInside(repository, path) || isInside(path, repository),
  );
  const at = afterwards(exchanges);
  const packed = at(join(repository, "packed-refs"));
  const listed = packed === null || (await statusOf(packed)) === null ? "" : textOf(packed);
  if (listed === null) return null;
  const found = new Map<string, string>();
  for (const [, id = "", name = ""] of listed.matchAll(packedRef)) if (keeps.test(name)) found.set(name, id);
  const refs = join(repository, "refs");
  for (const { path, incoming } of [{ path: refs, incoming: refs }, ...exchanges])
    for await (const { inside, status } of incoming === null ? [] : walkEntries(incoming)) {
      const file = join(path, inside);
      const name = relative(repository, file);
      if (!status.isFile() || !keeps.test(name)) continue;
      const id = read(textOf(at(file) ?? ""));
      if (id !== undefined) found.set(name, id);
      if (found.size > mostRefs) return null;
    }
  return found.size > mostRefs ? null : found;
}

const packedRef = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/.+)$/gm;

/** The name of an object that a branch or tag holds. */
function idIn(held: string | null): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?=\n$)/.exec(held ?? "")?.[0];
}
