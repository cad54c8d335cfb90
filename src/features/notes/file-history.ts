import { join, resolve } from "node:path";
import { realPath } from "../../act/files/real-path.ts";
import { readSet } from "../../act/trial/set-files.ts";
import { setsFolder } from "../../daemon/agent/build-loop.ts";
import { pathOfNote } from "../../memory/notes/folder/notes-folders.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import type { State } from "../../memory/state/state.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { isInside } from "../../text/is-inside.ts";

/** A change that the agent made in a file, by a tool, a command, or an undo of one. */
export type FileHistoryEntry = {
  readonly number: number;
  readonly path: string;
  readonly change: "made" | "changed" | "deleted";
  readonly undone: boolean;
  /** The session, as a person calls it. */
  readonly session: string;
  /** Unix milliseconds at which its turn began, and what was said in it; null of an undo. */
  readonly turn: { readonly at: number; readonly words: string } | null;
};

/**
 * The changes of a file, oldest first. Its name counts from the folder of the command, and from that of the
 * notes.
 */
export async function fileHistory(
  start: StartContext,
  { changes, sessions, turns }: Pick<State, "changes" | "sessions" | "turns">,
  name: string,
): Promise<readonly FileHistoryEntry[]> {
  const policy = loadPolicy(start.environment);
  const named = [resolve(start.cwd, name), pathOfNote(policy.notesPlace, name)];
  const paths = new Set([...named, ...(await Promise.all(named.map((each) => realPath("/", each))))]);
  const entries: FileHistoryEntry[] = [];
  for (const stored of await changes.since(0))
    for (const path of paths) {
      const change = await changeAt(stored, { path, sets: setsFolder(policy) });
      if (change === null) continue;
      const { number, undone } = stored;
      const session = await nameOfSession(sessions, stored.session);
      const turn = await turns.get(stored.turn);
      const said = turn === null ? null : { at: turn.startedAt, words: policy.filter(turn.signal.text) };
      entries.push({ number, path, change, undone, session, turn: said });
    }
  return entries;
}

async function changeAt(
  { kind, path: changed, before, after, preImage }: StoredChange,
  { path, sets }: { readonly path: string; readonly sets: string },
): Promise<FileHistoryEntry["change"] | null> {
  if (kind === "file") return changed === path ? verbOf(before, after) : null;
  if (kind !== "command" || preImage === null || !isInside(changed, path)) return null;
  const set = await readSet(join(sets, preImage));
  const exchange = set?.exchanges.find((each) => isInside(each.path, path));
  return exchange === undefined ? null : verbOf(exchange.was, exchange.becomes);
}

function verbOf(before: string | null, after: string | null): FileHistoryEntry["change"] {
  if (before === null) return "made";
  return after === null ? "deleted" : "changed";
}
