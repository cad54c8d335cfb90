import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { BackupProblem } from "./backup-problem.ts";
import type { ManifestFile, ManifestFolder } from "./manifest.ts";

/** A file that goes into a backup: its name there, where it is, and how many of its bytes are taken. */
export type Source = Omit<ManifestFile, "sha256"> & { readonly from: string };

/** What was left out of a backup, and why. */
export type Omitted = { readonly path: string; readonly why: string };

/** The files of a part of a backup, with what was left out. Default: folders are made as files need them. */
export type Collected = {
  readonly sources: readonly Source[];
  readonly omitted: readonly Omitted[];
  readonly folders?: readonly ManifestFolder[];
};

/** The bytes of a source as they are now; fewer where the file became shorter. Throws a `BackupProblem` where it is gone. */
export async function* readSource({ from, size }: Source): AsyncGenerator<Buffer> {
  if (size === 0) return;
  try {
    for await (const chunk of createReadStream(from, { end: size - 1, highWaterMark: 1_048_576 }))
      yield Buffer.from(chunk);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new BackupProblem(`${from} was removed while it was read. Nothing was kept; try again.`, {
      cause: error,
    });
  }
}

/** The SHA-256 of a source as it is now. */
export async function digestOfSource(source: Source): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of readSource(source)) hash.update(part);
  return hash.digest("hex");
}
