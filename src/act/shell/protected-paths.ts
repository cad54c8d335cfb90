import { constants, type Dirent } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { holdsOnlyCertificates, isMaybeCertificates, largestBundle } from "../../text/certificates.ts";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
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
    if (isRepository(names.map(({ name }) => textOfName(name)))) repositories.push(folder);
    for (const entry of names) {
      const path = join(folder, textOfName(entry.name));
      const kind = entry.isDirectory() ? "folder" : "file";
      if (entry.isSymbolicLink()) {
        if (isSecretPath(path)) pushAll(masked, await linkedSecret(path));
        continue;
      }
      const isHidden = entry.isSocket() || entry.isFIFO() || (await isSecret(path, entry, isSecretPath));
      if (isHidden) masked.push({ path, kind });
      else if (kind === "folder") folders.push(path);
    }
  }
  return { masked, repositories, complete: true };
}

/**
 * Whether an entry is secret: by its name, unless that says no more than that it may be a key, and it holds
 * public certificates and nothing else.
 */
async function isSecret(
  path: string,
  entry: Dirent<Buffer>,
  isSecretPath: (path: string) => boolean,
): Promise<boolean> {
  if (!isSecretPath(path)) return false;
  return !(entry.isFile() && isMaybeCertificates(path, isSecretPath) && (await areCertificates(path)));
}

/**
 * Whether a file holds public certificates and nothing else. One that cannot be read, or that somebody writes
 * meanwhile, counts as a secret.
 */
export async function areCertificates(path: string): Promise<boolean> {
  try {
    await using file = await open(
      bytesOfPath(path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const before = await file.stat({ bigint: true });
    if (!before.isFile() || before.size > largestBundle) return false;
    const text = await file.readFile("latin1");
    const after = await file.stat({ bigint: true });
    return (
      before.ctimeNs === after.ctimeNs && BigInt(text.length) === after.size && holdsOnlyCertificates(text)
    );
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return false;
  }
}

/** Whether a folder with these names is one that git keeps a repository in. */
export function isRepository(names: readonly string[]): boolean {
  return names.includes("objects") && names.includes("HEAD");
}

/** A link with a secret name: its target is the secret. A circle of links has no target. */
export async function linkedSecret(path: string): Promise<Confinement["masked"]> {
  if (!path.isWellFormed()) return [{ path, kind: "file" }];
  const { path: real, obstacle } = await followLinks(path);
  const status = obstacle === null ? await statusIfThere(real) : null;
  if (status === null || real === "/dev/null") return [];
  return [{ path: real, kind: status.isDirectory() ? "folder" : "file" }];
}
