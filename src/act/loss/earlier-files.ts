import { dirname, join, resolve } from "node:path";
import type { EarlierChange, EarlierChanges } from "../../signal/earlier-changes.ts";
import type { CommandOverlays } from "../trial/command-overlays.ts";
import { filesAt, type Version, versionOf } from "../trial/lost-files.ts";

/** What tells what a command displaced; left out where no command runs over an overlay. */
export type LossPorts = { readonly overlays?: Pick<CommandOverlays, "displacedBy"> | undefined };

/** What a turn found at a path. */
export type FoundFile = {
  /** Null where it is no longer kept. */
  readonly version: () => Promise<Version | null>;
  readonly holds: (other: Version) => Promise<boolean>;
};

/** The files that a turn changed so far. */
export type EarlierFiles = {
  /** What the owner did not say yes to, with what the turn found there. */
  readonly found: ReadonlyMap<string, FoundFile>;
  /**
   * Files and folders of which nothing is left to be lost: what the turn made, and what a question listed.
   */
  readonly made: ReadonlySet<string>;
};

/** Files of one folder that are looked at. */
export const mostOfFolder = 2_000;

/**
 * What a turn found at the paths that it changed, each at its first change. `folder`: from which questions
 * name them.
 */
export async function earlierFiles(
  { changes, listed }: EarlierChanges,
  folder: string,
  ports: LossPorts,
): Promise<EarlierFiles> {
  const found = new Map<string, FoundFile>();
  const made = new Set(listed.map((name) => resolve(folder, name)));
  for (const change of changes)
    for (const [path, file] of await changedBy(change, ports)) {
      if (found.has(path) || isAtOrBelow(made, path)) continue;
      if (file === null) made.add(path);
      else if (!change.wasAsked) found.set(path, file);
    }
  return { found, made };
}

/** Whether a path, or a folder that it is in, is one of a set. */
export function isAtOrBelow(paths: ReadonlySet<string>, path: string): boolean {
  const above = dirname(path);
  return paths.has(path) || (above !== path && isAtOrBelow(paths, above));
}

type Changed = readonly [path: string, found: FoundFile | null];

/** What was at the paths that a call changed; null where nothing was. */
async function changedBy(change: EarlierChange, { overlays }: LossPorts): Promise<readonly Changed[]> {
  if (change.kind === "file") {
    const { path, digest, before } = change;
    const version = async (): Promise<Version | null> => {
      const bytes = await before();
      return bytes === null ? null : versionOf(bytes);
    };
    const holds = async (other: Version): Promise<boolean> => (await other.digest()) === digest;
    return [[path, digest === null ? null : { version, holds }]];
  }
  const changed: Changed[] = [];
  for (const { path, kept } of (await overlays?.displacedBy(change.set)) ?? []) {
    if (kept === null) changed.push([path, null]);
    else if (!change.wasAsked)
      for (const [inside, file] of await filesAt(kept, mostOfFolder))
        changed.push([join(path, inside), foundFile(file ?? versionOf(new Uint8Array()))]);
  }
  return changed;
}

function foundFile(version: Version): FoundFile {
  return {
    version: async () => version,
    holds: async (other) =>
      version.size === other.size && (await version.digest()) === (await other.digest()),
  };
}
