import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, realpathSync, statfsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Environment } from "../../settings/environment.ts";
import type { Policy } from "../../settings/policy.ts";
import { describeBytes } from "../../text/describe-bytes.ts";
import { BackupProblem } from "./backup-problem.ts";
import { isPassing } from "./collect-settings.ts";
import { asideName } from "./folder-moves.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { type FolderMeasure, measurePresent } from "./measure-folder.ts";
import { mountedBelow } from "./mounted-entries.ts";
import { noSink, readBackup } from "./read-backup.ts";
import {
  findRestoredNotes,
  type NotesFolders,
  nearestFolder,
  requirePlaceForNotes,
  settingsName,
} from "./restored-notes.ts";
import { identityOfKey, readSealingKey } from "./sealing-key.ts";
import { walkFiles } from "./walk-files.ts";

/** A folder that a restore replaces. `prefix` begins the names of its files in the backup. */
export type RestoredPlace = {
  readonly kind: "state" | "configuration" | "notes";
  readonly prefix: string;
  readonly place: string;
  /** What the backup has. */
  readonly files: number;
  readonly bytes: number;
  /** What is there now. */
  readonly now: FolderMeasure;
};

/** A file of the settings that a restore changes. */
export type SettingsChange = { readonly path: string; readonly change: "new" | "changed" | "removed" };

/** What a restore would replace by what. */
export type RestorePlan = {
  readonly manifest: Manifest;
  readonly places: readonly RestoredPlace[];
  readonly notes: NotesFolders;
  /** What becomes of each file of the settings: rules, exceptions and the vault are among them. */
  readonly settings: readonly SettingsChange[];
  /** Where the key of sealed contents comes from: there is none, it is here, a passphrase opens it, or nobody has it. */
  readonly key: "none" | "here" | "passphrase" | "missing";
};

/** Bytes that the database of a state needs beside itself to be checked. */
const spare = 1_048_576;

/** Reads a whole backup, checks it, and works out what a restore would replace. Changes nothing. */
export async function planRestore(
  policy: Policy,
  file: string,
  given: {
    readonly notes: boolean;
    /** The variables of this process, which count before the restored settings. */
    readonly environment: Environment;
    readonly onProgress?: (done: number, all: number) => void;
    readonly signal?: AbortSignal;
  },
): Promise<RestorePlan> {
  const settings: Buffer[] = [];
  const notesOf = (manifest: Manifest): NotesFolders => {
    const text = settings.length === 0 ? null : Buffer.concat(settings).toString("utf8");
    return findRestoredNotes(policy, given.environment, { manifest, text });
  };
  const { notes: _, environment: __, ...reading } = given;
  let head: Manifest | null = null;
  const manifest = await readBackup(file, {
    ...reading,
    onManifest(read) {
      requireRoom(placesOf(policy, read, null), read);
      head = given.notes ? read : null;
    },
    onFile({ path }) {
      // The settings come before the notes, and say where these go.
      if (head !== null && path.startsWith("notes/")) {
        requireRoom(placesOf(policy, head, notesOf(head).after), head);
        head = null;
      }
      return path === settingsName
        ? { write: (part) => settings.push(Buffer.from(part)), end: noSink.end }
        : noSink;
    },
  });
  const notes = notesOf(manifest);
  const places = placesOf(policy, manifest, given.notes ? notes.after : null);
  requireRoom(places, manifest);
  if (places.length === 0)
    throw new BackupProblem(
      given.notes
        ? "The backup has no files."
        : "The backup has nothing but notes. Add --notes to restore them.",
    );
  return {
    manifest,
    places,
    notes,
    settings: settingsChanges(manifest, places),
    key: keyOf(policy, manifest),
  };
}

