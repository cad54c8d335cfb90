import type { State } from "../memory/state/state.ts";
import type { Effect } from "../signal/effect.ts";
import type { JournalEntry } from "../signal/journal-entry.ts";
import { bottomLabel } from "../signal/label.ts";
import { isTextRequest } from "../signal/signal.ts";
import type { FileChange, Outcome, ToolResult } from "../signal/tool.ts";
import { isFinal, type Turn } from "../signal/turn.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import { expireApproval } from "./expire-approvals.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What resuming a turn of a former process needs. */
export type RecoverTurnParts = EndTurnParts & {
  readonly state: Pick<State, "journal">;
  readonly journal: AppendToJournal;
  /** SHA-256 in hex of what a file holds; null where there is no file. Throws where it cannot be read. */
  readonly digestOfFile: (path: string) => Promise<string | null>;
  /** Takes back what a turn made of these changes, each kept and journalled like any undo. */
  readonly revertChanges: (
    turn: Pick<Turn, "id" | "session">,
    changes: readonly FileChange[],
  ) => Promise<void>;
};

/** Whether an unfinished turn of a former process goes on, and what the person must be told. */
export type TurnRecovery = { readonly runs: boolean; readonly reports: readonly string[] };

/**
 * Decides how a turn goes on from what is on the disk. A call that was running is decided by the digests of its intent where it changed
 * files: one that was cut off between them is taken back and made anew. Any other call without an outcome is reported as unknown and never repeated.
 * A text that the program wanted for itself is not asked for again.
 */
export async function recoverTurn(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  if (isTextRequest(turn.signal) && !isFinal(turn.state)) return endTextRequest(parts, turn);
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

/** Nobody is there any more who would take the text, so no model is paid for it. */
async function endTextRequest(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  const { ifCutOff } = turn.signal.payload;
  const text =
    typeof ifCutOff === "string"
      ? ifCutOff
      : "Passepartout ended while a model wrote this. It is asked anew where it is still wanted.";
  await finishTurn(parts, turn, { state: "stopped", code: "cut-off", text });
  return { runs: false, reports: typeof ifCutOff === "string" ? [text] : [] };
}

async function decideActing(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  const call = turn.pending[0];
  if (call === undefined || turn.running === null) return { runs: true, reports: [] };
  const { intent, outcome } = await lastOf(parts, turn);
  if (intent === null || (outcome === null && (await goesOn(parts, turn, intent)))) {
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
      rounds: undefined,
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

/** Whether a call is made anew: it goes on by itself, or all its files are as before it, once what it had changed of them is taken back. */
async function goesOn(parts: RecoverTurnParts, turn: Turn, intent: JournalEntry): Promise<boolean> {
  if (intent.detail["resumes"] === true) return true;
  const { changes } = intent;
  if (changes.length === 0 || changes.some(({ before, after }) => before === after)) return false;
  const states = await statesOf(parts, intent);
  const made = changes.filter((_, index) => states[index] === "after");
  if (made.length === 0) return states.every((state) => state === "before");
  const isCutOff = made.length < changes.length && !states.includes("other");
  if (!isCutOff || !intent.effects.every(({ kind }) => fileEffects.has(kind))) return false;
  await parts.revertChanges(turn, made);
  return (await statesOf(parts, intent)).every((state) => state === "before");
}

/** The effects of a call that writes files and does nothing else. */
const fileEffects: ReadonlySet<Effect["kind"]> = new Set([
  "read-path",
  "write-path",
  "delete-path",
  "change-memory",
]);

async function decideByDigests(parts: RecoverTurnParts, intent: JournalEntry): Promise<Outcome> {
  const states = await statesOf(parts, intent);
  if (states.length > 0 && states.every((state) => state === "after"))
    return {
      status: "success",
      content: "Done. (Passepartout ended right after it; the file is as it was meant to be.)",
    };
  const files = intent.changes.map(({ path }, index) => `${path} ${stateWords[states[index] ?? "other"]}`);
  const sentences = [
    "Passepartout ended while this ran. It may have been done, and it is not repeated. Check before you do it again.",
    ...(files.length > 1 ? [`${files.join("; ")}.`] : []),
  ];
  return { status: "error", code: "unknown", message: sentences.join(" ") };
}

/** How a file is after a call was cut off; `other`: as neither before nor after it, or not to be read. */
type FileState = "before" | "after" | "other";

const stateWords: Readonly<Record<FileState, string>> = {
  before: "is as it was before",
  after: "is changed",
  other: "was changed by somebody else, or cannot be read",
};

function statesOf(parts: RecoverTurnParts, { changes }: JournalEntry): Promise<readonly FileState[]> {
  return Promise.all(changes.map((change) => stateOf(parts, change)));
}

async function stateOf(parts: RecoverTurnParts, { path, before, after }: FileChange): Promise<FileState> {
  try {
    const digest = await parts.digestOfFile(path);
    return digest === after ? "after" : digest === before ? "before" : "other";
  } catch (error) {
    if (error instanceof Error) return "other";
    throw error;
  }
}

function outcomeOf(entry: JournalEntry): Outcome {
  if (entry.detail["further"] === true) {
    const message =
      "The first part of it was done. Passepartout ended right after it, so what it got is lost and the rest was not done.";
    return { status: "error", code: "cut-off", message };
  }
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
