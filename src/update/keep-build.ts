import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { type BuildManifest, missingFile, readManifest } from "./build-manifest.ts";
import { isUsed, namesIn, useBuild } from "./build-users.ts";
import { buildName, buildsFolderOf, readRecord, writeRecord } from "./builds-folder.ts";

/** The build that a process runs on. */
export type KeptBuild = {
  readonly folder: string;
  /** Its own Node, where the installation brings one. */
  readonly node: string | null;
};

/** An installation of which a part is missing, as while an update writes it. */
export class InstallationProblem extends Error {}

/** What lies beside the files of the manifest and is taken along where it is there. */
const beside = ["package.json", "CHANGELOG.md", join("dist", "build.json")];

/** Says of which installation a kept build is. */
const originFile = "origin.json";
const nodePlace = join("runtime", "bin", "node");

/**
 * Keeps the build of an installation in a folder of its own, where an update of the installation does not
 * reach it, and notes that this process uses it. Hard links take no room; across disks it is copied. Builds
 * that nobody uses are removed, but for the one before the installed one. Null where nothing can be kept, as
 * on a read-only disk, or one on which a copy would take the last room. Throws an `InstallationProblem`
 * where the installation is not whole.
 */
export function keepBuild(root: string, environment: NodeJS.ProcessEnv): KeptBuild | null {
  const builds = buildsFolderOf(root, environment);
  const manifest = readManifest(root);
  try {
    if (manifest === null) throw new InstallationProblem(notWhole(root, join("dist", "build.json")));
    return useKept(chooseBuild({ root, builds, manifest }));
  } catch (error) {
    const { instead } = readRecord(builds, root);
    if (
      error instanceof InstallationProblem &&
      instead !== null &&
      keptBuildOf(root, builds, instead) !== null
    )
      return useKept(join(builds, buildName(root, instead)));
    if (manifest === null || error instanceof InstallationProblem || !isRefused(error)) throw error;
    const missing = missingFile(root, manifest);
    if (missing !== null) throw new InstallationProblem(notWhole(root, missing), { cause: error });
    return null;
  }
}

/**
 * Tries again to keep the build of an installation that its processes run on. Gives the folder and the
 * system's refusal; null where a start keeps it now.
 */
export function findKeepingProblem(
  root: string,
  environment: NodeJS.ProcessEnv,
): { readonly builds: string; readonly refusal: Error } | null {
  const manifest = readManifest(root);
  if (manifest === null) throw new InstallationProblem(notWhole(root, join("dist", "build.json")));
  const builds = buildsFolderOf(root, environment);
  try {
    useKept(chooseBuild({ root, builds, manifest }));
    return null;
  } catch (error) {
    if (error instanceof InstallationProblem || !isRefused(error)) throw error;
    return { builds, refusal: error };
  }
}

/**
 * The folder of the kept build before the installed one; null where there is none, or where it is used
 * already.
 */
export function buildBefore(root: string, environment: NodeJS.ProcessEnv): string | null {
  const builds = buildsFolderOf(root, environment);
  const { before, instead } = readRecord(builds, root);
  return before === null || instead !== null ? null : keptBuildOf(root, builds, before);
}

/** The id of the build that was used last, where it is kept; null where none is. */
export function lastBuild(root: string, environment: NodeJS.ProcessEnv): string | null {
  const builds = buildsFolderOf(root, environment);
  const { installed } = readRecord(builds, root);
  return installed !== null && keptBuildOf(root, builds, installed) !== null ? installed : null;
}

/**
 * Has a kept build run from the next start on, though the installation is not whole, until another is
 * installed.
 */
export function useInstead(root: string, environment: NodeJS.ProcessEnv, id: string): void {
  const builds = buildsFolderOf(root, environment);
  writeRecord(builds, root, { ...readRecord(builds, root), instead: id });
}

/** The folder of the build that is used instead of the installed one; null where that itself is used. */
export function buildInstead(root: string, environment: NodeJS.ProcessEnv): string | null {
  const builds = buildsFolderOf(root, environment);
  const { installed, instead } = readRecord(builds, root);
  const isNew = installed !== readManifest(root)?.id;
  return isNew || instead === null ? null : keptBuildOf(root, builds, instead);
}

function keptBuildOf(root: string, builds: string, id: string): string | null {
  const folder = join(builds, buildName(root, id));
  return isKept(folder) ? folder : null;
}

/** Whether a folder is that of a kept build: what runs there started this process. */
export function isKept(root: string): boolean {
  return existsSync(join(root, originFile));
}

