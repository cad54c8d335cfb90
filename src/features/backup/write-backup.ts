import { createHash } from "node:crypto";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { findLostNotes } from "../../memory/notes/open-own-notes.ts";
import { syncPath } from "../../memory/storage/private-file.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import type { Policy } from "../../settings/policy.ts";
import { usualNotesFolder } from "../../settings/user-folders.ts";
import { BackupProblem } from "./backup-problem.ts";
import { collectNotes } from "./collect-notes.ts";
import { collectSettings } from "./collect-settings.ts";
import { collectState, makeStagingFolder } from "./collect-state.ts";
import { type Manifest, manifestName, versionWith } from "./manifest.ts";
import { readBackup } from "./read-backup.ts";
import { encryptKey, identityOfKey, readSealingKey } from "./sealing-key.ts";
import { type Collected, digestOfSource, readSource, type Source } from "./sources.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";

/** What is asked of a backup. */
export type BackupRequest = {
  readonly policy: Policy;
  readonly version: string;
  /** Absolute path of the file that is made. */
  readonly file: string;
  readonly notes: boolean;
  /** Encrypts the key of sealed contents; null leaves that key out. */
  readonly passphrase: string | null;
  readonly now: Date;
  readonly onProgress: (part: "collect" | "write" | "verify", done: number, all: number) => void;
  readonly signal: AbortSignal;
};

/** How often a backup is begun again because a file changed while it was read. */
const mostTries = 3;

/** Writes a backup, reads it back and checks every byte, and only then gives the file its name. Throws a `BackupProblem` where there is such a file. */
export async function writeBackup(request: BackupRequest): Promise<Manifest> {
  const { file } = request;
  if (existsSync(file))
    throw new BackupProblem(`${file} is there already and stays as it is. Name a file that is not there.`);
  if (!existsSync(dirname(file)))
    throw new BackupProblem(`The folder ${dirname(file)} is not there. Make it, or name another place.`);
  const staging = makeStagingFolder(dirname(file));
  const partial = `${file}.partial`;
  try {
    const manifest = await writeVerified(request, { staging, partial });
    renameSync(partial, file);
    syncPath(dirname(file));
    return manifest;
  } catch (error) {
    const isFull = error instanceof StateProblem && error.code === "full-disk";
    if (!isFull && !(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    throw new BackupProblem(
      `No room is left on the disk of ${dirname(file)}, where a copy of the state is made first. No backup was made, and nothing of it stays. Free some space, or name a FILE on another disk.`,
      { cause: error },
    );
  } finally {
    rmSync(partial, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

type Places = { readonly staging: string; readonly partial: string };

async function writeVerified(request: BackupRequest, places: Places): Promise<Manifest> {
  for (let tries = 1; ; tries += 1) {
    try {
      const collected = await collect(request, places);
      const manifest = await manifestOf(request, collected);
      await writeArchive(request, { ...places, manifest, sources: collected.sources });
      await readBackup(places.partial, {
        onProgress: (done, all) => request.onProgress("verify", done, all),
        signal: request.signal,
      });
      return manifest;
    } catch (error) {
      if (!(error instanceof BackupProblem) || tries === mostTries) throw error;
    }
  }
}

async function collect(
  { policy, notes, file }: BackupRequest,
  { staging, partial }: Places,
): Promise<Collected> {
  const { places } = policy.config;
  const own = [places.state, places.configuration, places.runtime, staging];
  const parts = [
    await collectState(places.state, staging),
    collectSettings(policy, staging),
    ...(notes ? [collectNotes(await presentNotes(policy), [...own, resolve(file), partial])] : []),
  ];
  return {
    sources: parts.flatMap(({ sources }) => sources),
    omitted: parts.flatMap(({ omitted }) => omitted),
    folders: parts.flatMap(({ folders = [] }) => folders),
  };
}

/**
 * The notes folders. Throws a `BackupProblem` where the notes that are known in one are not there, as where
 * its disk is not mounted.
 */
async function presentNotes(policy: Policy): Promise<Parameters<typeof collectNotes>[0]> {
  const [lost] = await findLostNotes(policy.notesPlace, policy.config.places.state);
  if (lost !== undefined)
    throw new BackupProblem(
      `${lost.path}: ${lost.problem} No backup was made. To make one without the notes, run it without --notes.`,
    );
  const usual = usualNotesFolder(policy.folders.home);
  return notesFoldersOf(policy).map((path) => ({ path, isUsual: path === usual }));
}

/** All notes folders, the one for new notes first. */
export function notesFoldersOf({ config }: Policy): readonly string[] {
  return [config.places.notes, ...config.places.otherNotes];
}

async function manifestOf(
  request: BackupRequest,
  { sources, omitted, folders = [] }: Collected,
): Promise<Manifest> {
  const { policy, version, notes, passphrase, now, onProgress, signal } = request;
  const files: Manifest["files"][number][] = [];
  for (const source of sources) {
    signal.throwIfAborted();
    const { from: _, ...about } = source;
    files.push({ ...about, sha256: await digestOfSource(source) });
    onProgress("collect", files.length, sources.length);
  }
  const key = readSealingKey(policy.config.places.state);
  return {
    format: "passepartout backup",
    version: versionWith(folders),
    program: version,
    made: now.toISOString(),
    notes: notes ? [...notesFoldersOf(policy)] : [],
    omitted: [...omitted],
    sealing: identityOfKey(key),
    key: key === null || passphrase === null ? null : await encryptKey(key, passphrase),
    files,
    ...(folders.length === 0 ? {} : { folders: [...folders] }),
  };
}

async function writeArchive(
  { onProgress, signal }: BackupRequest,
  given: Places & { readonly manifest: Manifest; readonly sources: readonly Source[] },
): Promise<void> {
  const { partial, manifest, sources } = given;
  rmSync(partial, { force: true });
  const all = sources.reduce((sum, { size }) => sum + size, 0);
  const archive = Readable.from(archiveOf(manifest, sources, (done) => onProgress("write", done, all)));
  await pipeline(
    archive,
    createGzip(),
    createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }),
    {
      signal,
    },
  );
}

async function* archiveOf(
  manifest: Manifest,
  sources: readonly Source[],
  onBytes: (done: number) => void,
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(JSON.stringify(manifest));
  yield Buffer.concat([tarHeader(manifestName, bytes.length), bytes, tarPadding(bytes.length)]);
  let done = 0;
  for (const [index, source] of sources.entries()) {
    const hash = createHash("sha256");
    let written = 0;
    yield tarHeader(source.path, source.size);
    for await (const part of readSource(source)) {
      hash.update(part);
      written += part.length;
      yield part;
      done += part.length;
      onBytes(done);
    }
    if (written !== source.size || hash.digest("hex") !== manifest.files[index]?.sha256)
      throw new BackupProblem(`${source.from} changed while it was read. Nothing was kept; try again.`);
    yield tarPadding(source.size);
  }
  yield tarEnd;
}
