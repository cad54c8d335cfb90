import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockState } from "../../memory/storage/lock-state.ts";
import type { Policy } from "../../settings/policy.ts";
import { isInside } from "../../text/is-inside.ts";
import { BackupProblem } from "./backup-problem.ts";
import { type FolderMeasure, measureAll } from "./measure-folder.ts";
import { restoreFolder } from "./pending-restore.ts";
import { notesFoldersOf } from "./write-backup.ts";

/** Something that this program wrote outside of the notes folders. */
export type Written = FolderMeasure & {
  readonly path: string;
  readonly what: string;
  /** What a link leads to, which goes with it; null where the path is no link. */
  readonly target: string | null;
};

/** All that was ever written outside of the notes folders, and what a purge leaves where it is. */
export type PurgePlan = {
  readonly written: readonly Written[];
  /** The name of the vault's passphrase in the system's keyring. */
  readonly keyringEntry: string | null;
  readonly left: readonly { readonly path: string; readonly why: string }[];
};

/** What other parts of the program wrote; null for what is not there. */
type OtherPlaces = {
  /** The file of the installed service. */
  readonly service?: string | null;
  /** The folder of the builds that processes run on. */
  readonly builds?: string | null;
};

/**
 * Finds all that was ever written outside of the notes folders. Changes nothing. Throws a `BackupProblem`
 * where notes are in there.
 */
export function planPurge(policy: Policy, { service = null, builds = null }: OtherPlaces = {}): PurgePlan {
  const { state, configuration, runtime } = policy.config.places;
  const notes = notesFoldersOf(policy);
  const places: readonly (readonly [path: string, what: string])[] = [
    ...(service === null ? [] : [[service, "the service, which is stopped first"] as const]),
    [configuration, "settings, rules and the vault"],
    ...notes
      .flatMap((folder) => leftOfRestores(folder, "incoming"))
      .map((path) => [path, "left by a restore that was killed"] as const),
    ...leftOfRestores(configuration, "out").map(
      (path) => [path, "left by a restore that was killed"] as const,
    ),
    ...(isInside(state, runtime) ? [] : [[runtime, "the agent's socket"] as const]),
    [restoreFolder(state), "what is known of restores"],
    ...leftOfRestores(state, "out").map((path) => [path, "left by a restore that was killed"] as const),
    [state, "conversations, journal, memory, and earlier contents of files"],
    ...(builds === null
      ? []
      : [[builds, "builds that the program runs on; the next start makes one again"] as const]),
  ];
  const written = places.flatMap(([path, what]) =>
    isThere(path) ? [{ path, what, target: targetOf(path), ...measureAll(targetOf(path) ?? path) }] : [],
  );
  for (const { path } of written) refuseNotes(path, notes);
  return {
    written,
    keyringEntry: policy.config.vault.status().keyringEntry,
    left: [
      ...notes.filter(existsSync).map((path) => ({ path, why: "your notes" })),
      ...notes
        .flatMap((folder) => leftOfRestores(folder, "before-restore"))
        .map((path) => ({ path, why: "your notes as they were before a restore" })),
    ],
  };
}

/**
 * Removes what a plan names, in its order: keys and settings first, the state after them. Throws a
 * `BackupProblem` where an agent runs.
 */
export function purge(policy: Policy, { written }: PurgePlan): void {
  const { state } = policy.config.places;
  using _state = lockState(state, "removed");
  for (const each of written) removeWhole(each);
  rmSync(state, { recursive: true, force: true });
}

function removeWhole({ path, target }: Written): void {
  if (target !== null) rmSync(target, { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

function targetOf(path: string): string | null {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && existsSync(path) ? realpathSync(path) : null;
}

function leftOfRestores(place: string, kind: "incoming" | "out" | "before-restore"): readonly string[] {
  const folder = dirname(place);
  const name = new RegExp(`^\\.${kind}-\\d{8}-\\d{6}$`);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry.startsWith(basename(place)) && name.test(entry.slice(basename(place).length)))
    .map((entry) => join(folder, entry));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function refuseNotes(path: string, notes: readonly string[]): void {
  const real = existsSync(path) ? realpathSync(path) : path;
  const inside = notes.find((folder) => existsSync(folder) && isInside(real, realpathSync(folder)));
  if (inside !== undefined)
    throw new BackupProblem(
      `Your notes ${inside} are in ${path}, which would be removed. Nothing was removed: move them elsewhere first.`,
    );
}
