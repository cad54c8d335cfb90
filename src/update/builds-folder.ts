import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { readJson } from "./build-manifest.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which build of an installation is used. */
export type BuildRecord = {
  /** The build that is installed. */
  readonly installed: string | null;
  /** The build that was used before it, which is kept to go back to. */
  readonly before: string | null;
  /** The build that is used instead of the installed one, since its owner went back; null where none is. */
  readonly instead: string | null;
};

/**
 * Beside the state folder: the builds that run, where the installation has no place for them. Null for a
 * user without a home.
 */
export function ownBuildsFolder(environment: Environment): string | null {
  const given = environment["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(given)) return join(given, "passepartout-builds");
  const home = environment["HOME"] ?? "";
  const own = isAbsolute(home) ? home : homeOfAccount();
  return own === null ? null : join(own, ".local", "state", "passepartout-builds");
}

function homeOfAccount(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch (error) {
    // A user without an entry in the system's list of accounts has none.
    if (error instanceof Error) return null;
    throw error;
  }
}

/**
 * Where the builds of an installation are kept: in a clone in the folder that set-up made, which is on the
 * same disk, so that they are hard links; for a package, whose folder an update replaces whole, beside the
 * state, unless its user has no home.
 */
export function buildsFolderOf(root: string, environment: Environment): string {
  const ofClone = join(root, ".passepartout");
  if (canWrite(ofClone)) return join(ofClone, "builds");
  return ownBuildsFolder(environment) ?? join(root, "builds");
}

/** The name of the folder of a build: two installations of one build do not share it. */
export function buildName(root: string, id: string): string {
  return `${installationName(root)}-${id}`;
}

export function readRecord(builds: string, root: string): BuildRecord {
  const found = readJson(recordFile(builds, root));
  const { installed, before, instead } = Object(found) as Partial<BuildRecord>;
  return { installed: installed ?? null, before: before ?? null, instead: instead ?? null };
}

/** Replaces the record whole. */
export function writeRecord(builds: string, root: string, record: BuildRecord): void {
  const file = recordFile(builds, root);
  mkdirSync(builds, { recursive: true, mode: 0o755 });
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

function recordFile(builds: string, root: string): string {
  return join(builds, `${installationName(root)}.json`);
}

function installationName(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 8);
}

function canWrite(folder: string): boolean {
  if (!existsSync(folder)) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
