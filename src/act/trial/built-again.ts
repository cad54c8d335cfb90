import { dirname, join, resolve } from "node:path";
import { isBuildOutput } from "../../text/build-output.ts";
import { isInside } from "../../text/is-inside.ts";
import { filesOfIndex, textIn } from "./checked-out.ts";
import { statusOf } from "./difference.ts";
import { withinSize } from "./measure.ts";

/**
 * Makes the test whether a build of a workspace makes a file or a folder again: it lies where builds put
 * files, and git tracks neither it nor anything below it. Where an index cannot be read, all counts as
 * tracked. Each folder is looked at once.
 */
export function makeBuiltAgainTest(workspace: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<ReadonlySet<string> | null>>();
  const roots = new Map<string, Promise<string | null>>();
  /** The folder, or the one above it, that has a repository; null for none. */
  const workTreeOf = (folder: string): Promise<string | null> => {
    const root = roots.get(folder) ?? findWorkTree(folder);
    roots.set(folder, root);
    return root;
  };
  const findWorkTree = async (folder: string): Promise<string | null> => {
    if (folder === dirname(folder)) return null;
    return (await statusOf(join(folder, ".git"))) === null ? workTreeOf(dirname(folder)) : folder;
  };
  return async (path) => {
    if (!isInside(workspace, path) || !isBuildOutput(path, workspace)) return false;
    const root = await workTreeOf(dirname(path));
    if (root === null) return true;
    const tracked = known.get(root) ?? trackedIn(root);
    known.set(root, tracked);
    return (await tracked)?.has(path) === false;
  };
}

/** What the index of a work tree lists, and the folders above that; null where it cannot be read. */
async function trackedIn(root: string): Promise<ReadonlySet<string> | null> {
  const pointer = join(root, ".git");
  const listed = await withinSize(async () => {
    const [, elsewhere] = /^gitdir: ([^\n]+)/.exec((await textIn(pointer)) ?? "") ?? [];
    return filesOfIndex(elsewhere === undefined ? pointer : resolve(root, elsewhere), (each) => each);
  });
  const files = listed.ok ? listed.value : null;
  if (files === null) return null;
  const tracked = new Set([root]);
  for (const { name } of files)
    for (let path = join(root, name); !tracked.has(path); path = dirname(path)) tracked.add(path);
  return tracked;
}
