import { basename } from "node:path";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";
import type { State } from "../memory/state/state.ts";
import { editUnknown } from "../signal/editor-buffer.ts";
import type { Message } from "../signal/message.ts";
import type { ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { isJsonObject } from "../text/json.ts";
import { deferredEditId } from "./deferred-edit-turn.ts";
import { type EndTurnParts, finishTurn, type TurnEnd } from "./end-turn.ts";
import type { FileLocks } from "./file-locks.ts";
import type { LookAtFile } from "./recover-turn.ts";
import type { JudgeTelling } from "./step-ports.ts";

/** What proposing a deferred edit once more needs. */
export type ProposeDeferredEditParts = EndTurnParts & {
  readonly state: Pick<State, "deferredEdits">;
  readonly locks: Pick<FileLocks, "setAside">;
  readonly judgeTelling: JudgeTelling;
  readonly stateOfFile: LookAtFile;
  /** A result as words for a person. */
  readonly formatResult: (result: ToolResult) => string;
  /** Takes a snapshot of memory before the turn goes on. */
  readonly snapshot: (turn: Turn) => Promise<void>;
};

/** Proposes a deferred edit once more, to be prepared and judged as things are now. Once it has a result, the turn ends with that result. No model is asked. */
export async function proposeDeferredEdit(parts: ProposeDeferredEditParts, turn: Turn): Promise<Turn> {
  const last = turn.messages.at(-1);
  if (last?.role === "result") return endWith(parts, turn, last.result);
  const edit = await parts.state.deferredEdits.get(deferredEditId(turn));
  if (edit === null || turn.messages.length > 1)
    return finishTurn(parts, turn, {
      state: "stopped",
      code: "no-edit",
      text: "The deferred edit was dropped.",
    });
  const found = await findAttempted(parts, edit);
  if (found !== null) return finishTurn(parts, turn, found);
  await parts.snapshot(turn);
  const call = { ...edit.call, id: parts.newId() };
  const proposal: Message = {
    role: "assistant",
    text: "",
    calls: [call],
    native: false,
    provider: "reflex",
    raw: null,
    label: edit.label,
  };
  const next: Turn = {
    ...turn,
    state: "judging",
    messages: [...turn.messages, proposal],
    pending: [call],
    approved: edit.approved,
    updatedAt: parts.clock(),
  };
  await parts.state.commit({ turn: next });
  return next;
}

/**
 * How the turn of an edit ends that was begun in a buffer before; null where the texts say that nothing of it
 * was made.
 */
async function findAttempted(
  { stateOfFile, locks }: Pick<ProposeDeferredEditParts, "stateOfFile" | "locks">,
  edit: DeferredEdit,
): Promise<TurnEnd | null> {
  const { attempted = [], path } = edit;
  const states = await Promise.all(attempted.map((change) => stateOfFile(change)));
  const name = basename(path);
  if (states.every((state) => state === "before")) return null;
  if (states.every((state) => state === "after")) {
    const text = `The edit of ${name} was made in its buffer in Emacs; it is not made again. /undo takes it back.`;
    return { state: "answered", code: "", text };
  }
  const text = `Nobody can tell any more whether the edit of ${name} was made in Emacs, so it is not repeated. Look at it there. ${await locks.setAside(edit)}`;
  return { state: "failed", code: editUnknown, text };
}

async function endWith(parts: ProposeDeferredEditParts, turn: Turn, result: ToolResult): Promise<Turn> {
  const { path } = turn.signal.payload;
  const name = typeof path === "string" ? basename(path) : "the file";
  const verdict = await parts.judgeTelling(turn, "", result.label);
  const told = verdict.decision === "pass" ? parts.formatResult(result) : "";
  if (result.outcome.status === "success") {
    const { content } = result.outcome;
    const isReleased = !isJsonObject(content) || content["editor"] === undefined;
    const text = isReleased ? `Emacs let go of ${name}. ${told}` : `The edit that waited is made. ${told}`;
    return finishTurn(parts, turn, { state: "answered", code: "", text });
  }
  const edit = await parts.state.deferredEdits.get(deferredEditId(turn));
  const { code } = result.outcome;
  if (edit !== null && (code === "changed" || code === "conflict")) {
    const deferredEdit = { edit: { ...edit, id: parts.newId() }, instead: edit.id };
    const text = `${name} changed while the deferred edit was being made. The edit is tried again.`;
    return finishTurn(parts, turn, { state: "stopped", code: "waits-again", text, deferredEdit });
  }
  const kept = edit === null ? "" : await parts.locks.setAside(edit);
  const text = `The deferred edit of ${name} was not made. ${told} ${kept}`;
  return finishTurn(parts, turn, { state: "failed", code, text });
}
