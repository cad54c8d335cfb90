import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildManifest, missingFile, readJson, readManifest } from "./build-manifest.ts";

export type { BuildManifest } from "./build-manifest.ts";

import { buildName, readRecord } from "./builds-folder.ts";

/** The build that this process runs on, kept apart from the installation that it was made of. */
export type OwnBuild = BuildManifest & {
  /** The root of the installation. */
  readonly root: string;
  /** Where builds are kept. */
  readonly builds: string;
};

/**
 * The build that this process runs on; null where it runs on sources, or on the files of the installation.
 */
export function findOwnBuild(): OwnBuild | null {
  const folder = programFolder();
  const { root } = Object(readJson(join(folder, "origin.json"))) as { readonly root?: unknown };
  const manifest = typeof root === "string" ? readManifest(folder) : null;
  return manifest === null ? null : { ...manifest, root: String(root), builds: dirname(folder) };
}

/** The installation that this process was started from: a package or a clone. */
export function installationRoot(): string {
  return findOwnBuild()?.root ?? programFolder();
}

/**
 * The installation that this process runs on itself, since its build could not be kept; null where it runs
 * on a kept build, or on sources.
 */
export function unkeptInstallation(): string | null {
  return import.meta.url.endsWith(".ts") || findOwnBuild() !== null ? null : programFolder();
}

/** The folder that holds what this process runs on: a kept build, a package or a clone. */
export function programFolder(): string {
  const above = import.meta.url.endsWith(".ts") ? "../.." : "..";
  return join(dirname(fileURLToPath(import.meta.url)), above);
}

/** A build that takes the place of the one that runs: it is installed, or its owner went back to it. */
export type OtherBuild = BuildManifest & { readonly isInstalled: boolean };

/**
 * The build that a start would run on now, where it is another one than the build of this process; null
 * where it is the same, or not whole.
 */
export function findOtherBuild({ id, root, builds }: OwnBuild): OtherBuild | null {
  const installed = readManifest(root);
  if (installed === null) return null;
  const record = readRecord(builds, root);
  const goesBack = record.installed === installed.id && record.instead !== null;
  const place = goesBack ? join(builds, buildName(root, record.instead)) : root;
  const wanted = goesBack ? readManifest(place) : installed;
  const isOther = wanted !== null && wanted.id !== id && missingFile(place, wanted) === null;
  return isOther ? { ...wanted, isInstalled: !goesBack } : null;
}
