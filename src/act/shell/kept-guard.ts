import { lstat } from "node:fs/promises";
import type { DeclaredChange, KeptGuard, KeptGuards } from "../../signal/kept-guard.ts";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { type LaterGuard, takeBackUnapproved } from "./later-guard.ts";

/** Milliseconds for what follows a line: that its changes come from an overlay into the workspace. */
const ending = 10_000;

/** Keeps a guard until the function that it gives is called. `milliseconds` is the longest time of the line. */
export async function keepGuard(
  guards: KeptGuards | undefined,
  guard: LaterGuard | null,
  { allowed, milliseconds }: { readonly allowed: readonly DeclaredChange[]; readonly milliseconds: number },
): Promise<() => Promise<void>> {
  if (guards === undefined || guard === null) return async () => {};
  const { named, links, privileged } = guard.before;
  const id = await guards.keep({
    workspace: guard.workspace,
    named: [...named.keys()],
    links: [...links],
    privileged: [...privileged],
    allowed,
    until: Date.now() + milliseconds + ending,
  });
  return () => guards.drop(id);
}

/**
 * Looks at the workspaces of lines that a killed agent did not look at, and takes back what nobody approved, as after a line that ended. What was made
 * or changed later than a line can have run is the owner's own. Gives what was done, for the owner.
 */
export async function closeKeptGuards(guards: KeptGuards): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const { id, item: guard } of await guards.all()) {
    if (await isFolder(guard.workspace)) pushAll(notes, await closeKept(guard));
    await guards.drop(id);
  }
  return notes;
}

async function closeKept({ workspace, allowed, until, ...kept }: KeptGuard): Promise<readonly string[]> {
  const before = {
    named: new Set(kept.named),
    links: new Map(kept.links),
    privileged: new Set(kept.privileged),
  };
  const taken = await takeBackUnapproved({ workspace, before }, allowed, (path) => isOlder(path, until));
  return taken.notes;
}

/** Whether a path was there in this form before a time. A folder changes with what is put into it, so of a folder the making counts. */
async function isOlder(path: string, time: number): Promise<boolean> {
  const found = await lstat(bytesOfPath(path)).catch(() => null);
  if (found === null) return false;
  return (found.isDirectory() ? found.birthtimeMs : found.ctimeMs) <= time;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}
