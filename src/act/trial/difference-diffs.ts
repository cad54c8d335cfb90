import { isRepositoryData } from "../../signal/executed-later/executed-later.ts";
import { diffFile, type FileDiff } from "../../signal/file-diff.ts";
import { readWholeFile } from "../files/contents.ts";
import type { Difference } from "./difference.ts";

/** Files that are compared, and bytes of each. Of further and larger ones only the effects are shown. */
const most = { files: 100, bytes: 2_000_000 };

/** Compares the files that a command changed in its overlay, for a person. Folders, links and files that cannot be read stand among the effects alone. */
export async function diffsOf({ exchanges }: Difference): Promise<readonly FileDiff[]> {
  const compared = exchanges.filter(
    ({ path, was, becomes }) => (was === "file" || becomes === "file") && !isRepositoryData(path),
  );
  const files = compared.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const diffs: FileDiff[] = [];
  for (const { path, was, becomes, incoming } of files.slice(0, most.files)) {
    const before = was === "file" ? await bytesOf(path) : null;
    const after = becomes === "file" && incoming !== null ? await bytesOf(incoming) : null;
    if (before !== undefined && after !== undefined) diffs.push(diffFile(path, before, after));
  }
  return diffs;
}

/** A person's own files come before those of a repository's own folder. */
function rankOf(path: string): number {
  return path.includes("/.git/") ? 1 : 0;
}

/** Undefined where there is no such file, or it is too large or cannot be read. */
async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  const read = await readWholeFile(path, most.bytes);
  return read.ok ? read.value?.bytes : undefined;
}
