import { dirname, join, resolve } from "node:path";
import { isBuildOutput } from "../../signal/build-output.ts";
import { isInside } from "../../signal/is-inside.ts";
import { filesOfIndex, textIn } from "./checked-out.ts";
import { statusOf } from "./difference.ts";
import { withinSize } from "./measure.ts";

/**
 * Makes the test whether a build of a workspace makes a file again: it lies where builds put files, and git
 * does not track it. Of an index that cannot be read every file counts as tracked.
 */
export function makeBuiltAgainTest(workspace: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<ReadonlySet<string> | null>>();
  return async (path) => {
    if (!isInside(workspace, path) || !isBuildOutput(path, workspace)) return false;
    const root = await workTreeAround(path);
    if (root === null) return true;
    const tracked = known.get(root) ?? trackedIn(root);
    known.set(root, tracked);
    return (await tracked)?.has(path) === false;
  };
}

/** The folder above a path that has a repository; null for none. */
async function workTreeAround(path: string): Promise<string | null> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if ((await statusOf(join(folder, ".git"))) !== null) return folder;
  return null;
}

/** The paths that the index of a work tree lists; null where it cannot be read. */
async function trackedIn(root: string): Promise<ReadonlySet<string> | null> {
  const pointer = join(root, ".git");
  const listed = await withinSize(async () => {
    const [, elsewhere] = /^gitdir: ([^\n]+)/.exec((await textIn(pointer)) ?? "") ?? [];
    return filesOfIndex(elsewhere === undefined ? pointer : resolve(root, elsewhere), (each) => each);
  });
  const files = listed.ok ? listed.value : null;
  return files && new Set(files.map(({ name }) => join(root, name)));
}
