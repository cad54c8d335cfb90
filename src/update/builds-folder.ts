import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
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

/** Beside the state folder: the builds that run, where the installation has no place for them. */
export function ownBuildsFolder(environment: Environment): string {
  const given = environment["XDG_STATE_HOME"] ?? "";
  const home = environment["HOME"] ?? "";
  const state = isAbsolute(given) ? given : join(isAbsolute(home) ? home : homedir(), ".local", "state");
  return join(state, "passepartout-builds");
}

/**
 * Where the builds of an installation are kept: in a clone in the folder that set-up made, which is on the
 * same disk, so that they are hard links; for a package, whose folder an update replaces whole, beside the
 * state.
 */
export function buildsFolderOf(root: string, environment: Environment): string {
  const ofClone = join(root, ".passepartout");
  return canWrite(ofClone) ? join(ofClone, "builds") : ownBuildsFolder(environment);
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