/** `folders`: where notes go; null where they stay out. */
function placesOf(
  policy: Policy,
  manifest: Manifest,
  folders: readonly string[] | null,
): readonly RestoredPlace[] {
  const { state, configuration } = policy.config.places;
  const wanted = manifest.notes.length;
  if (folders !== null && wanted > folders.length)
    throw new BackupProblem(
      `The backup has ${wanted} notes folders (${manifest.notes.join(", ")}), and the settings after it name ${folders.length}. Name as many in MEMEX_DIR.`,
    );
  return [
    { kind: "state" as const, prefix: "state/", folder: state },
    { kind: "configuration" as const, prefix: "configuration/", folder: configuration },
    ...(folders ?? [])
      .slice(0, wanted)
      .map((folder, number) => ({ kind: "notes" as const, prefix: `notes/${number}/`, folder })),
  ].flatMap(({ kind, prefix, folder }) => {
    const files = manifest.files.filter(({ path }) => path.startsWith(prefix));
    if (files.length === 0) return [];
    const place = existsSync(folder) ? realpathSync(folder) : folder;
    return [{ kind, prefix, place, files: files.length, bytes: bytesOf(files), now: measurePresent(place) }];
  });
}

function bytesOf(files: readonly ManifestFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Throws where a folder cannot be replaced by a rename, or where a disk has no room for the new ones beside
 * those that are there.
 */
function requireRoom(places: readonly RestoredPlace[], manifest: Manifest): void {
  for (const { kind, place } of places) {
    if (kind === "notes") requirePlaceForNotes(place);
    else requireOwnMounts(place);
    const parent = nearestFolder(dirname(place));
    if (existsSync(place) && statSync(place).dev !== statSync(parent).dev)
      throw new BackupProblem(
        `${place} is the root of a mounted disk, so nothing can be put in its place. Keep it in a folder of that disk.`,
      );
  }
  const disks = Map.groupBy(places, ({ place }) => statSync(nearestFolder(dirname(place))).dev);
  for (const onDisk of disks.values()) requireRoomOn(onDisk, manifest);
}

function requireRoomOn(places: readonly RestoredPlace[], { files }: Manifest): void {
  const names = places.map(({ place }) => place).join(" and ");
  const { bavail, bsize } = statfsSync(nearestFolder(dirname(places[0]?.place ?? "/")));
  const needed = files
    .filter(({ path }) => places.some(({ prefix }) => path.startsWith(prefix)))
    .reduce((sum, { size }) => sum + Math.ceil(size / bsize) * bsize, spare);
  const free = bavail * bsize;
  if (needed <= free) return;
  throw new BackupProblem(
    `There is no room on the disk of ${names}: what is there stays until all is unpacked, so ${describeBytes(needed)} are needed and ${describeBytes(free)} are free. Free ${describeBytes(needed - free)} or more there.`,
  );
}

/**
 * Throws where something is mounted in a folder of ours that no restore can write through: only a file at its
 * top can be.
 */
function requireOwnMounts(place: string): void {
  for (const path of mountedBelow(place)) {
    if (asideName.test(`/${path.split("/")[0]}`)) continue;
    if (!path.includes("/") && lstatSync(join(place, path)).isFile()) continue;
    throw new BackupProblem(
      `${join(place, path)} is mounted by itself, so nothing can be put in its place. Unmount it, or start the container without it, and restore again. Nothing was changed.`,
    );
  }
}

function settingsChanges(manifest: Manifest, places: readonly RestoredPlace[]): readonly SettingsChange[] {
  const found = places.find(({ kind }) => kind === "configuration");
  if (found === undefined) return [];
  const { place, prefix } = found;
  const coming = new Map(
    manifest.files
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, sha256 }) => [path.slice(prefix.length), sha256]),
  );
  const kept = new Set(manifest.omitted.map(({ path }) => path.slice(prefix.length)));
  const now = existsSync(place)
    ? walkFiles(place, { skip: isPassing, links: true }).files.map((path) => relative(place, path))
    : [];
  const arriving = [...coming].flatMap(([path, sha256]): readonly SettingsChange[] => {
    if (!now.includes(path)) return [{ path, change: "new" }];
    const same =
      createHash("sha256")
        .update(readFileSync(join(place, path)))
        .digest("hex") === sha256;
    return same ? [] : [{ path, change: "changed" }];
  });
  const leaving = now.filter((path) => !coming.has(path) && !kept.has(path));
  return [...arriving, ...leaving.map((path): SettingsChange => ({ path, change: "removed" }))];
}

function keyOf(policy: Policy, { sealing, key }: Manifest): RestorePlan["key"] {
  if (sealing === null) return "none";
  if (identityOfKey(readSealingKey(policy.config.places.state)) === sealing) return "here";
  return key === null ? "missing" : "passphrase";
}
