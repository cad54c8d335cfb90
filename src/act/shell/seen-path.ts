import { isAbsolute } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { realPath } from "../files/real-path.ts";
import type { Mask } from "../sandbox/bubblewrap.ts";
import { isShownSystem } from "../sandbox/system-folders.ts";

/** A declared folder by its real path, with what is covered in it. */
type ShownFolder = {
  readonly from: string;
  readonly inWorkspace: boolean;
  readonly covered: readonly Pick<Mask, "path">[];
};

/**
 * The folders of `PATH` that commands see, in the owner's order, with the system's own at the end; and those
 * that are covered.
 */
export async function seenPath(
  searchPath: string,
  shown: readonly ShownFolder[],
): Promise<{ readonly folders: readonly string[]; readonly closed: readonly string[] }> {
  const seen = new Set<string>();
  const closed = new Set<string>();
  for (const folder of [...searchPath.split(":").filter(isAbsolute), ...systemPath]) {
    const real = await realPath("/", folder).catch(() => null);
    const around = real === null ? [] : shown.filter(({ from }) => isInside(from, real));
    const isCovered = around.some(
      ({ covered, inWorkspace }) =>
        !inWorkspace && covered.some(({ path }) => real !== null && isInside(path, real)),
    );
    if (isShownSystem(folder)) seen.add(folder);
    else if (real !== null && isCovered) closed.add(real);
    else if (real !== null && around.length > 0) seen.add(real);
  }
  return { folders: [...seen], closed: [...closed] };
}

export function tellClosed(folder: string): string {
  return `PATH names ${folder}, which is in PROGRAM_FOLDERS, and no command sees its programs: the folder, or one around it, is secret by its name or only you may read it. If there are only programs in it, let others run them: chmod go+rx ${folder} ${folder}/*`;
}

const systemPath = "/usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin".split(" ");
