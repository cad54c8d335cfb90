import type { DeclaredChange } from "./declared-changes.ts";
import { type LaterGuard, lockedPaths, openLaterGuard } from "./later-guard.ts";
import type { PlannedCommand } from "./plan.ts";

/** The time that bubblewrap needs grows with the square of the number of locked paths: one to two seconds for these. */
const mostMounts = 600;

/** Looks at what is executed later in a workspace before a confined line runs that may write. Null without a workspace; in words why it cannot be guarded. */
export async function guardWorkspace(workspace: string | null): Promise<LaterGuard | null | string> {
  if (workspace === null || workspace === "/") return null;
  const guard = await openLaterGuard(workspace);
  const { locked, pinned } = guard === null ? { locked: [], pinned: [] } : lockedPaths(guard, []);
  if (guard !== null && locked.length + pinned.length <= mostMounts) return guard;
  return `The workspace ${workspace} has too many files that are executed later, or too many files to look for them. Start the session in a smaller folder.`;
}

/** The changes of what is executed later that the approval of a command covers: those that it declares, and the files of its redirections. */
export function approvedChanges({
  changes,
  writes,
}: Pick<PlannedCommand, "changes" | "writes">): readonly DeclaredChange[] {
  return [
    ...changes.map(({ change }) => change),
    ...writes.map(({ path }): DeclaredChange => ({ kind: "path", path })),
  ];
}
