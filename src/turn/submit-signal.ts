import type { State } from "../memory/state/state.ts";
import type { AttachmentMessage } from "../signal/attachment.ts";
import { joinLabels, type Label } from "../signal/label.ts";
import { isJobSignal, isSubTaskSignal, pastesOf, type Signal } from "../signal/signal.ts";
import type { Outcome } from "../signal/tool.ts";
import { isJsonArray } from "../text/json.ts";
import { attachedText, pipeName } from "./attached-text.ts";
import { eventsOfSignal } from "./events-of-signal.ts";
import { type ExpireApprovalParts, expireApprovals } from "./expire-approvals.ts";
import type { AppendToJournal } from "./step-ports.ts";
import { idTakenRefusal, type SubmitResult } from "./submit-result.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** What accepting a signal needs. */
export type SubmitSignalParts = ExpireApprovalParts & {
  readonly state: Pick<State, "accept" | "requests" | "attachments">;
  readonly journal: AppendToJournal;
  /** Masks the configured keys in what is kept. */
  readonly maskKeys: (text: string) => string;
  /** The label that the privacy tags in a text give it. */
  readonly labelOfOutcome: (outcome: Outcome, fromHost: boolean) => Promise<Label>;
  /** The depth at which the turn of a signal stops. */
  readonly depthLimit: (signal: Signal) => number;
  readonly queue: TurnQueue;
  /** Aborted when the process is closing. */
  readonly closing: AbortSignal;
};

/** Accepts a signal: it is on the disk before the turn is announced and queued. */
export async function submitSignal(parts: SubmitSignalParts, signal: Signal): Promise<SubmitResult> {
  if (parts.closing.aborted) {
    return {
      kind: "refused",
      code: "closing",
      text: "Passepartout is closing. Say it again after the next start.",
    };
  }
  const { session, clientId } = signal;
  if (!startsTurn(signal)) {
    await parts.journal({ kind: "note", session, detail: { event: signal.sensor } });
    return { kind: "said", code: "noted", text: "Noted." };
  }
  await expireApprovals(parts);
  const masked = withoutKeys(signal, parts.maskKeys);
  if (clientId !== null && (await parts.state.requests.has({ session, client: clientId })))
    return idTakenRefusal;
  const attached = isJobSignal(signal)
    ? eventsOfSignal(signal)
    : await findAttached(parts.state.attachments, signal);
  if (attached === null) return notAttached;
  const all = [...attached, ...(await pipedWith(parts, signal))];
  const { turn, fresh, clash } = await parts.state.accept(masked, parts.depthLimit(signal), all);
  if (clash === true) return idTakenRefusal;
  parts.emit({ type: "accepted", session: turn.session, turn: turn.id, id: clientId ?? signal.id });
  if (fresh) parts.queue.add(turn);
  return { kind: "turn", turn: turn.id, session: turn.session, fresh };
}

/** Only a person's words, jobs that the owner approved, and sub-tasks start a turn; every other perception is recorded and passes through. */
function startsTurn(signal: Signal): boolean {
  return (
    signal.sensor === "user-input" ||
    signal.sensor === "chat-message" ||
    isJobSignal(signal) ||
    isSubTaskSignal(signal)
  );
}

const notAttached: SubmitResult = {
  kind: "refused",
  code: "no-attachment",
  text: "A file of this message is not attached in this session, or no longer. Nothing was said. Attach it again.",
};

/** The files that came with the words, as they were when the owner attached them; null where one of them is not there. */
async function findAttached(
  attachments: State["attachments"],
  { session, person, payload }: Signal,
): Promise<readonly AttachmentMessage[] | null> {
  const ids = payload["attachments"];
  if (!isJsonArray(ids) || ids.length === 0) return [];
  if (person !== "owner") return null;
  const found = await Promise.all(ids.map((id) => attachments.find(session, String(id))));
  const attached = found.filter((one) => one !== null);
  return attached.length === ids.length ? attached : null;
}

/** What came by a pipe with the words: words of others, however much the owner meant them to be read. */
async function pipedWith(
  { maskKeys, labelOfOutcome }: SubmitSignalParts,
  { payload: { piped } }: Signal,
): Promise<readonly AttachmentMessage[]> {
  if (typeof piped !== "string") return [];
  const text = maskKeys(piped);
  const one = attachedText({ name: pipeName, path: pipeName, text }, "public");
  const tagged = await labelOfOutcome({ status: "success", content: { text } }, false);
  return [{ ...one, label: joinLabels(one.label, tagged) }];
}

/**
 * A key that somebody types is neither kept nor sent. What came by a pipe is kept once, in the message of
 * its own.
 */
function withoutKeys(signal: Signal, maskKeys: (text: string) => string): Signal {
  const text = maskKeys(signal.text);
  const { piped, ...payload } = signal.payload;
  if (text === signal.text && piped === undefined) return signal;
  const pastes = pastesOf(signal).map(maskKeys);
  return { ...signal, text, payload: { ...payload, text, ...(pastes.length > 0 && { pastes }) } };
}
