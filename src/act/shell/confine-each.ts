import { isInside } from "../../signal/is-inside.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import { confine, type ProtectedPathsSearch } from "./confine.ts";
import { approvedChanges, tooManyToLock } from "./guard-workspace.ts";
import { type LaterGuard, lockedPaths } from "./later-guard.ts";
import type { LineNetwork } from "./network.ts";
import type { PlannedCommand } from "./plan.ts";
import { startedProgram } from "./programs/unwrap-words.ts";
import { findProtectedPaths, type ProtectedPaths } from "./protected-paths.ts";
import type { Execution } from "./shell-ports.ts";

/** What was opened and looked up for a line: how folders are searched, what of the workspace is executed later, and the network. */
export type Looks = {
  readonly search: ProtectedPathsSearch;
  readonly guard: LaterGuard | null;
  readonly network: LineNetwork;
};

/** What each command may see: what it was judged to need, and nothing that only another command of the line needs. */
export async function confineEach(
  commands: readonly PlannedCommand[],
  { ports, given, overlay }: Execution,
  { search, guard }: Looks,
): Promise<ReadonlyMap<PlannedCommand, Confinement> | string> {
  const views = new Map<PlannedCommand, Confinement>();
  const isProved = commands.every(({ proof }) => proof !== null);
  const identity = isProved ? [] : ((await ports.gitIdentity?.()) ?? []);
  for (const command of commands) {
    const later = guard === null ? { locked: [], pinned: [] } : lockedPaths(guard, approvedChanges(command));
    if (later === null) return tooManyToLock(given.workspace ?? "");
    const view = await confine({
      cwd: given.cwd,
      workspace: given.workspace,
      harmless: command.proof !== null,
      reads: command.reads.filter(({ path }) => command.proof !== null || !ports.isSecretPath(path)),
      needsWholeWorkspace: /^(?:git|df|file)$/.test(startedProgram(command.argv)),
      programs: [
        ...foreignProgram(command.binary?.path ?? "", command.binary?.real ?? "", given.workspace),
        ...(command.proof === null ? identity : []),
      ],
      hidden: ports.hidden.filter((path) => ports.locked?.includes(path) !== true),
      locked: ports.locked ?? [],
      search,
      overlaid: overlay !== null,
      later,
      environment: new Map(),
    });
    if (typeof view === "string") return view;
    views.set(command, view);
  }
  return views;
}

/** Searches each folder once for all commands of a line. */
export function rememberSearches(isSecretPath: (path: string) => boolean): ProtectedPathsSearch {
  const known = new Map<string, Promise<ProtectedPaths>>();
  return (folder, limit) => {
    const key = `${limit ?? ""} ${folder}`;
    const found = known.get(key) ?? findProtectedPaths(folder, isSecretPath, limit);
    known.set(key, found);
    return found;
  };
}

/** A program outside the system folders and the workspace: only its own file becomes visible. */
function foreignProgram(
  path: string,
  real: string,
  workspace: string | null,
): readonly { from: string; to: string }[] {
  const known = ["/usr", "/bin", "/sbin", ...(workspace === null ? [] : [workspace])];
  return [path, real]
    .filter((file) => file !== "" && !known.some((folder) => isInside(folder, file)))
    .map((to) => ({ from: real, to }));
}
