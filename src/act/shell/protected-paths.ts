import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { followLinks } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";

/** The paths in a folder that a confined program must not see. */
export type ProtectedPaths = {
  readonly masked: Confinement["masked"];
  /** Folders of repositories: each has objects and names what is checked out. */
  readonly repositories: readonly string[];
  /** False if the folder is too large: then nothing of it may be shown. */
  readonly complete: boolean;
};

const maxEntries = 200_000;
/** Walks the names below a folder, outermost first, without following links. Secret paths and sockets are masked. */
export async function findProtectedPaths(
  root: string,
  isSecretPath: (path: string) => boolean,
  limit = maxEntries,
): Promise<ProtectedPaths> {
  const masked: { path: string; kind: "file" | "folder" }[] = [];
  const folders = [root];
  const repositories: string[] = [];
  let entries = 0;
  for (const folder of folders) {
    const names = await readdir(bytesOfPath(folder), { withFileTypes: true, encoding: "buffer" }).catch(
      () => null,
    );
    if (names === null) {
      masked.push({ path: folder, kind: "folder" });
      continue;
    }
    entries += names.length;
    if (entries > limit) return { masked, repositories, complete: false };
    if (isRepository(names)) repositories.push(folder);
    for (const entry of names) {
      const path = join(folder, textOfName(entry.name));
      const kind = entry.isDirectory() ? "folder" : "file";
      if (entry.isSymbolicLink()) {
        if (isSecretPath(path)) pushAll(masked, await linkedSecret(path));
        continue;
      }
      if (isSecretPath(path) || entry.isSocket() || entry.isFIFO()) masked.push({ path, kind });
      else if (kind === "folder") folders.push(path);
    }
  }
  return { masked, repositories, complete: true };
}

function isRepository(names: readonly Dirent<Buffer>[]): boolean {
  const has = (name: string): boolean => names.some((entry) => textOfName(entry.name) === name);
  return has("objects") && has("HEAD");
}

/** A link with a secret name: its target is the secret. A circle of links has no target. */
async function linkedSecret(path: string): Promise<Confinement["masked"]> {
  if (!path.isWellFormed()) return [{ path, kind: "file" }];
  const { path: real, obstacle } = await followLinks(path);
  const status = obstacle === null ? await statusIfThere(real) : null;
  if (status === null || real === "/dev/null") return [];
  return [{ path: real, kind: status.isDirectory() ? "folder" : "file" }];
}
