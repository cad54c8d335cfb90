import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a build says of itself, in `dist/build.json`. */
export type BuildManifest = {
  /** The version and a digest of the contents: two builds of one version have two ids. */
  readonly id: string;
  readonly version: string;
  /** The version of the database that this build writes. */
  readonly database: number;
  /** The files that it runs on, relative to the root of the installation, with their bytes. */
  readonly files: Readonly<Record<string, number>>;
};

/** Where a build keeps its manifest, relative to its root. */
const manifestFile = join("dist", "build.json");

/**
 * The manifest of the build in a folder; null where there is none that can be read, as while an update
 * writes it.
 */
export function readManifest(root: string): BuildManifest | null {
  const found = readJson(join(root, manifestFile));
  if (typeof found !== "object" || found === null) return null;
  const { id, version, database, files } = found as Partial<BuildManifest>;
  if (typeof id !== "string" || !/^[\w.+-]+$/.test(id) || typeof version !== "string") return null;
  if (typeof database !== "number" || typeof files !== "object" || files === null) return null;
  return { id, version, database, files };
}

/** The first file of a build that is missing or cut short; null where it is whole. */
export function missingFile(root: string, { files }: BuildManifest): string | null {
  return (
    Object.keys(files).find(
      (name) => statSync(join(root, name), { throwIfNoEntry: false })?.size !== files[name],
    ) ?? null
  );
}

/** The value of a JSON file; null where it is missing or does not parse. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
