import type { Notes } from "../../../memory/notes/open-notes.ts";
import { isInside } from "../../../signal/is-inside.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { McpServer } from "../../../signal/mcp-server.ts";

/**
 * Gives the label of what a server on this machine was granted: private where it may read a private note. It
 * may tell of it in any result and in any encoding, so its results are known by the grant and not by their
 * text.
 */
export function makeLabelOfGrants(notes: Pick<Notes, "index" | "pathOf" | "ready">) {
  /** For each list of grants the root of the notes for which it was found out. */
  const known = new Map<string, { readonly root: string; readonly isPrivate: boolean }>();
  return async ({ transport, grants: { read, write } }: McpServer): Promise<Label> => {
    const granted = transport.kind === "stdio" ? [...read, ...write] : [];
    if (granted.length === 0) return bottomLabel;
    await notes.ready();
    const key = JSON.stringify(granted);
    const root = await notes.index.root();
    const before = known.get(key);
    const isPrivate = before?.root === root ? before.isPrivate : await holdsPrivateNote(notes, granted);
    known.set(key, { root, isPrivate });
    return isPrivate ? { ...bottomLabel, secrecy: "private" } : bottomLabel;
  };
}

async function holdsPrivateNote(
  notes: Pick<Notes, "index" | "pathOf">,
  granted: readonly string[],
): Promise<boolean> {
  for (const { path } of await notes.index.files()) {
    const real = notes.pathOf(path);
    if (!granted.some((folder) => isInside(folder, real))) continue;
    const nodes = await notes.index.nodesInFile(path);
    if (nodes.some(({ label }) => label.secrecy !== "public")) return true;
  }
  return false;
}