/** Notes that this process uses a kept build. */
export function useKept(folder: string): KeptBuild {
  useBuild(folder);
  const ofNode = dirname(dirname(dirname(process.execPath)));
  // The build before may have brought the Node that this process was started with.
  if (ofNode !== folder && isKept(ofNode)) useBuild(ofNode);
  const node = join(folder, nodePlace);
  return { folder, node: existsSync(node) ? node : null };
}

type Installed = { readonly root: string; readonly builds: string; readonly manifest: BuildManifest };

function chooseBuild(installed: Installed): string {
  const { root, builds, manifest } = installed;
  const record = readRecord(builds, root);
  const isNew = record.installed !== manifest.id;
  const instead = isNew || record.instead === null ? null : keptBuildOf(root, builds, record.instead);
  if (instead !== null) return instead;
  const folder = join(builds, buildName(root, manifest.id));
  if (!existsSync(folder)) makeBuild(installed, folder);
  if (isNew) {
    writeRecord(builds, root, { installed: manifest.id, before: record.installed, instead: null });
    useBuild(folder);
    sweepBuilds(builds, root);
  }
  return folder;
}

/**
 * Removes the builds that nobody uses; of the named installation, the installed one and the one before it
 * stay.
 */
function sweepBuilds(builds: string, root: string): void {
  const record = readRecord(builds, root);
  const kept = [record.installed, record.before, record.instead].map((id) => buildName(root, id ?? ""));
  for (const name of namesIn(builds)) {
    const folder = join(builds, name);
    if ((isKept(folder) && !kept.includes(name) && !isUsed(folder)) || isHalfMade(folder))
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether this is what a kill left of a build that was made here. */
function isHalfMade(folder: string): boolean {
  if (isKept(folder) || !/\.\d+$/.test(folder)) return false;
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > longestMaking;
}

/** Milliseconds that the making of a build may take. */
const longestMaking = 3_600_000;

/**
 * Makes the folder of a build; a kill at any point leaves none or a whole one, and what the next update
 * removes.
 */
function makeBuild({ root, builds, manifest }: Installed, folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  const missing = missingFile(root, manifest);
  if (missing !== null) throw new InstallationProblem(notWhole(root, missing));
  try {
    fillBuild({ root, builds, manifest }, fresh);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process has just made it.
    if (!existsSync(folder)) throw error;
  }
}

function fillBuild({ root, builds, manifest }: Installed, fresh: string): void {
  const there = beside.filter((name) => existsSync(join(root, name)));
  let copied = false;
  for (const name of [...Object.keys(manifest.files), ...there])
    copied = place(join(root, name), join(fresh, name)) === "copied" || copied;
  const node = realpathSync(process.execPath);
  if (!relative(root, node).startsWith("..")) placeNode(node, { builds, to: join(fresh, nodePlace) });
  writeFileSync(join(fresh, originFile), `${JSON.stringify({ root, node: process.execPath })}\n`);
  if (missingFile(fresh, manifest) !== null)
    throw new InstallationProblem(notWhole(root, missingFile(root, manifest) ?? "dist"));
  // A power cut would leave empty files in the place of copies.
  if (copied) writeBack(fresh);
}

/**
 * Has the system write a file system to its disk. Few starts need it, so that what it takes is loaded here.
 */
function writeBack(folder: string): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  spawnSync("/bin/sync", process.platform === "linux" ? ["-f", folder] : []);
}

/** Bytes that a copy leaves free on its disk: the state needs them more. */
const roomLeft = 64 * 1024 * 1024;

class NoRoom extends Error {
  readonly code = "ENOSPC";
  constructor(folder: string) {
    super(`no room is left to copy a build to ${folder}`);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Links a file to a place, or copies it where that cannot be. */
function place(from: string, to: string): "linked" | "copied" {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  try {
    linkSync(from, to);
    return "linked";
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (freeBytes(dirname(to)) < statSync(from).size + roomLeft) throw new NoRoom(dirname(to));
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    return "copied";
  }
}

/** Node is large: across disks there is one copy of it for all builds. */
function placeNode(node: string, { builds, to }: { readonly builds: string; readonly to: string }): void {
  const { size, mtime } = statSync(node);
  const copy = namesIn(builds)
    .map((name) => join(builds, name, nodePlace))
    .find((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found?.size === size && Math.abs(found.mtimeMs - mtime.getTime()) < 1000;
    });
  if (copy === undefined || place(copy, to) === "copied") {
    rmSync(to, { force: true });
    if (place(node, to) === "copied") utimesSync(to, mtime, mtime);
  }
}

function notWhole(root: string, name: string): string {
  return `the installation ${root} is not whole (${name} is missing or cut): an update may be under way. Try again in a moment; if it stays, install it again (npm install --global with its package; in a clone, npm run build).`;
}

/** Whether the system refuses to write: the disk is full or read-only, or the folder is somebody else's. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
