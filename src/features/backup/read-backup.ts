import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { describeError } from "../../text/describe-error.ts";
import { BackupProblem } from "./backup-problem.ts";
import {
  largestManifest,
  type Manifest,
  type ManifestFile,
  manifestName,
  parseManifest,
} from "./manifest.ts";
import { readTar, type TarFile } from "./tar.ts";

/** What reads a backup besides the check. */
export type BackupReader = {
  /** Gets the bytes of each file, as they come, after its place in the manifest was checked. */
  readonly onFile?: (file: ManifestFile) => FileSink;
  /** Called with the bytes that were read and those that there are. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Called once the manifest is read, before any file. */
  readonly onManifest?: (manifest: Manifest) => void;
  readonly signal?: AbortSignal;
};

/** Where the bytes of one file go. */
export type FileSink = { readonly write: (part: Buffer) => void; readonly end: () => void };

/** Takes nothing of a file. */
export const noSink: FileSink = { write: () => undefined, end: () => undefined };

/** Reads a whole backup and checks every byte of it against its manifest. Throws a `BackupProblem` that says what is wrong with it. */
export async function readBackup(path: string, reader: BackupReader = {}): Promise<Manifest> {
  const all = sizeOf(path);
  const source = createReadStream(path);
  const unzipped = source.pipe(createGunzip());
  source.on("error", (error) => unzipped.destroy(error));
  const files = readTar(unzipped);
  try {
    const manifest = await readManifest(await files.next());
    reader.onManifest?.(manifest);
    for (const expected of manifest.files) {
      reader.signal?.throwIfAborted();
      const next = await files.next();
      if (next.done === true) throw new BackupProblem("The backup ends too early: it is not whole.");
      await checkFile(next.value, expected, reader.onFile?.(expected));
      reader.onProgress?.(Math.min(source.bytesRead, all), all);
    }
    if ((await files.next()).done !== true)
      throw new BackupProblem("The backup has a file that its manifest does not name.");
    return manifest;
  } catch (error) {
    throw explain(error, path);
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

function sizeOf(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined)
    throw new BackupProblem(`There is no file ${path}. Name a file that passepartout backup made.`);
  if (!status.isFile())
    throw new BackupProblem(`${path} is no file. Name a file that passepartout backup made.`);
  return status.size;
}

async function readManifest(first: IteratorResult<TarFile, void>): Promise<Manifest> {
  if (first.done === true || first.value.path !== manifestName || first.value.size > largestManifest)
    throw new BackupProblem("This is no backup of Passepartout: it does not begin with a manifest.");
  const parts: Buffer[] = [];
  for await (const part of first.value.contents) parts.push(part);
  return parseManifest(Buffer.concat(parts));
}

async function checkFile(file: TarFile, expected: ManifestFile, sink: FileSink | undefined): Promise<void> {
  if (file.path !== expected.path || file.size !== expected.size)
    throw new BackupProblem(
      `The backup has ${JSON.stringify(file.path)} (${file.size} bytes) where its manifest names ${JSON.stringify(expected.path)} (${expected.size} bytes).`,
    );
  const hash = createHash("sha256");
  for await (const part of file.contents) {
    hash.update(part);
    sink?.write(part);
  }
  sink?.end();
  if (hash.digest("hex") !== expected.sha256)
    throw new BackupProblem(`${JSON.stringify(expected.path)} is not what was backed up: its hash differs.`);
}

/** Damage of the compressed stream in words. */
function explain(error: unknown, path: string): unknown {
  const isDamage =
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("Z_");
  const what = isDamage ? `it is damaged or not whole (${describeError(error)})` : null;
  if (what !== null)
    return new BackupProblem(`${path} cannot be used: ${what}. Nothing was changed. Use another backup.`, {
      cause: error,
    });
  if (!(error instanceof BackupProblem)) return error;
  return new BackupProblem(`${path} cannot be used. ${error.message} Nothing was changed.`, { cause: error });
}
