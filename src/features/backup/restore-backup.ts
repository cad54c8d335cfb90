import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { removeTree } from "../../act/sandbox/overlay.ts";
import { journalFile } from "../../memory/journal/journal.ts";
import { emptyHead, readHead } from "../../memory/journal/journal-head.ts";
import { checkJournal } from "../../memory/journal/journal-reading.ts";
import { openKeptValues } from "../../memory/state/kept-value.ts";
import { checkDatabase } from "../../memory/state/versions.ts";
import { openDatabase } from "../../memory/storage/database.ts";
import { lockState } from "../../memory/storage/lock-state.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import type { Policy } from "../../settings/policy.ts";
import { BackupProblem } from "./backup-problem.ts";
import { canRead } from "./can-read.ts";
import {
  exchangeBeside,
  exchangeFolders,
  exchangeInside,
  exchangesOfUndo,
  type FolderExchange,
  idAt,
  lockRestores,
} from "./folder-moves.ts";
import { giveAccess } from "./give-access.ts";
import { type Manifest, type ManifestFile, problemOfPath } from "./manifest.ts";
import { isRestorePending } from "./pending-restore.ts";
import type { RestoredPlace, RestorePlan } from "./plan-restore.ts";
import { type FileSink, noSink, readBackup } from "./read-backup.ts";
import { decryptKey, identityOfKey, readSealingKey, sealingKeyFile } from "./sealing-key.ts";

/** What is asked of a restore. */
export type RestoreRequest = {
  readonly policy: Policy;
  readonly file: string;
  readonly plan: RestorePlan;
  /** Opens the key of the backup; null where it is not needed, or is to be gone without. */
  readonly passphrase: string | null;
  readonly now: Date;
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
  /** Called before each rename and each note of it, in tests. */
  readonly step?: () => void;
};

/** What a restore put aside, and how many files and folders could not be given their group. */
export type Restored = {
  readonly exchanges: readonly Pick<FolderExchange, "place" | "aside">[];
  readonly withoutGroup: number;
};

/** Unpacks a backup beside the folders, checks it, and exchanges the folders, all or none. Throws a `BackupProblem` where that cannot be; nothing is then changed. */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { policy, plan, now, step } = request;
  const { state } = policy.config.places;
  using _restores = lockRestores(state);
  using _state = lockState(state, "restored");
  const id = idAt(
    now,
    plan.places.map(({ place }) => place),
  );
  const exchanges = plan.places.map(({ kind, place }) =>
    kind === "notes" ? exchangeBeside(place, id) : exchangeInside(place, id),
  );
  try {
    for (const { place, incoming } of exchanges) await prepare(place, incoming);
    let withoutGroup = await unpack(request, exchanges);
    for (const [index, place] of plan.places.entries()) {
      const incoming = exchanges[index]?.incoming ?? "";
      carryOver(plan.manifest, place, incoming);
      if (place.kind === "configuration") keepLinks(plan.manifest, place, incoming);
      if (place.kind === "notes") withoutGroup += settleFolders(plan.manifest, place, incoming);
      if (place.kind === "state") await settleState(request, incoming);
    }
    exchangeFolders(state, { id, exchanges, ...(step === undefined ? {} : { step }) });
    return { exchanges, withoutGroup };
  } finally {
    if (!isRestorePending(state)) for (const { incoming } of exchanges) await removeTree(incoming);
  }
}

/** Takes the last restore back; taken back again, it is there again. */
export function undoRestore(policy: Policy, now: Date): Restored {
  const { state } = policy.config.places;
  using _restores = lockRestores(state);
  using _state = lockState(state, "restored");
  const undo = exchangesOfUndo(state, now);
  if (undo === null) throw new BackupProblem("Nothing was restored here, so nothing can be taken back.");
  exchangeFolders(state, undo);
  return { exchanges: undo.exchanges, withoutGroup: 0 };
}

/** Makes the folder that is replaced where there is none, and the one that replaces it, after it removed what killed restores left. */
async function prepare(place: string, incoming: string): Promise<void> {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const stem = incoming.replace(/\d{8}-\d{6}$/, "");
  for (const name of readdirSync(dirname(incoming))) {
    const path = join(dirname(incoming), name);
    if (path.startsWith(stem)) await removeTree(path);
  }
  mkdirSync(incoming, { mode: 0o700 });
}

/** Unpacks all files. Gives how many could not be given their group. */
async function unpack(request: RestoreRequest, exchanges: readonly FolderExchange[]): Promise<number> {
  const { file, plan, onProgress, signal } = request;
  let withoutGroup = 0;
  const read = await readBackup(file, {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
    onFile: (about) => {
      const index = plan.places.findIndex(({ prefix }) => about.path.startsWith(prefix));
      const place = plan.places[index];
      const incoming = exchanges[index]?.incoming;
      if (place === undefined || incoming === undefined) return noSink;
      return fileSink(join(incoming, about.path.slice(place.prefix.length)), about, (isWhole) => {
        if (!isWhole) withoutGroup += 1;
      });
    },
  });
  if (JSON.stringify(read) !== JSON.stringify(plan.manifest))
    throw new BackupProblem(`${file} changed while it was restored. Nothing was changed; try again.`);
  return withoutGroup;
}

