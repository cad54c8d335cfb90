import type { DeclaredChange } from "../../signal/kept-guard.ts";
import { type LaterGuard, lockedPaths, openLaterGuard } from "./later-guard.ts";
import type { PlannedCommand } from "./plan.ts";

/** Looks at what is executed later in a workspace before a confined line runs that may write. Null without a workspace; in words why it cannot be guarded. */
export async function guardWorkspace(
  workspace: string | null,
  allowed: readonly DeclaredChange[],
): Promise<LaterGuard | null | string> {
  if (workspace === null || workspace === "/") return null;
  const guard = await openLaterGuard(workspace, allowed);
  return guard === null || lockedPaths(guard, []) === null ? tooManyToLock(workspace) : guard;
}

/** Says that a command cannot run since what is executed later cannot be locked. */
export function tooManyToLock(workspace: string): string {
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
