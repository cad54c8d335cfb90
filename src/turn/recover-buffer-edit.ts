import { basename } from "node:path";
import type { State } from "../memory/state/state.ts";
import type { Call } from "../signal/action.ts";
import type { JournalEntry } from "../signal/journal-entry.ts";
import { joinAll } from "../signal/label.ts";
import type { ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import { deferralNotice, deferredEditId, isDeferredEditTurn } from "./deferred-edit-turn.ts";
import type { FileLocks } from "./file-locks.ts";
import { newDeferredEdit } from "./new-deferred-edit.ts";
import { labelOfAgent, resultMessage } from "./record-result.ts";
import type { StepPorts } from "./step-ports.ts";

/** What keeping an edit that was cut off in a buffer needs. */
export type RecoverBufferEditParts = Pick<StepPorts, "clock" | "newId"> & {
  readonly state: Pick<State, "commit">;
  readonly locks: Pick<FileLocks, "keepBase">;
};

/**
 * Whether all that an intent was about to change is in buffers of editors, of which the disk does not tell
 * whether they were changed.
 */
export function isBufferEdit({ changes }: JournalEntry): boolean {
  return changes.length > 0 && changes.every(({ inBuffer }) => inBuffer !== undefined);
}

/**
 * Defers an edit that an editor was asked for when the process ended: it is made only where the text says,
 * later, that it was not.
 */
export async function recoverBufferEdit(
  parts: RecoverBufferEditParts,
  turn: Turn,
  { call, intent, tool }: { readonly call: Call; readonly intent: JournalEntry; readonly tool: string },
): Promise<string> {
  const path = intent.changes[0]?.path ?? "";
  const label = joinAll([labelOfAgent(turn), ...intent.effects.map((effect) => effect.label)]);
  const edit = await newDeferredEdit(parts, turn, { path, call, label, attempted: intent.changes });
  const text = `Nobody knows yet whether it was made in the buffer of Emacs, since Passepartout ended just then. ${deferralNotice(basename(path))}`;
  const content = { path, waiting: true, text, advice: "Do not propose it again." };
  const result: ToolResult = { id: parts.newId(), tool, outcome: { status: "success", content }, label };
  await parts.state.commit({
    turn: {
      ...turn,
      state: "judging",
      running: null,
      approved: null,
      pending: turn.pending.slice(1),
      rounds: undefined,
      messages: [...turn.messages, resultMessage(turn, call, result)],
      updatedAt: parts.clock(),
    },
    results: [result],
    deferredEdit: { edit, instead: isDeferredEditTurn(turn) ? deferredEditId(turn) : null },
  });
  return text;
}