/** Writes a file that must not be there yet. */
function fileSink(path: string, about: ManifestFile, done: (hasGroup: boolean) => void): FileSink {
  const descriptor = create(path, about.mode);
  return {
    write: (part) => {
      for (let at = 0; at < part.length; ) at += writeSync(descriptor, part, at);
    },
    end: () => {
      fsyncSync(descriptor);
      closeSync(descriptor);
      done(giveAccess(path, about));
    },
  };
}

function create(path: string, mode: number | undefined): number {
  return onDisk(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: mode === undefined ? 0o700 : 0o777 });
    return openSync(path, "wx", mode ?? 0o600);
  });
}

function makeFolder(path: string, mode: number): void {
  onDisk(path, () => mkdirSync(path, { recursive: true, mode }));
}

/** Does work that makes an entry, and says so where another one of the backup has its place. */
function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new BackupProblem(`The backup has two files that this disk cannot hold side by side: ${path}.`, {
      cause: error,
    });
  }
}

/** Keeps what a backup never holds as it is now: links, and files with keys in clear. */
function carryOver({ omitted, notes }: Manifest, { prefix, place }: RestoredPlace, incoming: string): void {
  for (const { path } of omitted) {
    if (!path.startsWith(prefix) || problemOfPath(path, notes.length) !== null) continue;
    const from = join(place, path.slice(prefix.length));
    const to = join(incoming, path.slice(prefix.length));
    const status = lstatSync(from, { throwIfNoEntry: false });
    if (status === undefined || lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (status.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    // A note that cannot be read stays in what is kept aside.
    else if (status.isFile() && canRead(from)) copyFileSync(from, to);
  }
}

/** Keeps each link of the settings whose target holds what the backup has of it. */
function keepLinks({ files }: Manifest, { prefix, place }: RestoredPlace, incoming: string): void {
  for (const { path, sha256 } of files) {
    const name = path.slice(prefix.length);
    const now = join(place, name);
    if (!path.startsWith(prefix) || lstatSync(now, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
      continue;
    if (!existsSync(now) || createHash("sha256").update(readFileSync(now)).digest("hex") !== sha256) continue;
    rmSync(join(incoming, name));
    symlinkSync(readlinkSync(now), join(incoming, name));
  }
}

/**
 * Makes the folders of notes that no file made, and gives all their groups, modes and times, the innermost
 * first. A backup of an earlier version says nothing of them: the folder of the notes gets the access that it
 * has now. Gives how many could not be given their group.
 */
function settleFolders(
  { folders = [] }: Manifest,
  { prefix, place }: RestoredPlace,
  incoming: string,
): number {
  const root = prefix.slice(0, -1);
  const own = folders.filter(({ path }) => path === root || path.startsWith(prefix));
  const placeOf = (path: string): string => join(incoming, path.slice(root.length));
  for (const { path } of own) makeFolder(placeOf(path), 0o777);
  const { mode, uid, gid } = statSync(place);
  const now = { path: root, mode: mode & 0o3777, owner: uid, group: gid };
  const known = own.some(({ path }) => path === root) ? own : [now, ...own];
  return known
    .toSorted((one, other) => other.path.length - one.path.length)
    .filter((each) => !giveAccess(placeOf(each.path), each)).length;
}

/** Makes an unpacked state one that can be opened: its database and its journal are checked against each other, and it gets its key. */
async function settleState({ policy, plan, passphrase }: RestoreRequest, folder: string): Promise<void> {
  const { manifest } = plan;
  const key =
    plan.key === "here"
      ? readSealingKey(policy.config.places.state)
      : manifest.key === null || passphrase === null
        ? null
        : await decryptKey(manifest.key, passphrase);
  if (key !== null && identityOfKey(key) !== manifest.sealing)
    throw new BackupProblem(
      "The key of this backup is not the one that it was made with. Nothing was changed.",
    );
  if (key !== null)
    writeFileSync(join(folder, sealingKeyFile), key, { mode: 0o600, flag: "wx", flush: true });
  const problem = await settleDatabase(folder, manifest.sealing === null || key !== null);
  if (problem !== null)
    throw new BackupProblem(`The state in the backup cannot be used: ${problem} Nothing was changed.`);
}

async function settleDatabase(folder: string, hasKey: boolean): Promise<string | null> {
  const file = join(folder, "state.db");
  if (!existsSync(file)) return "it has no database.";
  try {
    const database = openDatabase(file, "write");
    try {
      checkDatabase(database, file);
      // A copy that SQLite made has no write-ahead log, and without the key nothing can be told from its fingerprint.
      database.script("PRAGMA journal_mode = WAL");
      if (!hasKey) forgetFingerprints(database);
      await openKeptValues(database).restored.set(true);
      const check = await checkJournal(journalFile(folder), readHead(database) ?? emptyHead);
      return check.ok ? null : `its journal is damaged (${check.problem.what}).`;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof StateProblem) return error.message;
    throw error;
  }
}

/** Drops the fingerprints of private texts, which only the lost key can read; the notes are read anew for them. */
function forgetFingerprints(database: ReturnType<typeof openDatabase>): void {
  for (const table of ["private_fingerprints", "private_files"])
    if (database.get("SELECT 1 FROM sqlite_schema WHERE name = ?", table) !== undefined)
      database.transaction("forced", () => database.run(`DELETE FROM ${table}`));
}
