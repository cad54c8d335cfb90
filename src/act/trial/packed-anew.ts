import { join, relative } from "node:path";
import { afterwards, type Difference, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { allRefsOf, repositoryOf } from "./lost-commits.ts";
import { holdsObjects } from "./lost-objects.ts";
import { type OverlayFolders, openHistory } from "./repository-history.ts";
import { textOf } from "./text-of.ts";

type Tried = Pick<Difference, "exchanges"> & { readonly overlay: OverlayFolders };

/**
 * Makes the test whether git only keeps in another file what a path held that a command changed: refs, which
 * all name what they named, or objects, of which `lostObjects` says how many are gone.
 */
export function makePackedAnewTest(tried: Tried): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (path) => {
    const repository = await repositoryOf(path);
    if (repository === null) return false;
    const name = relative(repository, path);
    if (/^objects\/./.test(name)) return holdsAll(path, holdsObjects);
    if (!/^(?:packed-refs$|refs\/.)/.test(name)) return false;
    const isSame = known.get(repository) ?? haveSameRefs(repository, tried);
    known.set(repository, isSame);
    return (await isSame) && holdsAll(path, async () => true);
  };
}

/** Whether a path and all below it is folders, and files that pass a test. */
async function holdsAll(path: string, isRight: (file: string) => Promise<boolean>): Promise<boolean> {
  for await (const { inside, status } of walkEntries(path))
    if (!status.isDirectory() && !(status.isFile() && (await isRight(join(path, inside))))) return false;
  return true;
}

/**
 * Whether all refs name what they named before a command, and the list of the packed ones is as git writes
 * it.
 */
async function haveSameRefs(repository: string, tried: Tried): Promise<boolean> {
  const [before, after] = [await allRefsOf(repository), await allRefsOf(repository, tried)];
  if (before === null || after === null || before.size !== after.size) return false;
  for (const [name, id] of before) if (after.get(name) !== id) return false;
  const list = afterwards(tried.exchanges)(join(repository, "packed-refs"));
  if (list === null || (await statusOf(list)) === null) return true;
  const text = textOf(list);
  return text !== null && text === (await listOf(text, repository, tried.overlay));
}

/** The list that git writes of the refs that one names: sorted, and of each tag also what it stands for. */
async function listOf(list: string, repository: string, overlay: OverlayFolders): Promise<string | null> {
  const refs = [...list.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/.+)$/gm)].map(
    ([, id = "", name = ""]) => ({ id, name }),
  );
  // Of a name that stands twice git takes one, and the reader here the other.
  if (new Set(refs.map(({ name }) => name)).size < refs.length) return null;
  await using git = await openHistory(repository, refs[0]?.id.length ?? 40, overlay);
  const peel = ["cat-file", "--batch-check=%(objectname)"];
  const said = await git.run(
    peel,
    refs.map(({ id }) => `${id}^{}`),
  );
  const peeled = said?.split("\n") ?? [];
  const lines = refs.map(({ id, name }, index) => ({ id, name, is: peeled[index] }));
  lines.sort((one, other) => (one.name < other.name ? -1 : 1));
  const text = lines.map(({ id, name, is }) => `${id} ${name}\n${is === id ? "" : `^${is}\n`}`);
  return said === null ? null : `# pack-refs with: peeled fully-peeled sorted \n${text.join("")}`;
}
