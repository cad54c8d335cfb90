import { basename } from "node:path";
import { describeLock } from "../memory/notes/locks/lock-file.ts";
import { isJsonObject } from "../signal/json.ts";
import { joinLabels } from "../signal/label.ts";
import type { Turn } from "../signal/turn.ts";
import type { Verdict } from "../signal/verdict.ts";
import type { JudgedCall, PreparedCall } from "./judge-call.ts";
import { labelOfAgent, recordResult } from "./record-result.ts";
import type { DriveParts } from "./turn-ports.ts";

/** A file that may not be written now, and why, in words. */
export type LockedFile = { readonly path: string; readonly why: string };

/** The first file that an action would change and that an editor holds, or that an earlier edit waits for; null if there is none. */
export async function findLockedFile(
  parts: DriveParts,
  turn: Turn,
  { changes }: PreparedCall,
): Promise<LockedFile | null> {
  const waiting = isDeferredEditTurn(turn) ? [] : await parts.state.deferredEdits.all();
  for (const { path } of changes) {
    const lock = await parts.locks.read(path);
    if (lock !== null) return { path, why: describeLock(path, lock) };
    if (waiting.some((edit) => edit.path === path))
      return { path, why: `an earlier edit of ${basename(path)} waits` };
  }
  return null;
}

/** Whether a turn is about an edit that waited for an editor. */
export function isDeferredEditTurn(turn: Turn): boolean {
  return deferredEditId(turn) !== "";
}

/** The waiting edit that a turn is about; empty where it is about none. */
export function deferredEditId({ signal }: Turn): string {
  const { edit } = signal.payload;
  return signal.sensor === "file-changed" && typeof edit === "string" ? edit : "";
}

/** Puts a call off that passed the judge: it is on disk with its result, which says that it waits, and the clients are told. */
export async function deferEdit(
  parts: DriveParts,
  turn: Turn,
  judged: Extract<JudgedCall, { readonly verdict: Verdict }>,
  { path, why }: LockedFile,
): Promise<Turn> {
  const { call, prepared } = judged;
  const name = basename(path);
  const edit = {
    id: parts.newId(),
    turn: turn.id,
    session: turn.session,
    source: turn.signal.source,
    person: turn.signal.person,
    path,
    call,
    label: joinLabels(
      labelOfAgent(turn),
      prepared.resultLabel,
      ...prepared.effects.map(({ label }) => label),
    ),
    base: await parts.locks.keepBase(path),
    approved: turn.approved,
    at: parts.clock(),
  };
  await parts.journal({
    kind: "note",
    turn: turn.id,
    session: turn.session,
    digest: prepared.digest,
    detail: { event: "edit-put-off", path },
  });
  const instead = isDeferredEditTurn(turn) ? deferredEditId(turn) : null;
  const content = {
    path,
    waiting: true,
    text: `Not written yet: ${why}. ${deferralNotice(name)} Do not propose it again.`,
  };
  const next = await recordResult(parts, turn, judged, {
    outcome: { status: "success", content },
    putOff: { edit, instead },
  });
  const where = { session: turn.session, turn: turn.id };
  parts.emit({ type: "thinking", ...where, depth: turn.depth, text: `${why}. ${deferralNotice(name)}` });
  parts.locks.watch((await parts.state.deferredEdits.all()).map((waiting) => waiting.path));
  return next;
}

/** Sentences on the edits of a turn that wait, for the end of its answer; none where the answer names them. */
export function deferralNotices(turn: Turn, answer: string): readonly string[] {
  const names = turn.messages.flatMap((message) => {
    if (message.role !== "result" || message.result.outcome.status !== "success") return [];
    const { content } = message.result.outcome;
    if (!isJsonObject(content) || content["waiting"] !== true) return [];
    return typeof content["path"] === "string" ? [basename(content["path"])] : [];
  });
  return [...new Set(names)].map(deferralNotice).filter((sentence) => !answer.includes(sentence));
}

function deferralNotice(name: string): string {
  return `The edit waits until Emacs lets go of ${name}; then it is looked at again and made.`;
}
