import type { StoredChange } from "../../../memory/state/changes.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Approval } from "../../../signal/approval.ts";
import type { EarlierChange, EarlierChanges } from "../../../signal/earlier-changes.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { Turn } from "../../../signal/turn.ts";
import { canonicalJson, isJsonObject, type JsonObject, stringsIn } from "../../../text/json.ts";

/**
 * What the calls of a turn changed in files so far, and those of its sub-tasks: by the record that an undo
 * has.
 */
export async function earlierChanges(state: State, turn: Turn): Promise<EarlierChanges> {
  const stored = (await state.changes.withSubTasks(turn.id)).filter(({ undone }) => !undone);
  if (stored.length === 0) return { changes: [], listed: [] };
  const asked = await state.approvals.byTurn(turn.id, turn.session);
  const approvals = asked.filter((one) => one.state === "approved");
  const approved = approvedChanges(turn, approvals);
  const changes = stored.flatMap((change): readonly EarlierChange[] => {
    const { kind, path, before, preImage } = change;
    const wasAsked = approved.has(change.number);
    if (kind === "command") return preImage === null ? [] : [{ kind, set: preImage, wasAsked }];
    if (kind !== "file") return [];
    return [{ kind, path, digest: before, before: () => contents(state, change), wasAsked }];
  });
  return { changes, listed: approvals.flatMap(({ effects }) => effects.flatMap(lostFilesOf)) };
}

/** The files that a question named as lost. What a program may do by its words is no loss yet. */
function lostFilesOf(effect: Effect): readonly string[] {
  const extent = effect.kind === "write-path" ? effect.extent : undefined;
  return extent?.kind === "files" ? extent.shown : [];
}

async function contents(state: State, { preImage }: StoredChange): Promise<Uint8Array | null> {
  const kept = preImage === null ? null : await state.changes.preImage(preImage);
  return kept?.status === "kept" ? kept.bytes : null;
}

/** The numbers of the changes that the owner said yes to: each yes is for one call. */
function approvedChanges(turn: Turn, approvals: readonly Approval[]): ReadonlySet<number> {
  const left = [...approvals];
  const calls = new Map<string, JsonObject>();
  const approved = new Set<number>();
  for (const message of turn.messages) {
    if (message.role === "assistant")
      for (const { id, action } of message.calls) calls.set(id, action.payload);
    if (message.role !== "result") continue;
    const words = wordsOf(calls.get(message.callId) ?? {});
    const at = left.findIndex(({ action }) => wordsOf(action.payload) === words);
    if (at < 0) continue;
    left.splice(at, 1);
    for (const number of message.result.changes ?? []) approved.add(number);
  }
  return approved;
}

/** What a call says, by whatever names it gives to its arguments. */
function wordsOf(payload: JsonObject): string {
  const args = isJsonObject(payload["args"]) ? payload["args"] : payload;
  return canonicalJson([...stringsIn(args)].map(({ text }) => text).toSorted());
}
