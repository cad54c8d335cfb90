import { existsSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import type { State } from "../../memory/state/state.ts";
import type { NotePlace } from "../../perceive/notes-request.ts";
import type { Policy } from "../../settings/policy.ts";
import { formatFileFocus, readFileFocus } from "../../signal/file-focus.ts";
import { isInside } from "../../text/is-inside.ts";
import type { CommandReply } from "./command-reply.ts";
import type { NoteLookups } from "./note-lookups.ts";

/** What setting the focus needs. */
export type FocusParts = Pick<NoteLookups, "hasNote" | "noteAt"> & {
  readonly state: Pick<State, "sessions">;
  readonly policy: Pick<Policy, "isSecretPath" | "folders">;
};

const noFocus: CommandReply = {
  code: "no-focus",
  text: "No note is in focus. /focus ID sets one; /search finds ids.",
};

/** Shows the focus of a session, or sets it to a note. */
export async function focus(
  { state, hasNote }: FocusParts,
  session: string,
  id: string | null,
): Promise<CommandReply> {
  if (id === null) {
    const current = (await state.sessions.get(session))?.focus ?? null;
    return current === null ? noFocus : inFocus(current);
  }
  if (!(await hasNote(id))) return { code: "not-done", text: `There is no note ${id}. /search finds ids.` };
  return setFocus(state, session, id);
}

/**
 * Sets the focus to what stands at a place: a note, else a file of the workspace, of which the model is told
 * the name alone. Without a place it takes the focus away.
 */
export async function focusAt(
  { state, noteAt, policy }: FocusParts,
  { session, workspace }: { readonly session: string; readonly workspace: string | null },
  place: NotePlace | null,
): Promise<CommandReply> {
  if (place === null) {
    await state.sessions.setFocus(session, null);
    return noFocus;
  }
  const note = await noteAt(place);
  if (note !== null) return setFocus(state, session, note);
  const { file, line } = place;
  const path = existsSync(file) ? realpathSync(file) : null;
  const isClosed =
    path === null || policy.isSecretPath(path) || policy.folders.own.some((own) => isInside(own, path));
  if (isClosed || workspace === null || !isInside(workspace, path))
    return {
      code: "not-done",
      text: `${file} is neither a note nor a file of the workspace that may be read, so that the focus stays.`,
    };
  return setFocus(state, session, formatFileFocus({ path, line }));
}

/** A focus as a person reads it. */
export function shownFocus(focus: string, workspace: string | null): string {
  const file = readFileFocus(focus);
  if (file === null) return focus;
  return `${workspace === null ? file.path : relative(workspace, file.path)}, line ${file.line}`;
}

async function setFocus(state: FocusParts["state"], session: string, to: string): Promise<CommandReply> {
  await state.sessions.setFocus(session, to);
  return inFocus(to);
}

function inFocus(what: string): CommandReply {
  return { code: "in-focus", text: `In focus: ${shownFocus(what, null)}` };
}
