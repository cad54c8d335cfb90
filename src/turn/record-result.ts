import type { TurnStep } from "../memory/state/steps.ts";
import type { Call } from "../signal/action.ts";
import { countDiffs } from "../signal/count-diffs.ts";
import { type Effect, requiresForcedIntent } from "../signal/effect.ts";
import type { FileDiff } from "../signal/file-diff.ts";
import { bottomLabel, type FieldLabel, joinLabels, type Label } from "../signal/label.ts";
import { maskValue } from "../signal/mask-values.ts";
import type { Message } from "../signal/message.ts";
import { noPermission } from "../signal/no-permission.ts";
import type { Outcome, ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { Json } from "../text/json.ts";
import { type JudgedCall, toolNameOf } from "./judge-call.ts";
import type { ClientPorts, JudgeTelling, StepPorts } from "./step-ports.ts";

/** What keeping a result needs. */
export type RecordResultParts = StepPorts &
  ClientPorts & {
    readonly judgeTelling: JudgeTelling;
    /** Whether the owner silenced a target: what succeeded there is neither shown nor fed back in full. */
    readonly isSilent: (name: string) => boolean;
    /** The label that the privacy tags in an outcome give it, whatever tool it comes from. `fromHost`: whether a host sent it. */
    readonly labelOfOutcome: (outcome: Outcome, fromHost: boolean) => Promise<Label>;
    /** The real paths of the files that a call read, or that its outcome names. */
    readonly filesRead: (
      turn: Turn,
      effects: readonly Effect[],
      outcome: Outcome,
    ) => Promise<readonly string[]>;
    /** Masks the configured keys in what is kept. */
    readonly maskKeys: (text: string) => string;
  };

/** The outcome of a call, with the edit that is still to be made where it was deferred. */
export type CallOutcome = {
  readonly outcome: Outcome;
  /** How long it ran; left out of what did not run. */
  readonly milliseconds?: number;
  /** What it changed in files, as it is shown to its owner. */
  readonly changes?: readonly FileDiff[];
  /** Numbers of the changes that it made. */
  readonly made?: readonly number[];
  readonly deferredEdit?: TurnStep["deferredEdit"];
};

/** Keeps one call's result, structured and labelled, and tells the clients. */
export async function recordResult(
  parts: RecordResultParts,
  turn: Turn,
  judged: JudgedCall,
  { outcome, deferredEdit, made = [], ...shown }: CallOutcome,
): Promise<Turn> {
  const known =
    judged.verdict === null
      ? joinLabels(labelOfAgent(turn), judged.prepared.label ?? bottomLabel)
      : judged.prepared.resultLabel;
  const fromHost = judged.prepared.ok && judged.prepared.effects.some(({ kind }) => kind === "reach-host");
  const tagged = await parts.labelOfOutcome(outcome, fromHost);
  const found = outcome.label === undefined ? tagged : joinLabels(tagged, outcome.label);
  const label = withoutUnread(outcome, joinLabels(known, found));
  const fields = fieldsOf(judged).map((field) => ({ ...field, label: joinLabels(field.label, found) }));
  const silent = outcome.status === "success" && parts.isSilent(silenceName(judged.call));
  const kept: Outcome = silent
    ? { status: "success", content: "Done." }
    : keptOutcome(outcome, parts.maskKeys);
  const read =
    silent || !judged.prepared.ok ? [] : await parts.filesRead(turn, judged.prepared.effects, outcome);
  const result: ToolResult = {
    id: parts.newId(),
    tool: toolNameOf(judged),
    outcome: kept,
    label,
    ...(silent || fields.length === 0 ? {} : { fields }),
    ...(read.length === 0 ? {} : { read }),
    ...(made.length === 0 ? {} : { changes: made }),
    ...(shown.changes === undefined ? {} : { changed: countDiffs(shown.changes) }),
  };
  const next: Turn = {
    ...turn,
    state: "judging",
    messages: [...turn.messages, resultMessage(turn, judged.call, result)],
    pending: turn.pending.filter((call) => call.id !== judged.call.id),
    rounds: undefined,
    running: null,
    approved: null,
    updatedAt: parts.clock(),
  };
  const isRead = judged.verdict === null || !judged.prepared.effects.some(requiresForcedIntent);
  const durability = deferredEdit !== undefined ? "forced" : isRead ? "deferred" : "unforced";
  await parts.state.commit({ turn: next, durability, results: [result], deferredEdit });
  if (!silent) await tellOutcome(parts, next, { call: judged.call, result, shown });
  return next;
}

/**
 * The label of a result; what could not be opened said nothing in it, so no file is among its sources then.
 */
function withoutUnread(outcome: Outcome, label: Label): Label {
  if (outcome.status === "success" || outcome.code !== noPermission) return label;
  return { ...label, sources: label.sources.filter(({ id }) => !id.startsWith("/")) };
}

function fieldsOf({ prepared }: JudgedCall): readonly FieldLabel[] {
  return prepared.ok ? (prepared.resultFields ?? []) : [];
}

/**
 * An outcome as it is kept: without the configured keys; its label is that of the result, and what it
 * changed is told beside it.
 */
function keptOutcome(
  { label: _, changed: __, ...outcome }: Outcome,
  maskKeys: (text: string) => string,
): Outcome {
  return outcome.status === "success"
    ? { ...outcome, content: maskValue(outcome.content, maskKeys) }
    : { ...outcome, message: maskKeys(outcome.message) };
}

type ToldOutcome = {
  readonly call: Call;
  readonly result: ToolResult;
  readonly shown: Pick<CallOutcome, "milliseconds" | "changes">;
};

/** Showing a result to a person is itself an effect with the result's labels. */
async function tellOutcome(
  parts: RecordResultParts,
  turn: Turn,
  { call, result, shown }: ToldOutcome,
): Promise<void> {
  const { outcome } = result;
  const content: Json = outcome.status === "success" ? outcome.content : outcome.message;
  const verdict = await parts.judgeTelling(turn, "", result.label);
  parts.emit({
    type: "outcome",
    session: turn.session,
    turn: turn.id,
    call: call.id,
    tool: result.tool,
    status: outcome.status,
    code: outcome.status === "error" ? outcome.code : "",
    content:
      verdict.decision === "pass" ? maskValue(content, parts.filter) : `[not shown: ${verdict.reason}]`,
    ...shown,
  });
}

/** A result as an entry of the transcript. */
export function resultMessage(turn: Turn, call: Call, result: ToolResult): Message {
  const asked = turn.messages.findLast((message) => message.role === "assistant");
  return { role: "result", callId: call.id, native: asked?.role === "assistant" && asked.native, result };
}

/** The name under which a target is silenced: `system-message` for a message through `system`, else the target's own. */
export function silenceName({ action }: Call): string {
  const message = action.target.toLowerCase() === "system" && action.payload["action"] === "message";
  return message ? "system-message" : action.target;
}

/** The label of what the agent itself says of an action. */
export function labelOfAgent(turn: Turn): Label {
  return { ...bottomLabel, integrity: "agent", sources: [{ id: turn.id, path: "" }] };
}
