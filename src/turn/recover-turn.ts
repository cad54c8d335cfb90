import type { State } from "../memory/state/state.ts";
import type { JournalEntry } from "../signal/journal-entry.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Outcome, ToolResult } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { EndTurnParts } from "./end-turn.ts";
import { expireApproval } from "./expire-approvals.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What resuming a turn of a former process needs. */
export type RecoverTurnParts = EndTurnParts & {
  readonly state: Pick<State, "journal">;
  readonly journal: AppendToJournal;
  /** SHA-256 in hex of what a file holds; null where there is no file. Throws where it cannot be read. */
  readonly digestOfFile: (path: string) => Promise<string | null>;
};

/** Whether an unfinished turn of a former process goes on, and what the person must be told. */
export type TurnRecovery = { readonly runs: boolean; readonly reports: readonly string[] };

/**
 * Decides how a turn goes on from what is on the disk. A call that was running is decided by the digests of its intent where it changed
 * files; any other call without an outcome is reported as unknown and never repeated.
 */
export async function recoverTurn(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  switch (turn.state) {
    case "queued":
    case "thinking":
    case "judging":
      return { runs: true, reports: [] };
    case "suspended":
      await expireApproval(parts, turn);
      return { runs: false, reports: [] };
    case "acting":
      return decideActing(parts, turn);
    case "answered":
    case "blocked":
    case "failed":
    case "stopped":
      return { runs: false, reports: [] };
  }
}

async function decideActing(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  const call = turn.pending[0];
  if (call === undefined || turn.running === null) return { runs: true, reports: [] };
  const { intent, outcome } = await lastOf(parts, turn);
  const again = intent?.detail["resumes"] === true || (intent !== null && (await untouched(parts, intent)));
  if (intent === null || (outcome === null && again)) {
    await parts.state.commit({
      turn: { ...turn, state: "judging", running: null, updatedAt: parts.clock() },
    });
    return { runs: true, reports: [] };
  }
  const decided = outcome === null ? await decideByDigests(parts, intent) : outcomeOf(outcome);
  const tool = typeof intent.detail["tool"] === "string" ? intent.detail["tool"] : call.action.target;
  if (outcome === null) {
    await parts.journal({
      kind: "outcome",
      turn: turn.id,
      session: turn.session,
      digest: turn.running,
      effects: intent.effects,
      detail: {
        status: decided.status,
        code: decided.status === "error" ? decided.code : "",
        recovered: true,
      },
    });
  }
  const result: ToolResult = {
    id: parts.newId(),
    tool,
    outcome: decided,
    label: { ...bottomLabel, integrity: "agent" },
  };
  const asked = turn.messages.findLast((message) => message.role === "assistant");
  const native = asked?.role === "assistant" && asked.native;
  await parts.state.commit({
    turn: {
      ...turn,
      state: "judging",
      running: null,
      approved: null,
      pending: turn.pending.slice(1),
      messages: [...turn.messages, { role: "result", callId: call.id, native, result }],
      updatedAt: parts.clock(),
    },
    results: [result],
  });
  const unknown = decided.status === "error" && decided.code === "unknown";
  return { runs: true, reports: unknown ? [`${tool}: ${decided.message}`] : [] };
}

async function lastOf(
  parts: RecoverTurnParts,
  turn: Turn,
): Promise<{ readonly intent: JournalEntry | null; readonly outcome: JournalEntry | null }> {
  let intent: JournalEntry | null = null;
  let outcome: JournalEntry | null = null;
  for await (const entry of parts.state.journal.entries()) {
    if (entry.turn !== turn.id || entry.digest !== turn.running) continue;
    if (entry.kind === "intent") {
      intent = entry;
      outcome = null;
    } else if (entry.kind === "outcome") outcome = entry;
  }
  return { intent, outcome };
}

/** True where the intent was to change files alone, and every file is as it was before. */
async function untouched(parts: RecoverTurnParts, intent: JournalEntry): Promise<boolean> {
  if (intent.changes.length === 0) return false;
  for (const change of intent.changes) {
    if (change.before === change.after || !(await holds(parts, change.path, change.before))) return false;
  }
  return true;
}

async function decideByDigests(parts: RecoverTurnParts, intent: JournalEntry): Promise<Outcome> {
  const unknown: Outcome = {
    status: "error",
    code: "unknown",
    message:
      "Passepartout ended while this ran. It may have been done, and it is not repeated. Check before you do it again.",
  };
  if (intent.changes.length === 0) return unknown;
  for (const change of intent.changes) {
    if (!(await holds(parts, change.path, change.after))) return unknown;
  }
  return {
    status: "success",
    content: "Done. (Passepartout ended right after it; the file is as it was meant to be.)",
  };
}

/** False as well where the file cannot be read: then its state is not known. */
async function holds(parts: RecoverTurnParts, path: string, digest: string | null): Promise<boolean> {
  try {
    return (await parts.digestOfFile(path)) === digest;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function outcomeOf(entry: JournalEntry): Outcome {
  if (entry.detail["status"] === "success") {
    return {
      status: "success",
      content: "Done. (Passepartout ended right after it, so its output is lost.)",
    };
  }
  const code = typeof entry.detail["code"] === "string" ? entry.detail["code"] : "failed";
  return {
    status: "error",
    code,
    message: "It failed. (Passepartout ended right after it, so its message is lost.)",
  };
}
