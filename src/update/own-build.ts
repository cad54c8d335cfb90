import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildManifest, readJson, readManifest } from "./build-manifest.ts";

/** The build that this process runs on, kept apart from the installation that it was made of. */
export type OwnBuild = BuildManifest & {
  /** The root of the installation. */
  readonly root: string;
  /** Where builds are kept. */
  readonly builds: string;
};

/** The build that this process runs on; null where it runs on sources, or on the files of the installation. */
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

/** The folder that holds what this process runs on: a kept build, a package or a clone. */
export function programFolder(): string {
  const above = import.meta.url.endsWith(".ts") ? "../.." : "..";
  return join(dirname(fileURLToPath(import.meta.url)), above);
}
