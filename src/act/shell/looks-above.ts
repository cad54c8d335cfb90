import { isInside } from "../../text/is-inside.ts";
import type { ResolvedPathUse } from "./confine.ts";

/** Whether commands run in the sandbox, and where. */
type Place = { readonly confined: boolean; readonly workspace: string | null; readonly cwd: string };

/**
 * Makes the test whether commands see more of a folder than their workspace in it. In the sandbox they see
 * nothing else of the folders above, unless a command reads such a folder: what lies beside the workspace is
 * then nothing that a line could run or print. A word like `..`, or the `//` of a comment, names such
 * folders.
 */
export function makeAboveTest(
  { confined, workspace, cwd }: Place,
  commands: readonly { readonly reads: readonly Pick<ResolvedPathUse, "path">[] }[],
): (folder: string) => boolean {
  const root = workspace ?? cwd;
  const isAbove = (folder: string): boolean => folder !== root && isInside(folder, root);
  const isRead = (folder: string): boolean =>
    commands.some(({ reads }) => reads.some(({ path }) => isInside(path, folder)));
  return (folder) => confined && isAbove(folder) && !isRead(folder);
}
