import { join } from "node:path";
import { diffsOfPlaces, nameOf } from "../../act/trial/difference-diffs.ts";
import { readSet } from "../../act/trial/set-files.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import { formatDiffs } from "../../shown/format-diff.ts";
import { diffFile, type FileDiff } from "../../signal/file-diff.ts";
import { isInside } from "../../text/is-inside.ts";
import type { JsonObject } from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";
import type { CommandReply } from "./command-reply.ts";
import { planUndo } from "./plan-undo.ts";
import type { UndoParts } from "./undo-request.ts";

/** Shows what the last turn of a session that changed something changed: what `/undo` would take back. Changes nothing. */
export async function previewUndo(
  parts: UndoParts,
  { session, workspace }: { readonly session: string; readonly workspace: string | null },
): Promise<CommandReply> {
  const { state } = parts;
  const last = await state.changes.latestTurnWithChanges(session);
  if (last === null) {
    const wasUndone = (await state.changes.latestUndo(session)) !== null;
    const rest = wasUndone ? " What an undo before could not take back stands, as it said." : "";
    return { code: "no-changes", text: `/undo has nothing to take back in this session.${rest}` };
  }
  const changes = (await state.changes.ofTurn(last)).filter((change) => !change.undone);
  const { diffs, lines } = await previewChanges(parts, changes, workspace);
  return {
    code: "changes",
    text: ["/undo would take this back:", ...lines].join("\n"),
    data: diffs.map((diff): JsonObject => ({ ...diff })),
  };
}

/** What taking these changes back would do to files, as diffs, and in lines what else there is to say. Changes nothing. */
export async function previewChanges(
  parts: UndoParts,
  changes: readonly StoredChange[],
  workspace: string | null,
): Promise<{ readonly diffs: readonly FileDiff[]; readonly lines: readonly string[] }> {
  const { policy } = parts;
  const { files, conflicts } = await planUndo(parts, changes);
  const diffs: FileDiff[] = [];
  for (const { path, from, after, merged } of files) {
    const before = merged !== undefined ? merged : await contentsOf(parts, after);
    if (before !== undefined) diffs.push(diffFile(path, before, from));
  }
  for (const change of changes.filter(({ kind }) => kind === "command"))
    pushAll(diffs, await diffsOfCommand(parts, change));
  const shown = diffs.map((diff) => ({
    ...diff,
    path: policy.filter(diff.path),
    diff: policy.filter(diff.diff),
  }));
  const memory = changes.some(({ kind }) => kind === "memory") ? ["It also changed memory."] : [];
  return {
    diffs: shown,
    lines: [...formatDiffs(shown, workspace), ...conflicts.map(policy.filter), ...memory],
  };
}

/** The kept contents of a digest: null for no file, undefined where they are not kept. */
async function contentsOf(
  { state }: UndoParts,
  digest: string | null,
): Promise<Uint8Array | null | undefined> {
  if (digest === null) return null;
  const kept = await state.changes.preImage(digest);
  return kept.status === "kept" ? kept.bytes : undefined;
}

/** What a command changed: the versions before it lie in its set. */
async function diffsOfCommand({ sets }: UndoParts, { preImage }: StoredChange): Promise<readonly FileDiff[]> {
  const set = preImage === null ? null : await readSet(join(sets, preImage));
  const places = (set?.exchanges ?? []).map(({ path, was, becomes, aside }) => ({
    path,
    before: was === null || aside === null ? null : join(sets, aside),
    after: becomes === null ? null : path,
  }));
  const diffs = await diffsOfPlaces(places, () => true);
  // What holds nothing that is compared has a name and no lines.
  const names = places.filter(({ path }) => !diffs.some((diff) => isInside(path, diff.path)));
  return [...diffs, ...names.map(nameOf)];
}
